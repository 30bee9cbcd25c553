//! A WebAssembly module as far as a bundle needs it: sections, memory, data segments, slot.

use std::borrow::Cow;
use std::ops::Range;

use wasmparser::{DataKind, DataSectionReader, MemoryType, Parser, Payload, TypeRef};

use super::error::Error;
use super::slot::MAGIC_COMPLEMENT;

/// Length of a module's magic and version in bytes.
pub(super) const HEADER_BYTES: usize = 8;

/// Length of the slot's magic in bytes.
const MAGIC_BYTES: usize = MAGIC_COMPLEMENT.len();

/// What follows the magic in an empty slot: pointer and length.
const EMPTY_FIELDS: [u8; 8] = [0xFF; 8];

/// The opcode of `i32.const`.
const I32_CONST: u8 = 0x41;
/// The opcode of `end`.
const END: u8 = 0x0B;

/// A module with exactly one memory of its own and exactly one slot.
pub(super) struct Module<'a> {
    pub bytes: &'a [u8],
    /// In file order, and without gaps: each section's header begins where the last one ends.
    pub sections: Vec<Section>,
    pub memory: MemoryType,
    /// Number of data segments, those included that `segments` leaves out.
    pub segment_count: u32,
    /// Where the data section's segments begin, after their count.
    pub segments_start: usize,
    segments: Vec<Segment<'a>>,
    slot: SlotPlace,
}

/// Id and place of a section; the header (id and length) is part of `range`.
pub(super) struct Section {
    pub id: u8,
    pub range: Range<usize>,
}

/// A segment that is copied to a constant address when the module starts.
struct Segment<'a> {
    address: u64,
    /// Where `data` begins in the file.
    position: usize,
    data: &'a [u8],
}

struct SlotPlace {
    /// Address of the magic in memory, in bytes.
    address: u64,
    /// Where the fields are in the file if the slot is empty; `None` if it is filled.
    empty_fields: Option<Range<usize>>,
}

impl<'a> Module<'a> {
    /// Takes time in proportion to `bytes`, and copies none of them.
    ///
    /// # Errors
    ///
    /// Whatever keeps the module from being an engine or a bundle. The code of its functions is
    /// not looked at: the browser validates it.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"\0asm") {
            return Err(Error::NotWasm);
        }
        if Parser::is_component(bytes) {
            return Err(Error::Component);
        }
        let mut sections: Vec<Section> = Vec::new();
        let mut memories = Vec::new();
        let mut imported_memories = 0;
        let mut data = None;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let Some((id, body)) = payload.as_section() {
                let start = sections.last().map_or(HEADER_BYTES, |last| last.range.end);
                sections.push(Section {
                    id,
                    range: start..body.end as usize,
                });
            }
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported_memories += usize::from(matches!(import?.ty, TypeRef::Memory(_)));
                    }
                }
                Payload::MemorySection(section) => {
                    memories = section.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::DataSection(section) => data = Some(section),
                _ => {}
            }
        }
        let memory = own_memory(&memories, imported_memories)?;
        let data = data.ok_or(Error::NoSlot)?;
        let segment_count = data.count();
        let (segments_start, segments) = constant_segments(data)?;
        let slot = find_slot(&segments)?;
        Ok(Self {
            bytes,
            sections,
            memory,
            segment_count,
            segments_start,
            segments,
            slot,
        })
    }

    /// Where the pointer and the length are to be written in the file; `None` for a filled slot.
    pub fn empty_fields(&self) -> Option<Range<usize>> {
        self.slot.empty_fields.clone()
    }

    /// The bytes that the slot points at; `None` for an empty slot.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn index(&self) -> Result<Option<Cow<'a, [u8]>>, Error> {
        if self.slot.empty_fields.is_some() {
            return Ok(None);
        }
        // From memory, not from the slot's segment: where the slot ends a segment, `wasm-opt` has
        // cut off the zeros of the length.
        let slot = self.read(self.slot.address, MAGIC_BYTES + EMPTY_FIELDS.len())?;
        let (pointer, length) = slot[MAGIC_BYTES..].split_at(EMPTY_FIELDS.len() / 2);
        let [pointer, length] = [pointer, length].map(|field| {
            let bytes = field.iter().rev();
            bytes.fold(0u32, |value, byte| (value << 8) | u32::from(*byte))
        });
        self.read(u64::from(pointer), length as usize).map(Some)
    }

    /// The bytes that memory holds when the module starts.
    ///
    /// They are borrowed where one segment has them all. `wasm-opt` leaves zeros out and cuts
    /// segments there; then they are put together again, in a copy that is at most twice as long
    /// as the file.
    ///
    /// # Errors
    ///
    /// [`Error::IndexMissing`] where less than half of the bytes are in segments. So a damaged
    /// length cannot ask for a copy of any size, and no index is mostly zeros.
    fn read(&self, start: u64, length: usize) -> Result<Cow<'a, [u8]>, Error> {
        let end = start + length as u64;
        let mut parts = Vec::new();
        let mut present = 0;
        for segment in &self.segments {
            let from = start.max(segment.address);
            let to = end.min(segment.address + segment.data.len() as u64);
            if from > to {
                continue;
            }
            // Both lie inside the segment's data, so they are below its length.
            let part =
                &segment.data[(from - segment.address) as usize..(to - segment.address) as usize];
            if part.len() == length {
                return Ok(Cow::Borrowed(part));
            }
            present += part.len();
            parts.push(((from - start) as usize, part));
        }
        if present < length.div_ceil(2) {
            return Err(Error::IndexMissing {
                pointer: start,
                length,
                present,
            });
        }
        let mut bytes = vec![0; length];
        for (at, part) in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
        }
        Ok(Cow::Owned(bytes))
    }
}

fn own_memory(own: &[MemoryType], imported: usize) -> Result<MemoryType, Error> {
    let memory = match (own, imported) {
        ([memory], 0) => *memory,
        ([], 1) => return Err(Error::ImportedMemory),
        _ => {
            return Err(Error::MemoryCount {
                count: own.len() + imported,
            });
        }
    };
    let unsupported = |kind| Err(Error::UnsupportedMemory { kind });
    if memory.memory64 {
        return unsupported("64-bit");
    }
    if memory.shared {
        return unsupported("shared");
    }
    if memory.page_size_log2.is_some() {
        return unsupported("custom page size");
    }
    Ok(memory)
}

/// The segments with a constant address, and where the first segment of any kind begins.
///
/// A linker for position-independent code writes other segments; the engine is not such a module.
fn constant_segments(section: DataSectionReader<'_>) -> Result<(usize, Vec<Segment<'_>>), Error> {
    let mut first = section.range().end as usize;
    let mut segments = Vec::new();
    for segment in section {
        let segment = segment?;
        first = first.min(segment.range.start as usize);
        let DataKind::Active { offset_expr, .. } = segment.kind else {
            continue;
        };
        let mut offset = offset_expr.get_binary_reader();
        if offset.read_u8()? != I32_CONST {
            continue;
        }
        let address = offset.read_var_i32()? as u32;
        // More instructions compute an address (extended constant expressions): not constant here.
        if offset.read_u8()? != END {
            continue;
        }
        let position = segment.range.end as usize - segment.data.len();
        segments.push(Segment {
            address: u64::from(address),
            position,
            data: segment.data,
        });
    }
    Ok((first, segments))
}

fn find_slot(segments: &[Segment<'_>]) -> Result<SlotPlace, Error> {
    let is_magic = |window: &[u8]| window.iter().zip(MAGIC_COMPLEMENT).all(|(a, b)| *a == !b);
    let mut found = Vec::new();
    for segment in segments {
        let windows = segment.data.windows(MAGIC_BYTES).enumerate();
        for (start, _) in windows.filter(|(_, window)| is_magic(window)) {
            let fields = start + MAGIC_BYTES;
            let is_empty = segment.data[fields..].starts_with(&EMPTY_FIELDS);
            let position = segment.position + fields;
            found.push(SlotPlace {
                address: segment.address + start as u64,
                empty_fields: is_empty.then(|| position..position + EMPTY_FIELDS.len()),
            });
        }
    }
    let count = found.len();
    match (found.pop(), count) {
        (Some(slot), 1) => Ok(slot),
        (None, _) => Err(Error::NoSlot),
        _ => Err(Error::SeveralSlots { count }),
    }
}

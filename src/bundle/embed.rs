//! Index bytes into an engine.

use std::ops::Range;

use wasm_encoder::{
    ConstExpr, DataCountSection, Encode, MemorySection, MemoryType, Section, SectionId,
};

use super::error::Error;
use super::module::{HEADER_BYTES, Module};

/// Size of a page of memory in bytes.
const PAGE_BYTES: u64 = 65_536;

/// Most pages that a 32-bit memory can have.
const MAX_PAGES: u64 = 65_536;

/// Most bytes that a bundle can have.
///
/// A Rust slice on a 32-bit target has at most `isize::MAX` bytes. The limit on the whole file also
/// holds the data section below the 4 GiB that its length field can say.
const MAX_BUNDLE_BYTES: u64 = i32::MAX as u64;

/// Upper bound for what a bundle has more than engine and index: the new segment's header and the
/// count and length fields that grew, each by at most 4 bytes.
const OVERHEAD_BYTES: usize = 64;

/// Puts an index into a prebuilt engine.
///
/// The index becomes an active data segment at the old end of memory, memory starts larger by the
/// index's pages, and the slot says where the index lies. Every other section stays as it is, byte
/// for byte, custom sections included. The same engine and index give the same bytes.
///
/// Takes time in proportion to both; the index is copied once, into the one allocation that is
/// returned.
///
/// # Errors
///
/// Where `engine` is no engine: not WebAssembly or damaged, without a slot or with several, or
/// with a memory that is missing, imported, shared or 64-bit. [`Error::AlreadyFilled`] where it is
/// a bundle: an index is not replaced, since its pages cannot be told from the engine's own.
/// [`Error::TooLarge`] where the index does not fit below the memory's maximum.
///
/// # Example
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let engine = std::fs::read("engine.wasm")?;
/// let index = std::fs::read("docs.index")?;
/// let bundle = groundling::bundle::embed(&engine, &index)?;
/// assert_eq!(groundling::bundle::extract(&bundle)?, index);
/// # Ok(())
/// # }
/// ```
pub fn embed(engine: &[u8], index: &[u8]) -> Result<Vec<u8>, Error> {
    let module = Module::parse(engine)?;
    let fields = module.empty_fields().ok_or(Error::AlreadyFilled)?;
    let minimum = module.memory.initial;
    let length = index.len() as u64;
    let room = room(&module);
    let too_large = Error::TooLarge { length, room };
    // A memory that is full to the last page has no address for the index, not even for an empty one.
    let (Ok(pointer), true) = (u32::try_from(minimum * PAGE_BYTES), length <= room) else {
        return Err(too_large);
    };

    let mut bundle = Vec::with_capacity(engine.len() + index.len() + OVERHEAD_BYTES);
    bundle.extend_from_slice(&engine[..HEADER_BYTES]);
    for section in &module.sections {
        if section.id == SectionId::Memory as u8 {
            let memory = MemoryType {
                minimum: minimum + length.div_ceil(PAGE_BYTES),
                maximum: module.memory.maximum,
                memory64: false,
                shared: false,
                page_size_log2: None,
            };
            MemorySection::new().memory(memory).append_to(&mut bundle);
        } else if section.id == SectionId::DataCount as u8 {
            let count = module.segment_count + 1;
            DataCountSection { count }.append_to(&mut bundle);
        } else if section.id == SectionId::Data as u8 {
            let segments = module.segments_start..section.range.end;
            let start = append_data_section(&mut bundle, &module, segments.clone(), pointer, index);
            let at = start + (fields.start - segments.start);
            bundle[at..at + 4].copy_from_slice(&pointer.to_le_bytes());
            bundle[at + 4..at + 8].copy_from_slice(&(length as u32).to_le_bytes());
        } else {
            bundle.extend_from_slice(&engine[section.range.clone()]);
        }
    }
    Ok(bundle)
}

/// The most bytes that an index for this engine can have.
fn room(module: &Module<'_>) -> u64 {
    let maximum = module.memory.maximum.unwrap_or(MAX_PAGES).min(MAX_PAGES);
    let in_memory = maximum.saturating_sub(module.memory.initial) * PAGE_BYTES;
    let in_file = MAX_BUNDLE_BYTES.saturating_sub((module.bytes.len() + OVERHEAD_BYTES) as u64);
    in_memory.min(in_file)
}

/// Appends the data section whose segments are at `segments` in the engine, and as one segment more
/// the index, which starts at `pointer` in memory. Returns where the segments begin in `bundle`.
///
/// `wasm_encoder::DataSection` would copy the index into a buffer of its own, then into the bundle.
fn append_data_section(
    bundle: &mut Vec<u8>,
    module: &Module<'_>,
    segments: Range<usize>,
    pointer: u32,
    index: &[u8],
) -> usize {
    const ACTIVE_IN_MEMORY_0: u8 = 0;

    let mut count = Vec::new();
    (module.segment_count + 1).encode(&mut count);
    let mut segment_header = vec![ACTIVE_IN_MEMORY_0];
    ConstExpr::i32_const(pointer as i32).encode(&mut segment_header);
    index.len().encode(&mut segment_header);

    bundle.push(SectionId::Data as u8);
    (count.len() + segments.len() + segment_header.len() + index.len()).encode(bundle);
    bundle.extend_from_slice(&count);
    let start = bundle.len();
    bundle.extend_from_slice(&module.bytes[segments]);
    bundle.extend_from_slice(&segment_header);
    bundle.extend_from_slice(index);
    start
}

//! Engines of a few bytes, made with `wasm_encoder`, go through `embed` and `extract`.

use std::borrow::Cow;

use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataCountSection, DataSection, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, ImportSection, MemorySection, MemoryType,
    Module as Encoder, TypeSection,
};
use wasmparser::{DataKind, Operator, Parser, Payload, Validator};

use super::slot::MAGIC_COMPLEMENT;
use super::{Error, embed, extract};

const PAGE: usize = 65_536;

/// What a test engine is made of.
struct Engine {
    memories: Vec<MemoryType>,
    imported_memory: bool,
    segments: Vec<(Option<i32>, Vec<u8>)>,
    data_count: bool,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            memories: vec![memory(2, None)],
            imported_memory: false,
            segments: vec![
                (Some(1024), b"text before the slot".to_vec()),
                (Some(2048), [b"abc", &slot([0xFF; 8])[..], b"xyz"].concat()),
                (None, b"a passive segment".to_vec()),
            ],
            data_count: true,
        }
    }
}

fn memory(minimum: u64, maximum: Option<u64>) -> MemoryType {
    MemoryType {
        minimum,
        maximum,
        memory64: false,
        shared: false,
        page_size_log2: None,
    }
}

fn slot(fields: [u8; 8]) -> Vec<u8> {
    let magic = MAGIC_COMPLEMENT.map(|byte| !byte);
    [&magic[..], &fields[..]].concat()
}

impl Engine {
    fn encode(&self) -> Vec<u8> {
        let mut module = Encoder::new();
        let mut types = TypeSection::new();
        types.ty().function([], []);
        module.section(&types);
        if self.imported_memory {
            let mut imports = ImportSection::new();
            imports.import("env", "memory", EntityType::Memory(memory(1, None)));
            module.section(&imports);
        }
        let mut functions = FunctionSection::new();
        functions.function(0);
        module.section(&functions);
        if !self.memories.is_empty() {
            let mut section = MemorySection::new();
            for memory in &self.memories {
                section.memory(*memory);
            }
            module.section(&section);
        }
        let mut exports = ExportSection::new();
        exports.export("run", ExportKind::Func, 0);
        module.section(&exports);
        if self.data_count {
            let count = self.segments.len() as u32;
            module.section(&DataCountSection { count });
        }
        let mut code = CodeSection::new();
        let mut function = Function::new([]);
        function.instructions().end();
        code.function(&function);
        module.section(&code);
        if !self.segments.is_empty() {
            let mut data = DataSection::new();
            for (address, bytes) in &self.segments {
                match address {
                    // No linker puts a segment at -1: it stands for an address that is computed.
                    Some(-1) => {
                        let sum = ConstExpr::i32_const(8).with_i32_const(8).with_i32_add();
                        data.active(0, &sum, bytes.iter().copied())
                    }
                    Some(address) => {
                        data.active(0, &ConstExpr::i32_const(*address), bytes.iter().copied())
                    }
                    None => data.passive(bytes.iter().copied()),
                };
            }
            module.section(&data);
        }
        module.section(&CustomSection {
            name: Cow::Borrowed("groundling-build"),
            data: Cow::Borrowed(b"0123456789abcdef"),
        });
        module.finish()
    }
}

/// What a bundle is made of, read without the code under test.
#[derive(Default)]
struct Parsed {
    minimum_pages: u64,
    data_count: Option<u32>,
    segments: Vec<(Option<i32>, Vec<u8>)>,
    others: Vec<Vec<u8>>,
}

fn parse(wasm: &[u8]) -> Parsed {
    let mut parsed = Parsed::default();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload.unwrap();
        let section = payload.as_section();
        match payload {
            Payload::MemorySection(memories) => {
                parsed.minimum_pages = memories.into_iter().next().unwrap().unwrap().initial;
            }
            Payload::DataCountSection { count, .. } => parsed.data_count = Some(count),
            Payload::DataSection(data) => {
                for segment in data {
                    let segment = segment.unwrap();
                    let address = match segment.kind {
                        DataKind::Passive => None,
                        DataKind::Active { offset_expr, .. } => {
                            match offset_expr.get_operators_reader().read().unwrap() {
                                Operator::I32Const { value } => Some(value),
                                other => panic!("{other:?}"),
                            }
                        }
                    };
                    parsed.segments.push((address, segment.data.to_vec()));
                }
            }
            _ => {
                if let Some((_, range)) = section {
                    let range = range.start as usize..range.end as usize;
                    parsed.others.push(wasm[range].to_vec());
                }
            }
        }
    }
    parsed
}

/// Bytes that are neither constant nor text.
fn sample(length: usize) -> Vec<u8> {
    let mut state = 7u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn the_index_becomes_a_segment_at_the_old_end_of_memory() {
    #[track_caller]
    fn check(length: usize, expected_pages: u64) {
        let engine = Engine::default();
        let before = engine.encode();
        Validator::new().validate_all(&before).unwrap();
        let index = sample(length);
        let after = embed(&before, &index).unwrap();
        Validator::new().validate_all(&after).unwrap();

        let (before, after) = (parse(&before), parse(&after));
        assert_eq!(after.minimum_pages, expected_pages);
        assert_eq!(after.data_count, Some(4));
        assert_eq!(after.others, before.others);
        assert_eq!(after.segments.len(), 4);
        let pointer = 2 * PAGE;
        assert!(after.segments[3] == (Some(pointer as i32), index));
        let mut fields = [0; 8];
        fields[..4].copy_from_slice(&(pointer as u32).to_le_bytes());
        fields[4..].copy_from_slice(&(length as u32).to_le_bytes());
        let filled = [b"abc", &slot(fields)[..], b"xyz"].concat();
        assert_eq!(after.segments[0], before.segments[0]);
        assert_eq!(after.segments[1], (Some(2048), filled));
        assert_eq!(after.segments[2], before.segments[2]);
    }
    check(0, 2);
    check(1, 3);
    check(PAGE - 1, 3);
    check(PAGE, 3);
    check(PAGE + 1, 4);
    check(5_000_000, 2 + 77);
}

#[test]
fn what_was_embedded_is_extracted_without_a_copy() {
    for length in [0, 1, PAGE - 1, PAGE, PAGE + 1, 5_000_000] {
        let index = sample(length);
        let bundle = embed(&Engine::default().encode(), &index).unwrap();
        let extracted = extract(&bundle).unwrap();
        assert!(extracted == index, "{length} bytes");
        assert!(matches!(extracted, Cow::Borrowed(_)), "{length} bytes");
    }
}

#[test]
fn the_same_engine_and_index_give_the_same_bytes_in_one_allocation() {
    let (engine, index) = (Engine::default().encode(), sample(100_000));
    let bundle = embed(&engine, &index).unwrap();
    assert_eq!(bundle, embed(&engine, &index).unwrap());
    assert!(bundle.len() <= engine.len() + index.len() + 64);
}

#[test]
fn a_section_that_is_not_there_is_not_made() {
    let engine = Engine {
        data_count: false,
        ..Engine::default()
    };
    let bundle = embed(&engine.encode(), b"index").unwrap();
    assert_eq!(parse(&bundle).data_count, None);
    assert_eq!(*extract(&bundle).unwrap(), *b"index");
}

#[test]
fn an_index_that_holds_text_of_its_own_kind_is_embedded() {
    // The name from which the magic is derived may well be in the documentation of groundling.
    let index = b"the slot: groundling index, groundling index";
    let bundle = embed(&Engine::default().encode(), index).unwrap();
    assert_eq!(*extract(&bundle).unwrap(), *index);
}

#[test]
fn memory_may_grow_up_to_its_maximum() {
    let engine = Engine {
        memories: vec![memory(2, Some(4))],
        ..Engine::default()
    }
    .encode();
    let bundle = embed(&engine, &sample(2 * PAGE)).unwrap();
    Validator::new().validate_all(&bundle).unwrap();
    assert_eq!(parse(&bundle).minimum_pages, 4);
    let error = embed(&engine, &sample(2 * PAGE + 1)).unwrap_err();
    let (length, room) = (2 * PAGE as u64 + 1, 2 * PAGE as u64);
    assert_eq!(error, Error::TooLarge { length, room });
}

#[test]
fn a_file_that_is_no_engine_is_refused() {
    #[track_caller]
    fn check(engine: &Engine, expected: &Error, hint: &str) {
        let wasm = engine.encode();
        assert_eq!(embed(&wasm, b"index").unwrap_err(), *expected);
        let message = expected.to_string();
        assert!(message.contains(hint), "{message}");
    }
    let with_memory = |memory: MemoryType| Engine {
        memories: vec![memory],
        ..Engine::default()
    };
    let with_segments = |segments| Engine {
        segments,
        ..Engine::default()
    };
    let empty = slot([0xFF; 8]);

    check(
        &with_segments(vec![]),
        &Error::NoSlot,
        "comes with this version",
    );
    let passive = with_segments(vec![(None, empty.clone())]);
    check(&passive, &Error::NoSlot, "comes with this version");
    let computed = with_segments(vec![(Some(-1), empty.clone())]);
    check(&computed, &Error::NoSlot, "comes with this version");
    let two = with_segments(vec![(Some(0), empty.clone()), (Some(99), empty.clone())]);
    check(&two, &Error::SeveralSlots { count: 2 }, "2 slots");
    let two = with_segments(vec![(Some(0), [empty.clone(), empty].concat())]);
    check(&two, &Error::SeveralSlots { count: 2 }, "2 slots");
    let filled = with_segments(vec![(Some(0), slot([0, 0, 2, 0, 1, 0, 0, 0]))]);
    check(&filled, &Error::AlreadyFilled, "not into a bundle");
    // As `wasm-opt` leaves a filled slot at the end of a segment: without the zeros at its end.
    let cut = with_segments(vec![(
        Some(0),
        slot([0, 0, 2, 0, 1, 0, 0, 0])[..21].to_vec(),
    )]);
    check(&cut, &Error::AlreadyFilled, "not into a bundle");

    let imported = Engine {
        memories: vec![],
        imported_memory: true,
        ..Engine::default()
    };
    check(&imported, &Error::ImportedMemory, "--import-memory");
    let none = Engine {
        memories: vec![],
        ..Engine::default()
    };
    check(&none, &Error::MemoryCount { count: 0 }, "0 memories");
    let two = Engine {
        imported_memory: true,
        ..Engine::default()
    };
    check(&two, &Error::MemoryCount { count: 2 }, "2 memories");
    let wide = with_memory(MemoryType {
        memory64: true,
        ..memory(2, None)
    });
    check(
        &wide,
        &Error::UnsupportedMemory { kind: "64-bit" },
        "wasm32",
    );
    let shared = with_memory(MemoryType {
        shared: true,
        ..memory(2, Some(9))
    });
    check(
        &shared,
        &Error::UnsupportedMemory { kind: "shared" },
        "threads",
    );
    let small_pages = with_memory(MemoryType {
        page_size_log2: Some(0),
        ..memory(4096, None)
    });
    let kind = "custom page size";
    check(&small_pages, &Error::UnsupportedMemory { kind }, kind);
    let full = with_memory(memory(2, Some(2)));
    check(
        &full,
        &Error::TooLarge { length: 5, room: 0 },
        "--max-memory",
    );
    let widest = with_memory(memory(65_536, None));
    check(
        &widest,
        &Error::TooLarge { length: 5, room: 0 },
        "--max-memory",
    );
    let error = embed(&widest.encode(), b"").unwrap_err();
    assert_eq!(error, Error::TooLarge { length: 0, room: 0 });
}

#[test]
fn other_files_are_refused() {
    for other in [&b""[..], b"\0as", b"<!doctype html>", b"PK\x03\x04"] {
        assert_eq!(embed(other, b"index"), Err(Error::NotWasm));
        assert_eq!(extract(other), Err(Error::NotWasm));
    }
    let component = b"\0asm\x0d\0\x01\0";
    assert_eq!(embed(component, b"index"), Err(Error::Component));
    let old = b"\0asm\x02\0\0\0";
    assert!(matches!(
        embed(old, b"index"),
        Err(Error::Malformed { at: 4, .. })
    ));
    let bare = b"\0asm\x01\0\0\0";
    assert_eq!(embed(bare, b"index"), Err(Error::MemoryCount { count: 0 }));
}

#[test]
fn a_bundle_is_not_embedded_into() {
    let bundle = embed(&Engine::default().encode(), b"index").unwrap();
    assert_eq!(embed(&bundle, b"other"), Err(Error::AlreadyFilled));
    let bundle = embed(&Engine::default().encode(), b"").unwrap();
    assert_eq!(embed(&bundle, b"other"), Err(Error::AlreadyFilled));
}

#[test]
fn an_engine_has_nothing_to_extract() {
    assert_eq!(extract(&Engine::default().encode()), Err(Error::NoIndex));
}

#[test]
fn an_index_cut_at_zeros_is_put_together() {
    // What `wasm-opt` makes of eleven bytes with zeros in the middle, and of the slot's last field.
    let filled = slot([0, 0x10, 0, 0, 11, 0, 0, 0]);
    let engine = Engine {
        segments: vec![
            (Some(1024), filled[..21].to_vec()),
            (Some(0x1000), b"abcd".to_vec()),
            (Some(0x1008), b"xyz and more".to_vec()),
        ],
        ..Engine::default()
    };
    let wasm = engine.encode();
    assert_eq!(*extract(&wasm).unwrap(), *b"abcd\0\0\0\0xyz");
}

#[test]
fn a_slot_that_points_at_nothing_is_an_error() {
    #[track_caller]
    fn check(fields: [u8; 8], pointer: u64, length: usize, present: usize) {
        let engine = Engine {
            segments: vec![(Some(0), slot(fields)), (Some(0x1000), b"abcd".to_vec())],
            ..Engine::default()
        };
        let expected = Error::IndexMissing {
            pointer,
            length,
            present,
        };
        assert_eq!(extract(&engine.encode()), Err(expected));
    }
    check([0, 0x10, 0, 0, 9, 0, 0, 0], 0x1000, 9, 4);
    check([0, 0x20, 0, 0, 1, 0, 0, 0], 0x2000, 1, 0);
    check(
        [0, 0x10, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        0x1000,
        0xFFFF_FFFF,
        4,
    );
    check([0xFF, 0xFF, 0xFF, 0xFF, 9, 0, 0, 0], 0xFFFF_FFFF, 9, 0);
}

#[test]
fn a_cut_file_is_an_error() {
    let engine = Engine::default().encode();
    let bundle = embed(&engine, b"index").unwrap();
    for length in 0..bundle.len() {
        let (embedded, extracted) = (embed(&bundle[..length], b"x"), extract(&bundle[..length]));
        // A file that ends with its data section lacks the custom section only.
        if length < bundle.len() - b"\0\x21\x10groundling-build0123456789abcdef".len() {
            assert!(embedded.is_err() && extracted.is_err(), "{length} bytes");
        }
    }
}

#[test]
fn damage_never_panics() {
    let engine = Engine::default().encode();
    let bundle = embed(&engine, b"index").unwrap();
    let mut results = [0; 2];
    for original in [&engine, &bundle] {
        for at in 0..original.len() {
            for flip in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
                let mut damaged = original.clone();
                damaged[at] ^= flip;
                results[0] += usize::from(embed(&damaged, b"other").is_ok());
                results[1] += usize::from(extract(&damaged).is_ok());
            }
        }
    }
    // Damage outside the memory, the data and the slot is not this room's to see.
    assert!(results.iter().all(|ok| *ok > 0), "{results:?}");
    let mut noise = sample(engine.len() * 200).into_iter();
    for _ in 0..100 {
        let mut damaged = engine.clone();
        for byte in &mut damaged[8..] {
            let (hit, value) = (noise.next().unwrap(), noise.next().unwrap());
            if hit < 8 {
                *byte = value;
            }
        }
        let _ = (embed(&damaged, b"other"), extract(&damaged));
    }
}

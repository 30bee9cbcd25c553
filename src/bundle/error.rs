//! What can be wrong with a WebAssembly file that is to carry an index.

use std::fmt;

/// Why an index could not be put into a file or taken out of it.
///
/// The message (`Display`) says what is wrong and what to do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The file does not begin with `\0asm`.
    NotWasm,
    /// The file is a WebAssembly component, not a core module.
    Component,
    /// The file breaks off or breaks the binary format.
    Malformed {
        /// Where, in bytes from the start of the file.
        at: u64,
        /// What the parser found.
        reason: String,
    },
    /// No data segment holds the slot.
    NoSlot,
    /// More than one place in the data looks like the slot.
    SeveralSlots {
        /// How many.
        count: usize,
    },
    /// The slot is filled already: the file is a bundle, not an engine.
    AlreadyFilled,
    /// The slot is empty: the file is an engine, not a bundle.
    NoIndex,
    /// The file has another number of memories than one.
    MemoryCount {
        /// How many, imported ones included.
        count: usize,
    },
    /// The memory is imported, so that its size is not the file's to say.
    ImportedMemory,
    /// The memory is of a kind that the engine is not made for.
    UnsupportedMemory {
        /// `64-bit`, `shared` or `custom page size`.
        kind: &'static str,
    },
    /// The index does not fit into the memory that the engine may have.
    TooLarge {
        /// Length of the index in bytes.
        length: u64,
        /// What there is room for, in bytes.
        room: u64,
    },
    /// The slot points at bytes that the file does not have.
    IndexMissing {
        /// Address of the index in memory, in bytes.
        pointer: u64,
        /// Length of the index in bytes.
        length: usize,
        /// How many of these bytes are in data segments.
        present: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const USE_ENGINE: &str = "use the engine file that comes with this version of groundling";
        match self {
            Self::NotWasm => write!(f, "this is no WebAssembly file: {USE_ENGINE}"),
            Self::Component => {
                write!(
                    f,
                    "this is a WebAssembly component, not a module: {USE_ENGINE}"
                )
            }
            Self::Malformed { at, reason } => write!(
                f,
                "the WebAssembly file is damaged at byte {at} ({reason}): download or build it again"
            ),
            Self::NoSlot => write!(
                f,
                "the WebAssembly file has no slot for an index, so it is no groundling engine: {USE_ENGINE}"
            ),
            Self::SeveralSlots { count } => write!(
                f,
                "the WebAssembly file has {count} slots for an index in place of one: {USE_ENGINE}"
            ),
            Self::AlreadyFilled => write!(
                f,
                "the WebAssembly file carries an index already: embed into the engine it was made \
                 from, not into a bundle"
            ),
            Self::NoIndex => write!(
                f,
                "the WebAssembly file is an engine that carries no index: build a bundle with it first"
            ),
            Self::MemoryCount { count } => write!(
                f,
                "the WebAssembly file has {count} memories in place of one: {USE_ENGINE}"
            ),
            Self::ImportedMemory => write!(
                f,
                "the WebAssembly file imports its memory: link the engine without --import-memory"
            ),
            Self::UnsupportedMemory { kind } => write!(
                f,
                "the WebAssembly file has a memory of an unsupported kind ({kind}): build the \
                 engine for wasm32-unknown-unknown without threads"
            ),
            Self::TooLarge { length, room } => write!(
                f,
                "the index has {length} bytes and the engine's memory has room for {room}: split \
                 the index, or link the engine with a larger --max-memory or none"
            ),
            Self::IndexMissing {
                pointer,
                length,
                present,
            } => write!(
                f,
                "the bundle is damaged: its index should be the {length} bytes at address \
                 {pointer}, and the file has {present} of them: build the bundle again"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<wasmparser::Error> for Error {
    fn from(error: wasmparser::Error) -> Self {
        Self::Malformed {
            at: error.offset(),
            reason: error.message().to_owned(),
        }
    }
}

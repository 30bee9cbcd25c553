//! What can be wrong with index bytes.

use std::fmt;

/// Why an index could not be opened or read. Nothing is returned from damaged bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin with the format's magic.
    NotAnIndex,
    /// The index has another format version than this reader.
    Version {
        /// The version that this reader knows.
        expected: u32,
        /// The version in the file.
        got: u32,
    },
    /// The index was made by another analyzer, so its terms would not be found.
    Analyzer {
        /// The analyzer of this reader.
        expected: &'static str,
        /// The analyzer named in the file.
        got: String,
    },
    /// Builder and reader do not have the same stemmer for a language of the index.
    Stemmer {
        /// BCP 47 code of the language.
        language: String,
    },
    /// The file is shorter or longer than its header says.
    Truncated {
        /// Length in bytes that the header gives, or the least that a header needs.
        expected: u64,
        /// Length in bytes of what was given.
        got: u64,
    },
    /// The checksum of the head or of a payload block does not match.
    Checksum {
        /// Offset in bytes of the first byte under that checksum.
        at: usize,
    },
    /// The file has a section that must be understood and is not known here.
    UnknownSection {
        /// The kind's number.
        kind: u32,
    },
    /// The checksums match, but the content contradicts itself: a fault of the writer.
    Corrupt {
        /// The section, as the specification names it.
        section: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAnIndex => f.write_str(
                "these bytes are no groundling index: give the file that `groundling build` wrote",
            ),
            Error::Version { expected, got } => write!(
                f,
                "the index has format version {got}, this engine reads version {expected}: \
                 rebuild the index with this version of groundling"
            ),
            Error::Analyzer { expected, got } => write!(
                f,
                "the index was made by analyzer {got}, this engine has {expected}: \
                 rebuild the index with this version of groundling"
            ),
            Error::Stemmer { language } => write!(
                f,
                "builder and engine do not have the same stemmer for language {language}: \
                 build the index with the builder that came with this engine"
            ),
            Error::Truncated { expected, got } => write!(
                f,
                "the index should have {expected} bytes and has {got}: \
                 it was cut or mixed up on the way, copy or build it again"
            ),
            Error::Checksum { at } => write!(
                f,
                "the index is damaged near byte {at}: copy or build it again"
            ),
            Error::UnknownSection { kind } => write!(
                f,
                "the index needs feature {kind}, which this engine does not have: \
                 update groundling on the page"
            ),
            Error::Corrupt { section } => write!(
                f,
                "the index contradicts itself in {section}: rebuild it, and report this"
            ),
        }
    }
}

impl std::error::Error for Error {}

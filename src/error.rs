//! All errors of the crate under one roof, each with a stable code for JavaScript.

use crate::{index, provider};
use std::fmt;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The bundle has no index.
    NoIndex,
    /// The index cannot be opened or read.
    Index(index::Error),
    /// The provider's settings make a request impossible.
    Config(provider::Error),
    /// The provider failed.
    Provider(provider::Failure),
}

impl Error {
    /// The stable code, such as `index-version`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NoIndex => "no-index",
            Error::Index(error) => match error {
                index::Error::NotAnIndex => "index-not-an-index",
                index::Error::Version { .. } => "index-version",
                index::Error::Analyzer { .. } => "index-analyzer",
                index::Error::Stemmer { .. } => "index-stemmer",
                index::Error::Truncated { .. } => "index-truncated",
                index::Error::Checksum { .. } => "index-checksum",
                index::Error::UnknownSection { .. } => "index-unknown-section",
                index::Error::Corrupt { .. } => "index-corrupt",
            },
            Error::Config(error) => error.code(),
            Error::Provider(failure) => failure.code.as_str(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoIndex => f.write_str(
                "this engine has no index in it: make a bundle with `groundling build`, \
                 or compile one in with GROUNDLING_INDEX=FILE",
            ),
            Error::Index(error) => error.fmt(f),
            Error::Config(error) => error.fmt(f),
            Error::Provider(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<index::Error> for Error {
    fn from(error: index::Error) -> Error {
        Error::Index(error)
    }
}

impl From<provider::Error> for Error {
    fn from(error: provider::Error) -> Error {
        Error::Config(error)
    }
}

impl From<provider::Failure> for Error {
    fn from(failure: provider::Failure) -> Error {
        Error::Provider(failure)
    }
}

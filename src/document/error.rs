//! What can be wrong with a site's configuration.

use std::fmt;

/// Why documentation cannot be read at all.
///
/// What is wrong with a single file is a [`Warning`](super::Warning) or a
/// [`Skipped`](super::Skipped), so that one bad file does not stop a build.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The configured selector is no CSS selector.
    Selector {
        /// The selector as configured.
        selector: String,
    },
    /// The configuration is not JSON.
    ConfigSyntax {
        /// Line, counted from 1.
        line: usize,
        /// Column in bytes, counted from 1.
        column: usize,
        /// What the parser found.
        message: String,
    },
    /// A field of the configuration is unknown or has a value of another type.
    ConfigField {
        /// Path of the field, such as `collections[1].name`; `.` for the whole file.
        field: String,
        /// What was found and what is allowed.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Selector { selector } => write!(
                f,
                "\"selector\": `{selector}` is no CSS selector; write one such as `main` or `.content article`"
            ),
            Error::ConfigSyntax {
                line,
                column,
                message,
            } => {
                write!(
                    f,
                    "the configuration is not JSON at line {line}, column {column}: {message}"
                )
            }
            Error::ConfigField { field, message } => {
                write!(f, "configuration field \"{field}\": {message}")
            }
        }
    }
}

impl std::error::Error for Error {}

//! Why a request cannot be made.

use std::fmt;

/// A setting that makes a request impossible. No variant carries a key, a header value or a whole URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The endpoint is no `https:` or `http:` URL and no path on the page's own origin.
    EndpointInvalid,
    /// The endpoint is `http:` on a host that is not this machine.
    EndpointInsecure {
        /// The host, without port.
        host: String,
    },
    /// The endpoint has a user name or password in it.
    EndpointCredentials,
    /// A header's name or value holds characters that HTTP does not allow.
    Header {
        /// The header's name, control characters escaped.
        name: String,
    },
    /// The model is not named, and the protocol needs a name.
    ModelMissing,
}

impl Error {
    /// The stable name, for example `provider-endpoint-insecure`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::EndpointInvalid => "provider-endpoint-invalid",
            Error::EndpointInsecure { .. } => "provider-endpoint-insecure",
            Error::EndpointCredentials => "provider-endpoint-credentials",
            Error::Header { .. } => "provider-header",
            Error::ModelMissing => "provider-model-missing",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::EndpointInvalid => {
                out.write_str("the endpoint is not a usable URL; give https://HOST/PATH, or /PATH on the page's own origin")
            }
            Error::EndpointInsecure { host } => {
                out.write_str("the endpoint on ")?;
                out.write_str(host)?;
                out.write_str(" is not https; use https, a server on this machine, or allow insecure endpoints")
            }
            Error::EndpointCredentials => {
                out.write_str("the endpoint has a user name or password in it; give the key as a key or as a header")
            }
            Error::Header { name } => {
                out.write_str("the header ")?;
                out.write_str(name)?;
                out.write_str(" has characters that HTTP does not allow; check its name and its value")
            }
            Error::ModelMissing => out.write_str("no model is named; give the model's name"),
        }
    }
}

impl std::error::Error for Error {}

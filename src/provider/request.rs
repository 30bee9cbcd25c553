//! The one request of a call.

use std::fmt;

use serde::Serialize;

use super::{Config, Error, Input, endpoint};

/// What to fetch. The method is always POST.
///
/// `Debug` shows the names of the headers only, because a value can be the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The endpoint; for Gemini with the method after it where the endpoint is a model's path.
    pub url: String,
    /// Name and value of each header, names in lower case and unique.
    pub headers: Vec<(String, String)>,
    /// JSON.
    pub body: String,
}

impl fmt::Debug for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        let url = self.url.split(['?', '#']).next().unwrap_or_default();
        out.debug_struct("Request")
            .field("url", &url)
            .field("headers", &names)
            .field("body", &self.body)
            .finish()
    }
}

/// A message of a conversation, as most protocols write it.
#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) role: &'static str,
    pub(super) content: &'a str,
}

/// Makes the smallest request that works: no sampling parameters, because several vendors refuse them even
/// at their default values, and no header that the protocol does not need.
///
/// # Errors
/// If the endpoint is not allowed, a header is malformed or the model is not named.
pub fn request(config: &Config, input: &Input<'_>) -> Result<Request, Error> {
    endpoint::check(&config.endpoint, config.allow_insecure)?;
    let needs_model = config.protocol.names_model() && !endpoint::is_same_origin(&config.endpoint);
    if needs_model && config.model.is_empty() {
        return Err(Error::ModelMissing);
    }
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    for (name, value) in config.protocol.headers(config) {
        set(&mut headers, name, value)?;
    }
    for (name, value) in &config.headers {
        set(&mut headers, name, value.clone())?;
    }
    Ok(Request {
        url: config.protocol.url(config),
        headers,
        body: config.protocol.body(config, input),
    })
}

/// Sets a header, in place of an earlier one of the same name. Malformed ones are refused here, because the
/// browser's own error for them can quote the value.
fn set(headers: &mut Vec<(String, String)>, name: &str, value: String) -> Result<(), Error> {
    // RFC 9110, section 5.1: a name is a token. Section 5.5: a value has no control characters but tab.
    let is_token = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c);
    let is_value = |c: u8| c == b'\t' || (b' '..=b'~').contains(&c);
    if name.is_empty() || !name.bytes().all(is_token) || !value.bytes().all(is_value) {
        return Err(Error::Header {
            name: name.escape_default().to_string(),
        });
    }
    let name = name.to_ascii_lowercase();
    match headers.iter_mut().find(|(known, _)| *known == name) {
        Some(header) => header.1 = value,
        None => headers.push((name, value)),
    }
    Ok(())
}

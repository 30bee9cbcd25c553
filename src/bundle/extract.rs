//! Index bytes out of a bundle.

use std::borrow::Cow;

use super::error::Error;
use super::module::Module;

/// The index that a bundle carries, whether it was embedded or compiled in.
///
/// The slot is read from the file; no code of the bundle runs. The bytes are borrowed unless
/// `wasm-opt` ran over the finished bundle and cut them at runs of zeros: then they are copied.
/// What the bytes hold is not checked. Takes time in proportion to the bundle.
///
/// # Errors
///
/// [`Error::NoIndex`] for an engine, [`Error::IndexMissing`] where the slot points at nothing, and
/// the errors of [`embed`](super::embed) for a file that is no engine at all.
pub fn extract(bundle: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    Module::parse(bundle)?.index()?.ok_or(Error::NoIndex)
}

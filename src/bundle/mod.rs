//! The bundle: index bytes into and out of a WebAssembly file.
//!
//! The engine holds a *slot*, 24 bytes in its data that say where the index lies in memory.
//! There are two ways to fill it, and [`embedded`] cannot tell them apart:
//!
//! - `embed` puts an index into a finished engine. Needs no compiler; runs as wasm in Node.
//! - `GROUNDLING_INDEX=FILE` at compile time compiles the file in, and the linker fills the slot.
//!
//! ```text
//! memory of an embedded bundle, in pages of 65,536 bytes
//!
//! 0                             old minimum         new minimum
//! ├──────────┬──────────────────┼───────────────────┼─────────────
//! │ stack    │ data with slot ●─┼▶ index, padded    │ heap
//! └──────────┴──────────────────┴───────────────────┴─────────────
//!                                active data segment  memory.grow
//! ```
//!
//! The allocator is part of the contract: the index begins where the engine's memory used to end,
//! so the heap must never take memory that was there at the start. The standard library's
//! allocator for `wasm32-unknown-unknown` (dlmalloc) takes memory through `memory.grow` only. An
//! allocator that also uses what lies between `__heap_base` and the size of the memory would write
//! over the index, and must not be set as the global allocator of the engine.

#[cfg(feature = "build")]
mod embed;
#[cfg(feature = "build")]
mod error;
#[cfg(feature = "build")]
mod extract;
#[cfg(feature = "build")]
mod module;
mod slot;
#[cfg(all(test, feature = "build", not(target_arch = "wasm32")))]
mod tests;

#[cfg(feature = "build")]
pub use embed::embed;
#[cfg(feature = "build")]
pub use error::Error;
#[cfg(feature = "build")]
pub use extract::extract;
pub use slot::embedded;

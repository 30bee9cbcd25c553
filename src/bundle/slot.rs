//! The slot: where the running engine finds its index.
//!
//! ```text
//!  0                16         20        24
//! ├─────────────────┼──────────┼─────────┤
//! │ magic           │ pointer  │ length  │    pointer and length: u32, little-endian, bytes
//! └─────────────────┴──────────┴─────────┘    both 0xFFFF_FFFF: empty
//! ```
//!
//! The only file with unsafe code: the bytes of the slot are replaced in the finished file, so
//! the compiler must neither assume their values nor know what they point at.

#![allow(unsafe_code)]

/// The complement of the slot's magic, bit by bit.
///
/// The magic itself stands in a file once, in the slot. What searches for it compares with this
/// complement, so that a builder, which holds both the slot and the search, has no second copy.
/// The complement of ten ASCII letters is ten UTF-8 continuation bytes in a row, where a character
/// has at most three: no text that is indexed can hold the magic. And none of its bytes is zero: no
/// tool that packs runs of zeros can cut it in two.
pub(super) const MAGIC_COMPLEMENT: [u8; 16] = *b"groundling index";

/// What both fields of an empty slot hold.
///
/// Not zero, because `wasm-opt` leaves zeros out of data segments, and then there would be nothing
/// to write over.
const EMPTY: usize = usize::MAX;

#[repr(C)]
struct Slot {
    magic: [u8; 16],
    pointer: *const u8,
    length: usize,
}

// SAFETY: nothing writes to the slot or to the index while the program runs.
unsafe impl Sync for Slot {}

#[cfg(groundling_index)]
static COMPILED_IN: &[u8] = include_bytes!(env!("GROUNDLING_INDEX_FILE"));

#[used]
static SLOT: Slot = Slot {
    magic: complement(MAGIC_COMPLEMENT),
    #[cfg(groundling_index)]
    pointer: COMPILED_IN.as_ptr(),
    #[cfg(groundling_index)]
    length: COMPILED_IN.len(),
    #[cfg(not(groundling_index))]
    pointer: std::ptr::without_provenance(EMPTY),
    #[cfg(not(groundling_index))]
    length: EMPTY,
};

/// The index that this program carries; `None` if it was neither embedded nor compiled in.
///
/// The bytes are as they were given: nothing is checked here, and no alignment is promised. A
/// native program only has an index that was compiled in. Takes constant time, copies nothing.
pub fn embedded() -> Option<&'static [u8]> {
    // SAFETY: both fields are initialised and aligned. The read is volatile because the compiler
    // sees a constant where the finished file may hold other values.
    let (pointer, length) = unsafe {
        (
            (&raw const SLOT.pointer).read_volatile(),
            (&raw const SLOT.length).read_volatile(),
        )
    };
    if pointer.addr() == EMPTY {
        return None;
    }
    // SAFETY: a filled slot points at `length` bytes that are there when the program starts: the
    // compiled-in index, or the region that `embed` added below everything that the allocator may
    // take (see the contract in `mod.rs`). Nothing writes to them. `embed` holds the length below
    // `isize::MAX`, and the pointer is not null, as the region begins at a page after the slot's.
    Some(unsafe { std::slice::from_raw_parts(pointer, length) })
}

const fn complement(mut bytes: [u8; 16]) -> [u8; 16] {
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = !bytes[i];
        i += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_native_program_has_the_index_it_was_compiled_with() {
        #[cfg(groundling_index)]
        assert_eq!(
            embedded(),
            Some(&include_bytes!(env!("GROUNDLING_INDEX_FILE"))[..])
        );
        #[cfg(not(groundling_index))]
        assert_eq!(embedded(), None);
    }

    #[test]
    fn the_magic_is_in_no_text_and_has_no_zero() {
        let is_continuation = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        assert!(SLOT.magic[..10].iter().all(is_continuation));
        assert!(SLOT.magic.iter().all(|byte| *byte != 0));
    }
}

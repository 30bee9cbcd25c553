//! Random hostile texts for property tests: the same ones on every run.

/// A source of reproducible choices (xorshift64, Marsaglia 2003).
pub(crate) struct Samples(u64);

impl Samples {
    /// `seed` must not be 0, which xorshift never leaves.
    pub(crate) fn new(seed: u64) -> Samples {
        assert_ne!(seed, 0);
        Samples(seed)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// Up to `max_pieces` of `pieces`, in random order, with repeats.
    pub(crate) fn text(&mut self, pieces: &[&str], max_pieces: usize) -> String {
        (0..self.below(max_pieces + 1))
            .map(|_| pieces[self.below(pieces.len())])
            .collect()
    }
}

//! The first few of many, in order.

/// Keeps the best of the items that it is offered. An item that is not among the best costs one
/// comparison, which is what nearly all are; a kept one is moved to its place.
pub(super) struct Best<T, F> {
    limit: usize,
    /// Whether the first item comes before the second.
    before: F,
    /// Best first.
    kept: Vec<T>,
}

impl<T, F: Fn(&T, &T) -> bool> Best<T, F> {
    pub(super) fn new(limit: usize, before: F) -> Self {
        Best {
            limit,
            before,
            kept: Vec::new(),
        }
    }

    pub(super) fn offer(&mut self, item: T) {
        if self.kept.len() == self.limit {
            match self.kept.last() {
                Some(last) if (self.before)(&item, last) => self.kept.pop(),
                _ => return,
            };
        }
        let place = self
            .kept
            .partition_point(|kept| !(self.before)(&item, kept));
        self.kept.insert(place, item);
    }

    /// The last of the best, once there are as many as are kept: what comes after it is not among them.
    pub(super) fn last(&self) -> Option<&T> {
        self.kept.last().filter(|_| self.kept.len() == self.limit)
    }

    pub(super) fn into_vec(self) -> Vec<T> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_in_order_and_equal_ones_in_the_order_offered() {
        let offered: Vec<(u32, usize)> = (0..500).map(|i| (i * 7919 % 101, i as usize)).collect();
        for limit in [0, 1, 2, 10, 499, 500, 1000] {
            let mut best = Best::new(limit, |a: &(u32, usize), b: &(u32, usize)| a.0 > b.0);
            for item in &offered {
                best.offer(*item);
            }
            let mut expected = offered.clone();
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            expected.truncate(limit);
            assert_eq!(best.into_vec(), expected);
        }
    }
}

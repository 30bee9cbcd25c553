//! From scores to hits: what may be found, in which order, and how much of it there is.

use super::best::Best;
use super::facets::Counts;
use super::filter::PageFilter;
use super::matcher::Matcher;
use super::plan::Plan;
use super::proximity::Proximity;
use super::searcher::SearchOptions;
use super::title::TitleMatch;
use super::written::Written;
use crate::index::{Error, Index};
use crate::text::Analyzer;
use std::cmp::Ordering;

pub use super::facets::{FacetCount, Facets};

/// Hits whose texts are read for the nearness of words: those of the first pages of results, and as many as
/// are considered for an answer.
const MAX_READ: usize = 20;
/// Further chunks of a page that its hit has.
const MAX_MORE: usize = 3;

/// A found chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Number of the chunk.
    pub chunk: u32,
    /// BM25F score and what the nearness of the words adds; comparable within one query only.
    pub score: f32,
    /// The part of the score for words that stand together as in the question.
    pub proximity: f32,
    /// The part of the score for words that are written as in the question.
    pub written: f32,
    /// Whether the question is the title of the chunk, which puts it before all others.
    pub title: Option<TitleMatch>,
    /// Further chunks of the page, where hits are grouped: at most three, best first.
    pub more: Vec<Hit>,
}

impl Hit {
    fn is_before(&self, other: &Hit) -> bool {
        self.order(other) == Ordering::Less
    }

    fn order(&self, other: &Hit) -> Ordering {
        let scores = other.score.total_cmp(&self.score);
        let titles = other.title.cmp(&self.title);
        titles.then(scores).then(self.chunk.cmp(&other.chunk))
    }
}

/// Takes a page and its chunks.
type VisitPage<'a> = dyn FnMut(u32, &[u32]) -> Result<(), Error> + 'a;

/// An evaluated query.
pub(super) struct Ranking<'a, B> {
    pub(super) index: &'a Index<B>,
    pub(super) analyzers: &'a [Analyzer],
    /// By chunk; 0 for those not found.
    pub(super) scores: &'a [f32],
    /// The chunks found.
    pub(super) touched: &'a [u32],
    /// Chunks whose title the question is, in rising order.
    pub(super) titles: &'a [(u32, TitleMatch)],
    pub(super) question: &'a str,
    pub(super) plan: &'a Plan,
    pub(super) matcher: &'a Matcher,
}

impl<B: AsRef<[u8]>> Ranking<'_, B> {
    /// Number of hits, those asked for, and counts of all.
    ///
    /// The order does not depend on `offset` and `limit`, so that pages of results fit together.
    pub(super) fn hits(
        &self,
        options: &SearchOptions,
    ) -> Result<(usize, Vec<Hit>, Option<Facets>), Error> {
        let end = options.offset.saturating_add(options.limit);
        let mut best = Best::new(end.max(MAX_READ), Hit::is_before);
        let mut counts = options.facets.then(|| Counts::new(self.index));
        let filter = PageFilter::new(self.index, &options.filter);
        let mut total = 0;
        if filter.allows_all() && counts.is_none() && !options.group_by_page {
            total = self.touched.len();
            let titled = self.titles.iter().map(|(chunk, _)| *chunk);
            let is_found = |chunk: &u32| self.scores[*chunk as usize] > 0.0;
            titled
                .filter(is_found)
                .for_each(|chunk| best.offer(self.hit(chunk)));
            for &chunk in self.touched {
                // Nearly all end here.
                let score = self.scores[chunk as usize];
                if best.last().is_some_and(|last| score < last.score) {
                    continue;
                }
                let hit = self.hit(chunk);
                if hit.title.is_none() {
                    best.offer(hit);
                }
            }
        } else {
            self.for_each_page(&filter, &mut |page, chunks| {
                let found = if options.group_by_page {
                    1
                } else {
                    chunks.len()
                };
                total += found;
                if let Some(counts) = &mut counts {
                    counts.add(page, found as u32)?;
                }
                if options.group_by_page {
                    let hits = chunks.iter().map(|&chunk| self.hit(chunk));
                    if let Some(first) = hits.min_by(Hit::order) {
                        best.offer(first);
                    }
                } else {
                    chunks.iter().for_each(|&chunk| best.offer(self.hit(chunk)));
                }
                Ok(())
            })?;
        }
        let mut hits = best.into_vec();
        self.read(&mut hits)?;
        hits.truncate(end);
        hits.drain(..options.offset.min(hits.len()));
        if options.group_by_page {
            for hit in &mut hits {
                hit.more = self.more(hit.chunk)?;
            }
        }
        Ok((total, hits, counts.map(Counts::finish)))
    }

    fn hit(&self, chunk: u32) -> Hit {
        let title = self
            .titles
            .binary_search_by_key(&chunk, |(chunk, _)| *chunk);
        Hit {
            chunk,
            score: self.scores[chunk as usize],
            proximity: 0.0,
            written: 0.0,
            title: title.ok().map(|i| self.titles[i].1),
            more: Vec::new(),
        }
    }

    /// Calls `visit` with each page that may be found and its chunks that were. Linear in the number of chunks.
    fn for_each_page(
        &self,
        filter: &PageFilter<'_, B>,
        visit: &mut VisitPage<'_>,
    ) -> Result<(), Error> {
        let mut found = Vec::new();
        for page in 0..self.index.meta().pages {
            let chunks = self.index.chunks_of(page)?;
            found.clear();
            found.extend(chunks.filter(|&chunk| self.scores[chunk as usize] > 0.0));
            if !found.is_empty() && filter.allows(page)? {
                visit(page, &found)?;
            }
        }
        Ok(())
    }

    /// Puts the first hits in their final order, for which their texts are read.
    fn read(&self, hits: &mut [Hit]) -> Result<(), Error> {
        let proximity = Proximity::new(self.plan);
        let written = Written::new(self.question, self.plan);
        let read = hits.len().min(MAX_READ);
        for hit in &mut hits[..read] {
            let (title, language) = self.index.chunk_title(hit.chunk)?;
            let analyzer = &self.analyzers[language];
            let texts = [title, self.index.chunk_text(hit.chunk)?];
            let fields = texts.map(|text| (text, self.matcher.find(text, analyzer)));
            hit.written = written.score(&fields);
            hit.proximity = proximity
                .as_ref()
                .map_or(0.0, |proximity| proximity.score(&fields));
            hit.score += hit.proximity + hit.written;
        }
        hits[..read].sort_by(Hit::order);
        Ok(())
    }

    /// The best chunks of a page beside one of them.
    fn more(&self, chunk: u32) -> Result<Vec<Hit>, Error> {
        let mut best = Best::new(MAX_MORE, Hit::is_before);
        for other in self.index.chunks_of(self.index.page_of(chunk)?)? {
            if other != chunk && self.scores[other as usize] > 0.0 {
                best.offer(self.hit(other));
            }
        }
        Ok(best.into_vec())
    }
}

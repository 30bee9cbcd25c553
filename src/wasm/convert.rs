//! Core values become their twins, and options become core values.

use super::types::{self, Collection};
use super::utf16::Utf16;
use crate::answer;
use crate::ask;
use crate::index::{Index, StoredPage};
use crate::prompt;
use crate::search::{self, SnippetOptions};

pub(super) fn filter(filter: types::Filter) -> search::Filter {
    search::Filter {
        collections: filter.collections,
        languages: filter.languages,
        tags: filter.tags,
        versions: filter.versions,
    }
}

fn collection<B: AsRef<[u8]>>(index: &Index<B>, page: &StoredPage<'_>) -> Option<Collection> {
    let collection = &index.meta().collections[page.collection?];
    Some(Collection {
        id: collection.id.clone(),
        name: collection.name.clone(),
    })
}

/// What hits are shown with.
pub(super) struct Showing<'a> {
    /// Finds the words to mark; none where no snippets are wanted.
    pub(super) matcher: Option<&'a search::Matcher>,
    pub(super) explain:
        &'a dyn Fn(&search::Hit) -> Result<Option<types::Explanation>, crate::index::Error>,
}

pub(super) fn hit<B: AsRef<[u8]>>(
    searcher: &search::Searcher<B>,
    hit: &search::Hit,
    showing: &Showing<'_>,
) -> Result<types::Hit, crate::index::Error> {
    let index = searcher.index();
    let chunk = index.chunk(hit.chunk)?;
    let analyzer = searcher.analyzer(chunk.page.language);
    let options = SnippetOptions::default();
    let snippet = match showing.matcher {
        Some(matcher) => search::Snippet::new(chunk.text, matcher, analyzer, &options),
        None => search::Snippet::default(),
    };
    let place = index.place_at(&chunk, snippet.at)?;
    let mut units = Utf16::new(snippet.text.as_str());
    let marks = snippet.marks.iter().map(|mark| {
        let (start, end) = units.range(mark);
        types::Range { start, end }
    });
    let more = hit.more.iter();
    let more = more.map(|hit| self::hit(searcher, hit, showing));
    Ok(types::Hit {
        more: more.collect::<Result<_, _>>()?,
        id: hit.chunk,
        url: chunk.page.url_of(place.anchor),
        path: chunk.page.path.to_owned(),
        title: place.title.to_owned(),
        page_title: chunk.page.title.to_owned(),
        headings: chunk.headings.lines().map(str::to_owned).collect(),
        collection: collection(index, &chunk.page),
        lang: index.meta().languages[chunk.page.language].clone(),
        score: hit.score,
        explanation: (showing.explain)(hit)?,
        snippet: types::Snippet {
            marks: marks.collect(),
            text: snippet.text,
        },
    })
}

pub(super) fn explanation(explanation: search::Explanation) -> types::Explanation {
    let word = |word: search::WordExplanation| types::WordExplanation {
        word: word.word,
        term: word.term,
        kind: word.kind.as_str(),
        doc_freq: word.doc_freq,
        idf: word.idf,
        weight: word.weight,
        frequencies: word.frequencies,
        lengths: word.lengths,
        field_weights: word.field_weights,
        saturation: word.saturation,
        score: word.score,
    };
    types::Explanation {
        words: explanation.words.into_iter().map(word).collect(),
        proximity: explanation.proximity,
        title: explanation.title.map(|title| match title {
            search::TitleMatch::Begun => "begun",
            search::TitleMatch::Heading => "heading",
            search::TitleMatch::Page => "page",
        }),
    }
}

/// What a search found, but for its hits.
pub(super) fn results(
    query: &str,
    hits: Vec<types::Hit>,
    results: search::Results,
) -> types::SearchResults {
    let plan = results.plan;
    let mut rewritten = String::new();
    let mut from = 0;
    for correction in &plan.corrections {
        rewritten.push_str(query.get(from..correction.at.start).unwrap_or_default());
        rewritten.push_str(&correction.to);
        from = correction.at.end;
    }
    rewritten.push_str(query.get(from..).unwrap_or_default());
    let correction = |correction: search::Correction| types::Correction {
        from: correction.from,
        to: correction.to,
    };
    types::SearchResults {
        hits,
        total: results.total as u32,
        missing: plan.missing,
        did_you_mean: (!plan.corrections.is_empty()).then_some(rewritten),
        corrections: plan.corrections.into_iter().map(correction).collect(),
        dropped: plan.dropped,
        facets: results.facets.map(facets),
    }
}

fn facets(facets: search::Facets) -> types::Facets {
    let counts = |counts: Vec<search::FacetCount>| {
        let count = |count: search::FacetCount| types::FacetCount {
            value: count.value,
            count: count.count,
        };
        counts.into_iter().map(count).collect()
    };
    types::Facets {
        collections: counts(facets.collections),
        languages: counts(facets.languages),
        tags: counts(facets.tags),
        versions: counts(facets.versions),
    }
}

pub(super) fn page<B: AsRef<[u8]>>(
    index: &Index<B>,
    page: &StoredPage<'_>,
) -> Result<types::Page, crate::index::Error> {
    let chunk = |id: u32| {
        let chunk = index.chunk(id)?;
        let mut units = Utf16::new(chunk.text);
        let places = index.places(&chunk)?;
        let parts = places[1..].iter().map(|place| types::PagePart {
            start: units.range(&(place.at..place.at)).0,
            anchor: place.anchor.to_owned(),
            title: place.title.to_owned(),
        });
        Ok(types::PageChunk {
            parts: parts.collect(),
            id,
            title: chunk.title.to_owned(),
            headings: chunk.headings.lines().map(str::to_owned).collect(),
            anchor: chunk.anchor.to_owned(),
            text: chunk.text.to_owned(),
        })
    };
    Ok(types::Page {
        path: page.path.to_owned(),
        url: page.url.to_owned(),
        title: page.title.to_owned(),
        lang: index.meta().languages[page.language].clone(),
        collection: collection(index, page),
        tags: index.tags(page.id)?.map(str::to_owned).collect(),
        chunks: page.chunks.clone().map(chunk).collect::<Result<_, _>>()?,
    })
}

pub(super) fn source(source: &prompt::Source) -> types::Source {
    let passage = &source.passage;
    types::Source {
        n: source.n,
        id: passage.chunk_id,
        url: passage.url.clone(),
        path: passage.path.clone(),
        title: passage.title.clone(),
        page_title: passage.page_title.clone(),
        collection: passage.collection.as_ref().map(|id| Collection {
            id: id.clone(),
            name: passage.collection_name.as_ref().unwrap_or(id).clone(),
        }),
        text: passage.text.clone(),
        quote: None,
        link: passage.url.clone(),
        score: passage.score,
    }
}

/// A source of the caller's. Its place in the list is its number; it is no chunk of the index.
pub(super) fn given_source(n: usize, given: types::GivenSource) -> prompt::Source {
    let (collection, collection_name) = match given.collection {
        Some(collection) => (Some(collection.id), Some(collection.name)),
        None => (None, None),
    };
    prompt::Source {
        n: n as u32,
        passage: prompt::Passage {
            chunk_id: 0,
            path: given.path.unwrap_or_else(|| given.url.clone()),
            url: given.url,
            page_title: given.title.clone(),
            title: given.title,
            collection,
            collection_name,
            text: given.text,
            score: 0.0,
        },
    }
}

pub(super) fn turn(turn: types::Turn) -> prompt::Turn {
    prompt::Turn {
        question: turn.question,
        answer: turn.answer,
        titles: turn.titles,
    }
}

pub(super) fn citation_mode(mode: prompt::CitationMode) -> types::CitationMode {
    match mode {
        prompt::CitationMode::Verified => types::CitationMode::Verified,
        prompt::CitationMode::None => types::CitationMode::None,
    }
}

pub(super) fn prompt(
    prompt: &prompt::Prompt,
    request: Option<crate::provider::Request>,
) -> types::Prompt {
    types::Prompt {
        name: prompt.template.clone(),
        version: prompt.version.clone(),
        instructions: prompt.instructions.clone(),
        input: prompt.input.clone(),
        refusal: prompt.refusal.clone(),
        citation_mode: citation_mode(prompt.citation_mode),
        sources: prompt.sources.iter().map(source).collect(),
        request: request.map(|request| types::Request {
            url: request.url,
            body: request.body,
        }),
    }
}

pub(super) fn citations(text: &str, citations: &[answer::Citation]) -> Vec<types::Citation> {
    let mut units = Utf16::new(text);
    let convert = |citation: &answer::Citation| {
        let (start, end) = units.range(&(citation.start_bytes..citation.end_bytes));
        let n = citation.n;
        types::Citation {
            n,
            start,
            end,
            support: None,
        }
    };
    citations.iter().map(convert).collect()
}

fn sentences(answer: &ask::Answer) -> Vec<types::Sentence> {
    let mut units = Utf16::new(answer.text.as_str());
    let convert = |sentence: &answer::Sentence| {
        let (start, end) = units.range(&sentence.at);
        types::Sentence {
            start,
            end,
            support: sentence.support.as_str(),
            score: sentence.score,
            cited: sentence.cited.clone(),
            quote: sentence
                .quote
                .as_ref()
                .and_then(|place| quote(place, &answer.sources)),
            problems: sentence.problems.iter().map(problem).collect(),
            missing: sentence.missing.clone(),
            correction: sentence.correction,
        }
    };
    answer.sentences.iter().map(convert).collect()
}

fn quote(place: &answer::Quote, sources: &[prompt::Source]) -> Option<types::Quote> {
    let text = &sources
        .iter()
        .find(|source| source.n == place.n)?
        .passage
        .text;
    let (start, end) = Utf16::new(text.as_str()).range(&place.at);
    Some(types::Quote {
        n: place.n,
        start,
        end,
        text: text[place.at.clone()].to_owned(),
    })
}

fn problem(problem: &answer::Problem) -> types::Problem {
    types::Problem {
        kind: problem.detail.as_str(),
        text: problem.text.clone(),
    }
}

/// The cited sources, each with the quote that bears a sentence out best.
fn cited_sources(answer: &ask::Answer) -> Vec<types::Source> {
    let mut sources: Vec<types::Source> = answer.sources.iter().map(source).collect();
    for quote in &answer.quotes {
        if let Some(source) = sources.iter_mut().find(|source| source.n == quote.n) {
            source.quote = Some(source.text[quote.at.clone()].to_owned());
            source.link = quote.link.clone();
        }
    }
    sources
}

pub(super) fn answer(answer: ask::Answer, timings: types::Timings) -> types::Answer {
    let sentences = sentences(&answer);
    let mut citations = citations(&answer.text, &answer.citations);
    for citation in &mut citations {
        let around = |sentence: &&types::Sentence| {
            sentence.start <= citation.start && citation.end <= sentence.end
        };
        citation.support = sentences
            .iter()
            .find(around)
            .map(|sentence| sentence.support);
    }
    types::Answer {
        status: answer.status.as_str(),
        citations,
        sources: cited_sources(&answer),
        sentences,
        answer: answer.text,
        grounded: answer.grounded,
        reason: answer.reason.map(ask::Reason::as_str),
        nearest: answer.nearest.iter().map(source).collect(),
        cited: answer.cited,
        invalid: answer.invalid,
        usage: answer.facts.usage.map(|usage| types::Usage {
            input: usage.input as f64,
            output: usage.output as f64,
        }),
        model: answer.facts.model,
        finish_reason: answer.facts.finish_reason,
        request_id: answer.facts.request_id,
        prompt_version: answer.prompt_version,
        dropped_sources: answer.dropped_sources,
        dropped_turns: answer.dropped_turns,
        rewritten: answer.rewritten,
        warnings: answer.warnings,
        timings,
    }
}

pub(super) fn verification(reply: &str, verdict: answer::Verdict) -> types::Verification {
    match verdict {
        answer::Verdict::Grounded {
            cited,
            citations: places,
        } => types::Verification {
            grounded: true,
            reason: None,
            cited,
            invalid: Vec::new(),
            citations: citations(reply, &places),
        },
        answer::Verdict::NotGrounded {
            reason,
            cited,
            invalid,
        } => types::Verification {
            grounded: false,
            reason: Some(reason.as_str()),
            cited,
            invalid,
            citations: Vec::new(),
        },
    }
}

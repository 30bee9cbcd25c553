//! Which way to store a posting's weight: how many bytes, and how near to exact BM25F.
//!
//! `bench/weights/run.mjs` starts this and compresses what it writes.
//!
//! Arguments: the folder to write columns to, and the folder of the toolchain's documentation
//! (default: that of the `rustc` on the path). Prints one JSON object a corpus and scheme.

mod postings;
mod queries;
mod schemes;
#[path = "../../tests/support/toolchain_docs.rs"]
mod toolchain_docs;

use groundling::document::{Chunk, Options};
use groundling::search::Bm25Params;
use groundling::text::{Analyzer, Language};
use postings::{Corpus, Fields};
use schemes::{Scheme, Stored};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const SCHEMES: [(&str, Scheme); 4] = [
    ("exact", Scheme::Exact),
    ("impact-4", Scheme::Impact { bits: 4 }),
    ("impact-8", Scheme::Impact { bits: 8 }),
    ("term-freqs", Scheme::TermFreqs),
];
/// What a stop word counts beside other words, as in `search`.
const STOP_WEIGHT: f32 = 0.1;

#[derive(Deserialize)]
struct CorpusRule {
    folders: Vec<String>,
    exclude: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    let out = args.next().ok_or("give the folder to write columns to")?;
    let docs = match args.next() {
        Some(folder) => folder,
        None => toolchain_docs::folder()?,
    };
    fs::create_dir_all(&out)?;
    let rules: BTreeMap<String, CorpusRule> =
        serde_json::from_str(include_str!("../corpora.json"))?;
    for (name, rule) in rules {
        measure(&name, &rule, &docs, &out)?;
    }
    Ok(())
}

fn measure(name: &str, rule: &CorpusRule, docs: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let options = Options {
        exclude: rule.exclude.clone(),
        ..Options::default()
    };
    let mut pages = toolchain_docs::pages(docs, &rule.folders, &options)?;
    pages.sort_by(|a, b| a.document.url.cmp(&b.document.url));
    let chunks: Vec<&Chunk> = pages.iter().flat_map(|page| &page.chunks).collect();
    let analyzer = Analyzer::new(Language::English);
    let corpus = Corpus::new(chunks.iter().copied(), &analyzer);
    let queries = queries::sample(&chunks);
    let terms: Vec<Vec<(usize, f32)>> = {
        let numbers = corpus.lists.keys().zip(0..).collect();
        let weighted = |query: &String| query_terms(query, &analyzer, &corpus, &numbers);
        queries.iter().map(weighted).collect()
    };
    let lists: Vec<_> = corpus.lists.values().collect();
    let params = Bm25Params::default();
    let mut judge = Vec::new();
    for (scheme_name, scheme) in SCHEMES {
        let stored = scheme.store(&corpus, &params);
        let rankings: Vec<Vec<u32>> = terms
            .iter()
            .map(|query| top_ten(query, &lists, &stored))
            .collect();
        if scheme == Scheme::Exact {
            judge = rankings;
            continue;
        }
        fs::write(
            out.join(format!("{name}.{scheme_name}.column")),
            &stored.column,
        )?;
        fs::write(
            out.join(format!("{name}.{scheme_name}.beside")),
            &stored.beside,
        )?;
        let agreement = Agreement::between(&judge, &rankings);
        let line = serde_json::json!({
            "corpus": name,
            "scheme": scheme_name,
            "pages": pages.len(),
            "chunks": chunks.len(),
            "terms": corpus.lists.len(),
            "postings": corpus.postings(),
            "queries": queries.len(),
            "overlap": agreement.overlap,
            "sameTen": agreement.same_ten,
            "sameFirst": agreement.same_first,
        });
        println!("{line}");
    }
    Ok(())
}

/// The distinct terms of a query that the corpus has: number of the list, and weight.
fn query_terms(
    query: &str,
    analyzer: &Analyzer,
    corpus: &Corpus,
    numbers: &HashMap<&String, usize>,
) -> Vec<(usize, f32)> {
    let mut terms: BTreeMap<usize, f32> = BTreeMap::new();
    analyzer.analyze(query, &mut |token| {
        let term = token.term.to_owned();
        if let Some(list) = corpus.lists.get(&term) {
            let (all, n) = (corpus.lengths.len() as f32, list.len() as f32);
            let idf = (1.0 + (all - n + 0.5) / (n + 0.5)).ln();
            let is_stop = analyzer.is_stop_word(token.term);
            let weight = if is_stop { idf * STOP_WEIGHT } else { idf };
            *terms.entry(numbers[&term]).or_default() += weight;
        }
    });
    terms.into_iter().collect()
}

/// The ten best chunks; of equal scores the earlier chunk.
fn top_ten(query: &[(usize, f32)], lists: &[&Vec<(u32, Fields)>], stored: &Stored) -> Vec<u32> {
    let mut scores: HashMap<u32, f32> = HashMap::new();
    for &(term, weight) in query {
        for (&(chunk, _), part) in lists[term].iter().zip(&stored.weights[term]) {
            *scores.entry(chunk).or_default() += weight * part;
        }
    }
    let mut hits: Vec<(u32, f32)> = scores.into_iter().collect();
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    hits.iter().take(10).map(|&(chunk, _)| chunk).collect()
}

/// How near rankings are to the judge's, each 0 to 1, means over the queries.
struct Agreement {
    /// Part of the judge's ten that is among the ten.
    overlap: f64,
    /// Queries whose ten are the same in the same order.
    same_ten: f64,
    /// Queries with the same first hit.
    same_first: f64,
}

impl Agreement {
    fn between(judge: &[Vec<u32>], rankings: &[Vec<u32>]) -> Agreement {
        let pairs: Vec<_> = judge.iter().zip(rankings).collect();
        let mean = |of: &dyn Fn(&Vec<u32>, &Vec<u32>) -> f64| {
            pairs.iter().map(|(a, b)| of(a, b)).sum::<f64>() / pairs.len() as f64
        };
        Agreement {
            overlap: mean(&|a, b| {
                let shared = a.iter().filter(|chunk| b.contains(chunk)).count();
                shared as f64 / a.len().max(1) as f64
            }),
            same_ten: mean(&|a, b| f64::from(u8::from(a == b))),
            same_first: mean(&|a, b| f64::from(u8::from(a.first() == b.first()))),
        }
    }
}

//! The index against plain second implementations, and against damaged bytes.
#![cfg(feature = "build")]

use groundling::document::{Chunk, Document};
use groundling::index::{Index, IndexBuilder, format};
use groundling::search::{Bm25Params, Filter, SearchOptions, Searcher};
use groundling::text::{Analyzer, Language, TokenKind};
use std::collections::{BTreeMap, HashMap};

/// A small generator of pseudo-random numbers (xorshift64*), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    /// A word of a vocabulary in which low numbers are frequent, as in real text.
    fn word(&mut self) -> String {
        let number = self.below(400) * self.below(400) / 400;
        format!("w{number}x")
    }

    fn text(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..self.below(words) + 1).map(|_| self.word()).collect();
        words.join(" ")
    }
}

fn corpus(seed: u64, pages: usize) -> Vec<(Document, Vec<Chunk>)> {
    let mut random = Random(seed);
    (0..pages)
        .map(|page| {
            let title = random.text(4);
            let document = Document {
                path: format!("dir{}/page{page}.md", page % 3),
                url: format!("/dir{}/page{page}.html", page % 3),
                title: title.clone(),
                collection: (page % 2 == 0).then(|| format!("c{}", page % 4)),
                tags: vec![format!("t{}", page % 5)],
                ..Document::default()
            };
            let chunks = (0..random.below(6) + 1)
                .map(|i| Chunk {
                    title: if i == 0 {
                        title.clone()
                    } else {
                        random.text(5)
                    },
                    heading_path: if i == 0 { vec![] } else { vec![title.clone()] },
                    anchor: (i > 0).then(|| format!("s{i}")),
                    text: random.text(120),
                    ..Chunk::default()
                })
                .collect();
            (document, chunks)
        })
        .collect()
}

fn build(corpus: &[(Document, Vec<Chunk>)]) -> Vec<u8> {
    let mut builder = IndexBuilder::new();
    for (document, chunks) in corpus {
        builder.add(document.clone(), chunks.clone());
    }
    builder.finish().expect("a corpus with text")
}

/// Frequencies of a term in title, heading path and body.
type Counts = [u32; 3];

/// The corpus as maps, in the order of chunk ids.
struct Model {
    chunks: Vec<(Document, Chunk)>,
    postings: BTreeMap<String, BTreeMap<u32, Counts>>,
    lengths: Vec<Counts>,
}

impl Model {
    fn new(corpus: &[(Document, Vec<Chunk>)]) -> Model {
        let mut pages: Vec<_> = corpus.to_vec();
        pages.sort_by(|a, b| a.0.url.cmp(&b.0.url));
        let mut model = Model {
            chunks: Vec::new(),
            postings: BTreeMap::new(),
            lengths: Vec::new(),
        };
        let analyzer = Analyzer::new(Language::from_tag("en"));
        for (document, chunks) in pages {
            for chunk in chunks {
                let id = model.chunks.len() as u32;
                let mut lengths = [0; 3];
                let headings = chunk.heading_path.join("\n");
                for (field, text) in [&chunk.title, &headings, &chunk.text]
                    .into_iter()
                    .enumerate()
                {
                    analyzer.analyze(text, &mut |token| {
                        let list = model.postings.entry(token.term.to_owned()).or_default();
                        list.entry(id).or_default()[field] += 1;
                        lengths[field] += u32::from(token.kind == TokenKind::Word);
                    });
                }
                model.lengths.push(lengths);
                model.chunks.push((document.clone(), chunk));
            }
        }
        model
    }

    /// BM25F in floating point with exact lengths and frequencies.
    fn scores(&self, question: &str) -> HashMap<u32, f64> {
        let params = Bm25Params::default();
        let fields = [params.title, params.heading, params.body];
        let count = self.chunks.len() as f64;
        let mean = |field: usize| {
            let total: u32 = self.lengths.iter().map(|lengths| lengths[field]).sum();
            (f64::from(total) / count).max(1.0)
        };
        let means = [mean(0), mean(1), mean(2)];
        let mut scores = HashMap::new();
        let analyzer = Analyzer::new(Language::from_tag("en"));
        analyzer.analyze(question, &mut |token| {
            let Some(list) = self.postings.get(token.term) else {
                return;
            };
            let n = list.len() as f64;
            let mut idf = (1.0 + (count - n + 0.5) / (n + 0.5)).ln();
            if token.kind == TokenKind::Part {
                idf *= 0.5;
            }
            for (&id, counts) in list {
                let mut frequency = 0.0;
                for field in 0..3 {
                    let (weight, b) = (f64::from(fields[field].weight), f64::from(fields[field].b));
                    let length = f64::from(self.lengths[id as usize][field]);
                    let norm = 1.0 - b + b * length / means[field];
                    frequency += weight * f64::from(counts[field]) / norm;
                }
                *scores.entry(id).or_insert(0.0) +=
                    idf * frequency / (f64::from(params.k1) + frequency);
            }
        });
        scores
    }
}

#[test]
fn an_index_keeps_all_postings_and_all_texts() {
    for seed in 1..6 {
        let corpus = corpus(seed, 40);
        let model = Model::new(&corpus);
        let bytes = build(&corpus);
        let index = Index::open(&bytes).expect("an index just built");
        index.verify().expect("checksums of an index just built");

        let mut terms = Vec::new();
        index
            .scan_terms("", &mut |term, info| {
                terms.push((term.to_owned(), info));
                true
            })
            .expect("dictionary");
        let names: Vec<&String> = terms.iter().map(|(term, _)| term).collect();
        assert_eq!(names, model.postings.keys().collect::<Vec<_>>());
        for (term, info) in &terms {
            assert_eq!(index.find(term).expect("dictionary").as_ref(), Some(info));
            let mut list = BTreeMap::new();
            index
                .postings(info)
                .expect("postings")
                .for_each(|id, f| {
                    list.insert(id, [f.title(), f.heading(), f.body()].map(u32::from));
                })
                .expect("postings");
            let capped: BTreeMap<u32, Counts> = model.postings[term]
                .iter()
                .map(|(&id, &[title, heading, body])| {
                    (id, [title.min(3), heading.min(3), body.min(15)])
                })
                .collect();
            assert_eq!(list, capped, "postings of {term}");
        }
        assert_eq!(index.find("absent").expect("dictionary"), None);
        assert_eq!(index.find("").expect("dictionary"), None);

        for (id, (document, chunk)) in model.chunks.iter().enumerate() {
            let stored = index.chunk(id as u32).expect("chunk");
            assert_eq!(stored.title, chunk.title);
            assert_eq!(stored.text, chunk.text);
            assert_eq!(stored.anchor, chunk.anchor.as_deref().unwrap_or_default());
            assert_eq!(stored.page.path, document.path);
            assert_eq!(stored.page.title, document.title);
            let collection = stored
                .page
                .collection
                .map(|i| index.meta().collections[i].id.clone());
            assert_eq!(collection, document.collection);
            let tags: Vec<&str> = index.tags(stored.page.id).expect("tags").collect();
            assert_eq!(tags, document.tags);
            assert!(stored.page.chunks.contains(&(id as u32)));
        }
        assert!(index.chunk(model.chunks.len() as u32).is_err());
    }
}

#[test]
fn the_same_documents_give_the_same_bytes_in_any_order() {
    let corpus = corpus(7, 30);
    let mut reversed = corpus.clone();
    reversed.reverse();
    assert_eq!(build(&corpus), build(&reversed));
}

#[test]
fn scores_agree_with_plain_bm25f() {
    for seed in 11..15 {
        let corpus = corpus(seed, 60);
        let model = Model::new(&corpus);
        let bytes = build(&corpus);
        let searcher = Searcher::new(Index::open(&bytes).expect("an index just built"));
        let mut random = Random(seed);
        for _ in 0..30 {
            let question = random.text(6);
            let options = SearchOptions {
                limit: 1000,
                ..SearchOptions::default()
            };
            let results = searcher.search(&question, &options).expect("search");
            let exact = model.scores(&question);
            assert_eq!(results.total, exact.len(), "chunks found for {question:?}");
            for hit in &results.hits {
                // What the nearness of words and the way they are written add is judged by their own tests.
                let ours = f64::from(hit.score - hit.proximity - hit.written);
                let exact = exact[&hit.chunk];
                // Length classes are off by up to a thirty-second, frequencies are capped.
                assert!(
                    (ours - exact).abs() <= 0.04 * exact,
                    "{ours} for {exact}, {question:?}"
                );
            }
            let sorted = results.hits.is_sorted_by(|a, b| {
                a.title > b.title || (a.title == b.title && a.score >= b.score)
            });
            assert!(
                sorted,
                "titles first, then the best scores, for {question:?}"
            );
            let second = SearchOptions {
                limit: 3,
                offset: 2,
                ..SearchOptions::default()
            };
            let page = searcher.search(&question, &second).expect("search");
            let wanted: Vec<_> = results.hits.iter().skip(2).take(3).collect();
            assert_eq!(page.hits.iter().collect::<Vec<_>>(), wanted);
        }
    }
}

#[test]
fn a_filter_keeps_only_what_it_allows() {
    let corpus = corpus(21, 60);
    let bytes = build(&corpus);
    let searcher = Searcher::new(Index::open(&bytes).expect("an index just built"));
    let check = |filter: Filter, allowed: &dyn Fn(&Document) -> bool| {
        let options = SearchOptions {
            limit: 1000,
            filter,
            ..SearchOptions::default()
        };
        let found = searcher.search("w0x w1x", &options).expect("search");
        assert!(found.total > 0);
        for hit in &found.hits {
            let chunk = searcher.index().chunk(hit.chunk).expect("chunk");
            let document = corpus
                .iter()
                .find(|(d, _)| d.path == chunk.page.path)
                .expect("page");
            assert!(allowed(&document.0), "{} is not allowed", chunk.page.path);
        }
        found.total
    };
    let collections = Filter {
        collections: vec!["c0".into()],
        ..Filter::default()
    };
    let some = check(collections, &|document| {
        document.collection.as_deref() == Some("c0")
    });
    let tags = Filter {
        tags: vec!["t1".into(), "t2".into()],
        ..Filter::default()
    };
    check(tags, &|document| {
        document.tags == ["t1"] || document.tags == ["t2"]
    });
    assert!(some < check(Filter::default(), &|_| true));
}

/// Reads everything that queries could touch. Returns what was read, or the first error.
fn read_all(bytes: &[u8]) -> Result<Vec<String>, groundling::index::Error> {
    let searcher = Searcher::new(Index::open(bytes)?);
    let mut seen = Vec::new();
    for question in ["w1x w2x w300x", "w0x", "w17", "absent"] {
        let options = SearchOptions {
            limit: 5,
            prefix: true,
            ..SearchOptions::default()
        };
        for hit in searcher.search(question, &options)?.hits {
            seen.push(format!("{hit:?} {:?}", searcher.index().chunk(hit.chunk)?));
        }
    }
    let mut terms = Vec::new();
    searcher.index().scan_terms("", &mut |term, info| {
        terms.push((term.to_owned(), info));
        true
    })?;
    for (term, info) in terms {
        let mut postings = 0;
        searcher
            .index()
            .postings(&info)?
            .for_each(|_, _| postings += 1)?;
        seen.push(format!("{term} {postings}"));
    }
    Ok(seen)
}

#[test]
fn a_flipped_or_missing_byte_gives_an_error_or_the_same_answers() {
    let bytes = build(&corpus(31, 3));
    let right = read_all(&bytes).expect("an index just built");
    let mut refused = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        match read_all(&damaged) {
            Ok(seen) => assert_eq!(seen, right, "byte {at} flipped"),
            Err(_) => refused += 1,
        }
    }
    assert_eq!(refused, bytes.len(), "every byte is under a checksum");
    for len in 0..bytes.len() {
        assert!(read_all(&bytes[..len]).is_err(), "cut to {len} bytes");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(read_all(&longer).is_err());
}

/// Writes right checksums over changed bytes, as a faulty or hostile writer could.
fn reseal(bytes: &mut [u8]) {
    use xxhash_rust::xxh64::xxh64;
    let start = u64::from_le_bytes(bytes[24..32].try_into().expect("8 bytes")) as usize;
    if start > bytes.len() || start < 40 {
        return;
    }
    let blocks: Vec<u64> = bytes[start..]
        .chunks(format::BLOCK_LEN)
        .map(|b| xxh64(b, 0))
        .collect();
    let at = start - 8 - blocks.len() * 8;
    for (i, checksum) in blocks.iter().enumerate() {
        bytes[at + i * 8..at + i * 8 + 8].copy_from_slice(&checksum.to_le_bytes());
    }
    let head = xxh64(&bytes[..start - 8], 0);
    bytes[start - 8..start].copy_from_slice(&head.to_le_bytes());
}

#[test]
fn wrong_bytes_under_right_checksums_never_panic() {
    let bytes = build(&corpus(41, 4));
    let mut random = Random(99);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut damaged = bytes.clone();
        for _ in 0..random.below(3) + 1 {
            let at = random.below(damaged.len());
            damaged[at] = random.below(256) as u8;
        }
        reseal(&mut damaged);
        refused += usize::from(read_all(&damaged).is_err());
    }
    assert!(refused > 300, "only {refused} of 3000 were noticed");
}

#[test]
fn foreign_newer_and_strange_files_are_told_apart() {
    use groundling::index::Error;
    let bytes = build(&corpus(51, 3));
    let open = |bytes: &[u8]| Index::open(bytes).err();
    assert_eq!(open(b""), Some(Error::NotAnIndex));
    assert_eq!(open(b"\0asm\x01\0\0\0"), Some(Error::NotAnIndex));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(
        open(&newer),
        Some(Error::Version {
            expected: 1,
            got: 2
        })
    );

    // The kind of the second section becomes one that this version does not know.
    let mut unknown = bytes.clone();
    let entry = format::HEADER_LEN + format::SECTION_ENTRY_LEN;
    unknown[entry] = 200;
    reseal(&mut unknown);
    assert_eq!(open(&unknown), Some(Error::UnknownSection { kind: 200 }));

    // Not required: skipped.
    let tags = (0..16)
        .map(|i| format::HEADER_LEN + i * format::SECTION_ENTRY_LEN)
        .find(|&at| bytes[at] == format::Kind::PageTags as u8)
        .expect("a section of tags");
    let mut optional = bytes.clone();
    optional[tags] = 200;
    optional[tags + 4] = 0;
    reseal(&mut optional);
    assert_eq!(open(&optional), None);
}

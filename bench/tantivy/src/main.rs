//! Times tantivy on the sections and queries of the bench: `tantivy-bench SECTIONS QUERIES ROUNDS`.
//!
//! SECTIONS has a JSON object with `title`, `headings` and `text` on each line, QUERIES an object with a list of texts for each
//! kind. Prints an object with the best time of each query in microseconds, for each kind.

use serde_json::{Map, Value};
use std::error::Error;
use std::time::Instant;
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{FAST, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, TantivyDocument};

const LIMIT: usize = 10;
const WRITER_BYTES: usize = 256_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [sections, queries, rounds] = arguments.as_slice() else {
        return Err("usage: tantivy-bench SECTIONS QUERIES ROUNDS".into());
    };
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("en_stem")
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let names = ["title", "headings", "text"];
    let fields = names.map(|name| schema.add_text_field(name, options.clone()));
    let id = schema.add_u64_field("id", FAST);
    let index = Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, WRITER_BYTES)?;
    for (number, line) in std::fs::read_to_string(sections)?.lines().enumerate() {
        let section: Value = serde_json::from_str(line)?;
        let mut document = TantivyDocument::new();
        for (name, field) in names.iter().zip(fields) {
            document.add_text(field, section[name].as_str().unwrap_or_default());
        }
        document.add_u64(id, number as u64);
        writer.add_document(document)?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()?;

    let searcher = index.reader()?.searcher();
    let mut parser = QueryParser::for_index(&index, fields.to_vec());
    parser.set_field_boost(fields[0], 2.0);
    let rounds: usize = rounds.parse()?;
    let kinds: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(queries)?)?;
    let mut times = Map::new();
    for (kind, list) in &kinds {
        let list: Vec<&str> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut best = vec![f64::INFINITY; list.len()];
        for _ in 0..rounds {
            for (text, best) in list.iter().zip(&mut best) {
                let start = Instant::now();
                let (query, _) = parser.parse_query_lenient(text);
                std::hint::black_box(searcher.search(&query, &TopDocs::with_limit(LIMIT).order_by_score())?);
                *best = best.min(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        times.insert(kind.clone(), best.into());
    }
    println!("{}", Value::Object(times));
    Ok(())
}

//! The builder as JavaScript sees it: files in, bundle out, in Node without a Rust toolchain.

use super::error::{new, twin};
use super::fields::{Fields, FromOption};
use super::options::read;
use super::types::{BuildSummary, BuilderOptions, FileReport, FileWarning};
use crate::bundle;
use crate::document::{self, Options, format_of, parse_config};
use crate::index::IndexBuilder;
use tsify::Ts;
use wasm_bindgen::prelude::*;

impl FromOption for BuilderOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<BuilderOptions, JsValue> {
        let fields = Fields::of(value, path)?;
        Ok(BuilderOptions {
            base_url: fields.optional("baseUrl")?,
            lang: fields.optional("lang")?,
            selector: fields.optional("selector")?,
        })
    }
}

/// Collects the files of a site and writes its index.
#[wasm_bindgen]
pub struct SiteBuilder {
    options: Options,
    builder: IndexBuilder,
    words: u32,
}

#[wasm_bindgen]
impl SiteBuilder {
    /// A builder for a site with the text of its `groundling.json`, if it has one.
    ///
    /// # Errors
    ///
    /// `config`: the text is wrong, and where.
    #[wasm_bindgen(constructor)]
    pub fn new(
        config: Option<String>,
        options: Option<Ts<BuilderOptions>>,
    ) -> Result<SiteBuilder, JsValue> {
        let overrides: BuilderOptions = read(&options.map_or(JsValue::UNDEFINED, JsValue::from))?;
        let mut options = match config {
            Some(text) => parse_config(&text).map_err(|error| new("config", &error.to_string()))?,
            None => Options::default(),
        };
        if let Some(base_url) = overrides.base_url {
            options.base_url = base_url;
        }
        options.lang = overrides.lang.or(options.lang);
        options.selector = overrides.selector.or(options.selector);
        let builder = IndexBuilder::for_site(&options);
        Ok(SiteBuilder {
            options,
            builder,
            words: 0,
        })
    }

    /// Why a file is left out by its name alone, or `undefined` where it is to be read.
    pub fn skips(&self, path: &str) -> Option<String> {
        format_of(path, &self.options)
            .err()
            .map(|reason| reason.to_string())
    }

    /// Adds a file. What is wrong with its content is in the report.
    ///
    /// # Errors
    ///
    /// `config`: the options are wrong.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Result<Ts<FileReport>, JsValue> {
        let read = document::read(path, bytes, &self.options)
            .map_err(|error| new("config", &error.to_string()))?;
        let (pages, chunks) = (self.builder.pages(), self.builder.chunks());
        for document in read.documents {
            let chunks = document::chunks(&document);
            let words = chunks
                .iter()
                .map(|chunk| chunk.text.split_whitespace().count());
            self.words += words.sum::<usize>() as u32;
            self.builder.add(document, chunks);
        }
        let warning = |warning: document::Warning| FileWarning {
            line: warning.line,
            message: warning.message,
        };
        twin(FileReport {
            pages: (self.builder.pages() - pages) as u32,
            chunks: (self.builder.chunks() - chunks) as u32,
            skipped: read.skipped.map(|reason| reason.to_string()),
            warnings: read.warnings.into_iter().map(warning).collect(),
        })
    }

    /// What was added so far.
    #[wasm_bindgen(getter)]
    pub fn summary(&self) -> Result<Ts<BuildSummary>, JsValue> {
        twin(BuildSummary {
            pages: self.builder.pages() as u32,
            chunks: self.builder.chunks() as u32,
            words: self.words,
            languages: self.builder.languages(),
        })
    }

    /// Writes the index. The builder is empty afterwards.
    ///
    /// # Errors
    ///
    /// `build`: there is nothing to index, or too much.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsValue> {
        let empty = IndexBuilder::for_site(&self.options);
        std::mem::replace(&mut self.builder, empty)
            .finish()
            .map_err(|error| new("build", &error.to_string()))
    }
}

/// Puts an index into an engine.
///
/// # Errors
///
/// `bundle`: the engine cannot take one, and why.
#[wasm_bindgen]
pub fn embed(engine: &[u8], index: &[u8]) -> Result<Vec<u8>, JsValue> {
    bundle::embed(engine, index).map_err(|error| new("bundle", &error.to_string()))
}

/// The index that a bundle carries.
///
/// # Errors
///
/// `bundle`: it carries none, and why.
#[wasm_bindgen]
pub fn extract(bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    let index = bundle::extract(bytes).map_err(|error| new("bundle", &error.to_string()))?;
    Ok(index.into_owned())
}

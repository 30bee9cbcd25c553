//! The builder as JavaScript sees it: files in, bundle out, in Node without a Rust toolchain.

use super::error::{new, to_js, twin};
use super::fields::{Fields, FromOption};
use super::options::read;
use super::types::{BuildSummary, BuilderOptions, FileReport, FileWarning};
use crate::bundle;
use crate::document::{Options, Warning, parse_config};
use crate::index::{Index, Site};
use crate::text::Language;
use tsify::Ts;
use wasm_bindgen::prelude::*;

impl FromOption for BuilderOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<BuilderOptions, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = BuilderOptions {
            base_url: fields.optional("baseUrl"),
            lang: fields.optional("lang"),
            selector: fields.optional("selector"),
        };
        fields.finish(options)
    }
}

/// Collects the files of a site and writes its index.
#[wasm_bindgen]
pub struct SiteBuilder {
    options: Options,
    site: Site,
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
        let site = Site::new(options.clone());
        Ok(SiteBuilder { options, site })
    }

    /// Why a file is left out by its name alone, or `undefined` where it is to be read.
    pub fn skips(&self, path: &str) -> Option<String> {
        self.site.skips(path).map(|reason| reason.to_string())
    }

    /// Adds a file. What is wrong with its content is in the report.
    ///
    /// # Errors
    ///
    /// `config`: the options are wrong.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Result<Ts<FileReport>, JsValue> {
        let added = self.site.add(path, bytes);
        let added = added.map_err(|error| new("config", &error.to_string()))?;
        let warning = |warning: Warning| FileWarning {
            line: warning.line,
            message: warning.message,
        };
        twin(FileReport {
            pages: added.pages as u32,
            chunks: added.chunks as u32,
            skipped: added.skipped.map(|reason| reason.to_string()),
            warnings: added.warnings.into_iter().map(warning).collect(),
        })
    }

    /// What was added so far.
    #[wasm_bindgen(getter)]
    pub fn summary(&self) -> Result<Ts<BuildSummary>, JsValue> {
        let summary = self.site.summary();
        twin(BuildSummary {
            pages: summary.pages as u32,
            chunks: summary.chunks as u32,
            words: summary.words as u32,
            languages: summary.languages,
        })
    }

    /// Writes the index. The builder is empty afterwards.
    ///
    /// # Errors
    ///
    /// `build`: there is nothing to index, or too much.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsValue> {
        let empty = Site::new(self.options.clone());
        std::mem::replace(&mut self.site, empty)
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

/// Whether an index has a language whose stemmer only the engine with all languages holds.
///
/// # Errors
///
/// The index cannot be opened, with the code that `load` gives.
#[wasm_bindgen(js_name = needsAllLanguages)]
pub fn needs_all_languages(index: &[u8]) -> Result<bool, JsValue> {
    let index = Index::open(index).map_err(|error| to_js(&error.into()))?;
    let mut languages = index.meta().languages.iter();
    Ok(languages.any(|code| !Language::from_tag(code).is_in_every_build()))
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

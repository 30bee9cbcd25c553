//! The builder as JavaScript sees it: files in, bundle out, in Node without a Rust toolchain.

use super::error::{new, to_js, twin};
use super::fields::{Fields, FromOption};
use super::options::read;
use super::types::{
    BuildSummary, BuilderOptions, FileReport, FileWarning, SitemapFile, SitemapPage,
};
use crate::bundle;
use crate::document::{GitIgnore, Options, Warning, files_of_address, parse_config, read_sitemap};
use crate::index::{Added, Index, Site};
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

    /// The folders and files that the configuration names, relative to its own folder.
    #[wasm_bindgen(getter)]
    pub fn docs(&self) -> Vec<String> {
        self.options.docs.clone()
    }

    /// The questions that the configuration suggests to readers.
    #[wasm_bindgen(getter)]
    pub fn questions(&self) -> Vec<String> {
        self.options.questions.clone()
    }

    /// The file of synonyms that the configuration names, relative to its own folder.
    #[wasm_bindgen(getter, js_name = synonymsFile)]
    pub fn synonyms_file(&self) -> Option<String> {
        self.options.synonyms.clone()
    }

    /// Gives the text of that file.
    ///
    /// # Errors
    ///
    /// `config`: a line is no rule.
    #[wasm_bindgen(js_name = setSynonyms)]
    pub fn set_synonyms(&mut self, text: &str) -> Result<(), JsValue> {
        let parsed = self.site.set_synonyms(text);
        parsed.map_err(|error| new("config", &error.to_string()))
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
        report(added.map_err(|error| new("config", &error.to_string()))?)
    }

    /// Reads and analyses a file without adding it: most of the work of a build. The result
    /// depends on the arguments, the builder's options and its version alone, so it can be made
    /// by another builder and kept for a later build.
    ///
    /// # Errors
    ///
    /// `config`: the options are wrong.
    pub fn analyze(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
        let analyzed = self.site.analyze(path, bytes);
        analyzed.map_err(|error| new("config", &error.to_string()))
    }

    /// Adds what `analyze` gave for the file at `path`.
    ///
    /// # Errors
    ///
    /// `index-corrupt`: the bytes are something else.
    #[wasm_bindgen(js_name = addAnalyzed)]
    pub fn add_analyzed(&mut self, path: &str, analyzed: &[u8]) -> Result<Ts<FileReport>, JsValue> {
        let added = self.site.add_analyzed(path, analyzed);
        report(added.map_err(to_js)?)
    }

    /// Reads a sitemap, and tells where the files of its pages may be.
    ///
    /// # Errors
    ///
    /// `config`: the text is no sitemap.
    pub fn sitemap(&self, text: &str) -> Result<Ts<SitemapFile>, JsValue> {
        let sitemap = read_sitemap(text).map_err(|error| new("config", &error.to_string()))?;
        let located = |addresses: Vec<String>| {
            let pages = addresses.into_iter().map(|address| SitemapPage {
                files: files_of_address(&address, &self.options),
                address,
            });
            pages.collect()
        };
        twin(SitemapFile {
            pages: located(sitemap.pages),
            sitemaps: located(sitemap.sitemaps),
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
    let index = Index::open(index).map_err(to_js)?;
    let mut languages = index.meta().languages.iter();
    Ok(languages.any(|code| !Language::from_tag(code).is_in_every_build()))
}

fn report(added: Added) -> Result<Ts<FileReport>, JsValue> {
    let warning = |warning: Warning| FileWarning {
        line: warning.line,
        kind: warning.kind.code().to_owned(),
        message: warning.message,
    };
    twin(FileReport {
        pages: added.pages as u32,
        chunks: added.chunks as u32,
        words: added.words as u32,
        skipped: added.skipped.map(|reason| reason.to_string()),
        warnings: added.warnings.into_iter().map(warning).collect(),
    })
}

/// The patterns of a project's `.gitignore` files.
#[wasm_bindgen]
#[derive(Default)]
pub struct GitIgnorePatterns(GitIgnore);

#[wasm_bindgen]
impl GitIgnorePatterns {
    /// No patterns yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> GitIgnorePatterns {
        GitIgnorePatterns::default()
    }

    /// Adds the text of the file in `folder`, whose path is relative to the top folder and empty
    /// for the top itself. Files of folders above go first.
    pub fn add(&mut self, folder: &str, text: &str) {
        self.0.add(folder, text);
    }

    /// Whether a file or folder is left out; nothing below such a folder is to be read.
    pub fn ignores(&self, path: &str, is_folder: bool) -> bool {
        self.0.ignores(path, is_folder)
    }
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

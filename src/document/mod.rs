//! Documents in: files of a documentation site become chunks.
//!
//! [`read`] takes the bytes of one file and gives its documents, [`chunks`] cuts a document.
//! Both are pure: the same bytes and options give the same result, on any platform.

mod charset;
mod check;
mod chunk;
mod chunker;
mod clean;
mod config;
mod error;
mod gitignore;
mod html;
mod instructions;
mod markdown;
mod openapi;
mod options;
mod outline;
mod path;
mod plain;
mod record;
mod sitemap;
mod synonyms;
mod url;

use std::fmt;

pub use chunk::{Chunk, Document, Part, Section};
pub use chunker::{CHUNK_WORDS, DEFAULT_CHUNK_WORDS, TINY_SECTION_WORDS, chunks};
pub use config::parse_config;
pub use error::Error;
pub use gitignore::GitIgnore;
pub use openapi::{AnchorRule, OpenApiRule};
pub use options::{CollectionRule, Options, UrlStyle};
pub use path::{Format, format_of};
pub use sitemap::{Sitemap, SitemapError, files_of_address, read_sitemap};
pub use synonyms::{SynonymRule, parse_synonyms};
pub(crate) use url::same_address;

/// What one file gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// One document for a page, one for each record; empty where the file is skipped.
    pub documents: Vec<Document>,
    /// What the author of the file should look at. None of it stops a build.
    pub warnings: Vec<Warning>,
    /// Why the file gave no document.
    pub skipped: Option<Skipped>,
}

/// Something in a file that its author should look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The file relative to the documentation root.
    pub path: String,
    /// Line in the file, counted from 1, where it is known.
    pub line: Option<u32>,
    /// What is wrong and what was done.
    pub message: String,
    /// Which kind of thing it is, for counting.
    pub kind: WarningKind,
}

/// The kinds of what an author should look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarningKind {
    /// A part of the file cannot be read, or not as it was meant.
    #[default]
    Content,
    /// The main content of a page was not found, so all of it was read.
    NoMainContent,
    /// An id that leads to a section stands at several places.
    DuplicateAnchor,
    /// No text was found in a page.
    NoText,
    /// A page is unusually long.
    LongPage,
    /// Text reads like an instruction to a language model.
    Instructions,
}

impl WarningKind {
    /// All kinds.
    pub const ALL: [WarningKind; 6] = [
        WarningKind::Content,
        WarningKind::NoMainContent,
        WarningKind::DuplicateAnchor,
        WarningKind::NoText,
        WarningKind::LongPage,
        WarningKind::Instructions,
    ];

    /// A stable name for programs.
    pub fn code(self) -> &'static str {
        match self {
            WarningKind::Content => "content",
            WarningKind::NoMainContent => "no-main-content",
            WarningKind::DuplicateAnchor => "duplicate-anchor",
            WarningKind::NoText => "no-text",
            WarningKind::LongPage => "long-page",
            WarningKind::Instructions => "instructions",
        }
    }
}

/// Why a file gives no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skipped {
    /// The extension is none that documentation has, or a data file holds no records and no API.
    UnsupportedType,
    /// The file or a folder above it is hidden.
    Hidden,
    /// It lies in a folder of a tool, such as `node_modules`.
    ToolFolder,
    /// The configuration leaves it out.
    Excluded,
    /// It repeats the whole site on one page for printing.
    PrintPage,
    /// It is shown in place of a page that does not exist.
    NotFoundPage,
    /// A tool made it for machines, or it only lists other pages.
    Generated,
    /// It asks not to be indexed.
    NoIndex,
    /// It is a draft.
    Draft,
    /// It only leads to another page.
    Redirect,
    /// Its bytes are no text.
    Binary,
    /// It has no text.
    Empty,
    /// Only its own tools can read it; their HTML can be read here.
    NeedsRendering,
}

impl Skipped {
    /// All reasons.
    pub const ALL: [Skipped; 13] = [
        Skipped::UnsupportedType,
        Skipped::Hidden,
        Skipped::ToolFolder,
        Skipped::Excluded,
        Skipped::PrintPage,
        Skipped::NotFoundPage,
        Skipped::Generated,
        Skipped::NoIndex,
        Skipped::Draft,
        Skipped::Redirect,
        Skipped::Binary,
        Skipped::Empty,
        Skipped::NeedsRendering,
    ];
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skipped::UnsupportedType => "no documentation format",
            Skipped::Hidden => "hidden file",
            Skipped::ToolFolder => "folder of a tool",
            Skipped::Excluded => "left out by the configuration",
            Skipped::PrintPage => "print page",
            Skipped::NotFoundPage => "not-found page",
            Skipped::Generated => "list for machines or of links",
            Skipped::NoIndex => "asks not to be indexed",
            Skipped::Draft => "draft",
            Skipped::Redirect => "redirect",
            Skipped::Binary => "binary data",
            Skipped::Empty => "no text",
            Skipped::NeedsRendering => {
                "reStructuredText or AsciiDoc, which needs its own tools: build the site and give its folder of HTML"
            }
        })
    }
}

/// What a data file gives that holds no documentation.
const NO_DOCUMENTATION: Read = Read {
    documents: Vec::new(),
    warnings: Vec::new(),
    skipped: Some(Skipped::UnsupportedType),
};

/// Reads one file of a site.
///
/// `path` is relative to the documentation root, with `/` between folders; it decides how
/// the bytes are read. Time is linear in the length of the file, memory a small multiple of
/// it, and the depth of its markup costs no stack.
///
/// # Errors
/// Only where `options` are wrong. A file that cannot be read is [`Read::skipped`].
///
/// ```
/// use groundling::document::{DEFAULT_CHUNK_WORDS, Options, chunks, read};
///
/// let page = read("guide/limits.md", b"# Limits\n\n## Size\n\nAt most 5 MB.", &Options::default())?;
/// let document = &page.documents[0];
/// assert_eq!(document.url, "/guide/limits.html");
/// let chunk = &chunks(document, DEFAULT_CHUNK_WORDS)[0];
/// assert_eq!((chunk.title.as_str(), chunk.anchor.as_deref()), ("Size", Some("size")));
/// assert_eq!(chunk.heading_path, ["Limits"]);
/// # Ok::<(), groundling::document::Error>(())
/// ```
pub fn read(path: &str, bytes: &[u8], options: &Options) -> Result<Read, Error> {
    let format = match format_of(path, options) {
        Ok(format) => format,
        Err(reason) => {
            return Ok(Read {
                skipped: Some(reason),
                ..Read::default()
            });
        }
    };
    if charset::is_binary(bytes) {
        return Ok(Read {
            skipped: Some(Skipped::Binary),
            ..Read::default()
        });
    }
    let (text, damaged) = match format {
        Format::Html => charset::decode_html(bytes),
        Format::Json | Format::JsonLines => charset::decode_json(bytes),
        _ => charset::decode_text(bytes),
    };
    let mut read = match format {
        Format::Html => read_html(path, &text, options)?,
        Format::Markdown => markdown::read_markdown(path, &text, false, options),
        Format::Mdx => markdown::read_markdown(path, &text, true, options),
        Format::Text => read_text(path, &text, options),
        Format::Json => record::read_json(path, &text, options).unwrap_or(NO_DOCUMENTATION),
        Format::Yaml => openapi::read_yaml(path, &text, options).unwrap_or(NO_DOCUMENTATION),
        Format::JsonLines => {
            let (documents, warnings) = record::read_lines(path, &text, options);
            Read {
                documents,
                warnings,
                skipped: None,
            }
        }
    };
    if let Some(encoding) = damaged {
        let message = format!(
            "some bytes are not {encoding} and became U+FFFD; save the file in the encoding it names"
        );
        read.warnings.insert(
            0,
            Warning {
                path: path.to_owned(),
                line: None,
                message,
                kind: WarningKind::Content,
            },
        );
    }
    let checked = check::check(path, &read.documents, &text);
    read.warnings.extend(checked);
    if read.skipped.is_none() && read.documents.is_empty() {
        read.skipped = Some(Skipped::Empty);
        if read.warnings.is_empty() {
            read.warnings.push(Warning {
                path: path.to_owned(),
                line: None,
                message: "no text was found, so the page is not in the bundle".to_owned(),
                kind: WarningKind::NoText,
            });
        }
    }
    Ok(read)
}

fn read_html(path: &str, text: &str, options: &Options) -> Result<Read, Error> {
    let page = html::read_page(text, options)?;
    if page.skipped.is_some() {
        return Ok(Read {
            skipped: page.skipped,
            ..Read::default()
        });
    }
    if page.sections.is_empty() {
        return Ok(Read::default());
    }
    let mut warnings = Vec::new();
    if page.whole_body {
        let message = "no main content found, so the whole body was read; mark it with `main` or set \"selector\"";
        warnings.push(Warning {
            path: path.to_owned(),
            line: None,
            message: message.to_owned(),
            kind: WarningKind::NoMainContent,
        });
    }
    let (url, canonical) = url::of_page(path, page.canonical.as_deref(), options);
    let document = Document {
        path: path.to_owned(),
        url,
        canonical,
        title: title_or_name(page.title, path),
        lang: page.lang.or_else(|| options.lang.clone()),
        collection: page
            .collection
            .or_else(|| options.collection_of(path).map(str::to_owned)),
        version: page.version,
        tags: page.tags,
        sections: page.sections,
        is_record: false,
    };
    Ok(Read {
        documents: vec![document],
        warnings,
        skipped: None,
    })
}

fn read_text(path: &str, text: &str, options: &Options) -> Read {
    let (title, sections) = plain::read_plain(text);
    if sections.is_empty() {
        return Read::default();
    }
    let document = Document {
        path: path.to_owned(),
        url: url::of_file(path, Format::Text, options),
        title: title_or_name(title, path),
        lang: options.lang.clone(),
        collection: options.collection_of(path).map(str::to_owned),
        sections,
        ..Document::default()
    };
    Read {
        documents: vec![document],
        ..Read::default()
    }
}

/// A page without any title is named after its file.
fn title_or_name(title: String, path: &str) -> String {
    if !title.is_empty() {
        return title;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(name, |(stem, _)| stem)
        .to_owned()
}

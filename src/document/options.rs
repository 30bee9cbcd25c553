//! What a site decides about the reading of its documentation.

use super::{DEFAULT_CHUNK_WORDS, OpenApiRule};

/// How the files of a site are read and where they are served.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Path or address below which the site is served. Default `/`; a missing slash at either end is added.
    pub base_url: String,
    /// CSS selector of the main content. Default: the rules of the usual generators, then `main` and `article`.
    pub selector: Option<String>,
    /// BCP 47 language of pages that name none themselves. Default: unknown.
    pub lang: Option<String>,
    /// Parts of the documentation by folder; the longest matching prefix wins.
    pub collections: Vec<CollectionRule>,
    /// How the site serves a Markdown file. Default [`UrlStyle::Html`].
    pub urls: UrlStyle,
    /// Globs of the only paths to read. Default: empty, which reads all.
    pub include: Vec<String>,
    /// Globs of paths that are left out although `include` has them. Default: empty.
    pub exclude: Vec<String>,
    /// Folders and files to read where the command names none, relative to the folder of the
    /// configuration. Default: empty.
    pub docs: Vec<String>,
    /// Questions that the site's page suggests to readers. Default: empty.
    pub questions: Vec<String>,
    /// File of synonyms ([`parse_synonyms`](super::parse_synonyms)), relative to the folder of the configuration.
    pub synonyms: Option<String>,
    /// Where an OpenAPI description is shown.
    pub openapi: OpenApiRule,
    /// The most words of a chunk, see [`chunks`](super::chunks). Range [`CHUNK_WORDS`](super::CHUNK_WORDS),
    /// default [`DEFAULT_CHUNK_WORDS`]. Fewer make sources narrower, the index larger and a prompt of more pages.
    pub chunk_words: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base_url: "/".to_owned(),
            selector: None,
            lang: None,
            collections: Vec::new(),
            urls: UrlStyle::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            docs: Vec::new(),
            questions: Vec::new(),
            synonyms: None,
            openapi: OpenApiRule::default(),
            chunk_words: DEFAULT_CHUNK_WORDS,
        }
    }
}

impl Options {
    /// The id of the collection that a path belongs to.
    pub(super) fn collection_of(&self, path: &str) -> Option<&str> {
        self.collections
            .iter()
            .filter(|rule| rule.matches(path))
            .max_by_key(|rule| rule.prefix().len())
            .map(|rule| rule.id.as_str())
    }
}

/// One part of the documentation: a course, a product, a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectionRule {
    /// Identifier that chunks carry and filters name.
    pub id: String,
    /// Name shown to readers and to the model.
    pub name: String,
    /// Folder relative to the documentation root. Whole names are compared: `guide` has no `guides/a.md`.
    pub path_prefix: String,
}

impl CollectionRule {
    fn prefix(&self) -> &str {
        let prefix = self
            .path_prefix
            .strip_prefix("./")
            .unwrap_or(&self.path_prefix);
        prefix.trim_matches('/')
    }

    fn matches(&self, path: &str) -> bool {
        let prefix = self.prefix();
        if prefix.is_empty() {
            return true;
        }
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The address that `guide/limits.md` gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UrlStyle {
    /// `guide/limits.html`, as mdBook, Sphinx and VitePress do.
    #[default]
    Html,
    /// `guide/limits`, as Docusaurus and hosts with clean addresses do.
    Clean,
    /// `guide/limits/`, as MkDocs, Hugo and Starlight do.
    Dir,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        let rule = |id: &str, prefix: &str| CollectionRule {
            id: id.to_owned(),
            name: String::new(),
            path_prefix: prefix.to_owned(),
        };
        let options = Options {
            collections: vec![
                rule("guide", "guide"),
                rule("advanced", "/guide/advanced/"),
                rule("faq", "faq.md"),
            ],
            ..Options::default()
        };
        assert_eq!(options.collection_of(path), expected, "{path}");
    }

    #[test]
    fn the_longest_folder_names_the_collection() {
        check("guide/a.md", Some("guide"));
        check("guide/advanced/a.md", Some("advanced"));
        check("faq.md", Some("faq"));
        check("guides/a.md", None);
        check("a.md", None);
    }
}

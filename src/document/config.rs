//! The site's `groundling.json`.
//!
//! ```json
//! {
//!   "docs": ["book"],
//!   "baseUrl": "/handbook/",
//!   "selector": "main .content",
//!   "lang": "en",
//!   "urls": "html",
//!   "collections": [{ "id": "sql", "name": "SQL course", "path": "courses/sql" }],
//!   "include": ["guide/**"],
//!   "exclude": ["**/drafts/**"],
//!   "synonyms": "synonyms.txt",
//!   "openapi": { "page": "reference/", "anchors": "redoc" }
//! }
//! ```
//!
//! Every field may be left out. An unknown field is an error and not ignored: a mistyped
//! `"exlude"` would otherwise publish pages that the site owner meant to keep out.

use serde::Deserialize;

use super::{
    AnchorRule, CHUNK_WORDS, CollectionRule, DEFAULT_CHUNK_WORDS, Error, OpenApiRule, Options,
    UrlStyle, html,
};

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct ConfigFile {
    docs: Vec<String>,
    base_url: String,
    selector: Option<String>,
    lang: Option<String>,
    urls: UrlsField,
    collections: Vec<CollectionField>,
    include: Vec<String>,
    exclude: Vec<String>,
    questions: Vec<String>,
    synonyms: Option<String>,
    openapi: OpenApiField,
    chunk_words: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OpenApiField {
    page: Option<String>,
    anchors: Option<String>,
}

impl Default for ConfigFile {
    fn default() -> Self {
        ConfigFile {
            docs: Vec::new(),
            base_url: Options::default().base_url,
            selector: None,
            lang: None,
            urls: UrlsField::Html,
            collections: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            questions: Vec::new(),
            synonyms: None,
            openapi: OpenApiField::default(),
            chunk_words: DEFAULT_CHUNK_WORDS,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum UrlsField {
    Html,
    Clean,
    Dir,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionField {
    id: String,
    name: Option<String>,
    path: String,
}

/// Reads the text of a `groundling.json`.
///
/// # Errors
/// [`Error::ConfigSyntax`] where the text is not JSON, [`Error::ConfigField`] where a field is
/// unknown or ill-typed or holds a bad glob, [`Error::Selector`] where the selector is no CSS.
pub fn parse_config(text: &str) -> Result<Options, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let file: ConfigFile = serde_path_to_error::deserialize(&mut deserializer).map_err(describe)?;
    deserializer.end().map_err(syntax)?;

    check_globs("include", &file.include)?;
    check_globs("exclude", &file.exclude)?;
    if let Some(selector) = &file.selector {
        html::parse_selector(selector)?;
    }
    Ok(Options {
        docs: file.docs,
        base_url: file.base_url,
        selector: file.selector,
        lang: file.lang,
        collections: file
            .collections
            .into_iter()
            .map(CollectionRule::from)
            .collect(),
        urls: match file.urls {
            UrlsField::Html => UrlStyle::Html,
            UrlsField::Clean => UrlStyle::Clean,
            UrlsField::Dir => UrlStyle::Dir,
        },
        include: file.include,
        exclude: file.exclude,
        questions: file.questions,
        synonyms: file.synonyms,
        openapi: OpenApiRule {
            page: file.openapi.page,
            anchors: anchor_rule(file.openapi.anchors)?,
        },
        chunk_words: chunk_words(file.chunk_words)?,
    })
}

fn chunk_words(words: usize) -> Result<usize, Error> {
    if CHUNK_WORDS.contains(&words) {
        return Ok(words);
    }
    Err(Error::ConfigField {
        field: "chunkWords".to_owned(),
        message: format!(
            "{words} is out of range; write a number from {} to {}",
            CHUNK_WORDS.start(),
            CHUNK_WORDS.end()
        ),
    })
}

fn anchor_rule(anchors: Option<String>) -> Result<AnchorRule, Error> {
    match anchors.as_deref() {
        None | Some("redoc") => Ok(AnchorRule::Redoc),
        Some("swagger-ui") => Ok(AnchorRule::SwaggerUi),
        Some(template) if template.contains('{') => Ok(AnchorRule::Template(template.to_owned())),
        Some(other) => Err(Error::ConfigField {
            field: "openapi.anchors".to_owned(),
            message: format!(
                "`{other}` is no rule; write `redoc`, `swagger-ui` or a template such as `operation/{{operationId}}`"
            ),
        }),
    }
}

impl From<CollectionField> for CollectionRule {
    fn from(field: CollectionField) -> Self {
        CollectionRule {
            name: field.name.unwrap_or_else(|| field.id.clone()),
            id: field.id,
            path_prefix: field.path,
        }
    }
}

fn check_globs(field: &str, globs: &[String]) -> Result<(), Error> {
    for (i, glob) in globs.iter().enumerate() {
        if fast_glob::validate(glob).is_err() {
            return Err(Error::ConfigField {
                field: format!("{field}[{i}]"),
                message: format!(
                    "`{glob}` is no glob; write one such as `guide/**` or `**/*.html`"
                ),
            });
        }
    }
    Ok(())
}

fn describe(error: serde_path_to_error::Error<serde_json::Error>) -> Error {
    let field = error.path().to_string();
    let cause = error.into_inner();
    match cause.classify() {
        serde_json::error::Category::Data => Error::ConfigField {
            field,
            message: cause.to_string(),
        },
        _ => syntax(cause),
    }
}

fn syntax(error: serde_json::Error) -> Error {
    Error::ConfigSyntax {
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(text: &str, fragments: &[&str]) {
        let message = parse_config(text).expect_err(text).to_string();
        for fragment in fragments {
            assert!(
                message.contains(fragment),
                "{message:?} should name {fragment:?}"
            );
        }
    }

    #[test]
    fn an_empty_object_gives_the_defaults() {
        assert_eq!(parse_config("\u{feff}{}"), Ok(Options::default()));
    }

    #[test]
    fn every_field_is_read() {
        let text = r#"{"docs":["site"],"baseUrl":"/b/","selector":"main","lang":"de","urls":"dir",
            "collections":[{"id":"a","name":"A","path":"x"},{"id":"b","path":"y"}],"include":["**/*.md"],"exclude":["x/**"],"questions":["Why?"],"synonyms":"s.txt",
            "openapi":{"page":"api/","anchors":"{path}"},"chunkWords":200}"#;
        let rule = |id: &str, name: &str, prefix: &str| CollectionRule {
            id: id.to_owned(),
            name: name.to_owned(),
            path_prefix: prefix.to_owned(),
        };
        let expected = Options {
            docs: vec!["site".to_owned()],
            base_url: "/b/".to_owned(),
            selector: Some("main".to_owned()),
            lang: Some("de".to_owned()),
            collections: vec![rule("a", "A", "x"), rule("b", "b", "y")],
            urls: UrlStyle::Dir,
            include: vec!["**/*.md".to_owned()],
            exclude: vec!["x/**".to_owned()],
            questions: vec!["Why?".to_owned()],
            synonyms: Some("s.txt".to_owned()),
            openapi: OpenApiRule {
                page: Some("api/".to_owned()),
                anchors: AnchorRule::Template("{path}".to_owned()),
            },
            chunk_words: 200,
        };
        assert_eq!(parse_config(text), Ok(expected));
    }

    #[test]
    fn an_error_names_the_field_and_what_is_allowed() {
        check_error(r#"{"exlude":[]}"#, &["exlude", "`exclude`"]);
        check_error(r#"{"baseUrl":3}"#, &["\"baseUrl\"", "string"]);
        check_error(
            r#"{"collections":[{"id":"a","path":"x"},{"id":1,"path":"y"}]}"#,
            &["collections[1].id", "string"],
        );
        check_error(
            r#"{"collections":[{"id":"a"}]}"#,
            &["collections[0]", "`path`"],
        );
        check_error(r#"{"urls":"pretty"}"#, &["urls", "`clean`"]);
        check_error(
            r#"{"openapi":{"anchors":"rapidoc"}}"#,
            &["openapi.anchors", "swagger-ui"],
        );
        check_error(r#"{"exclude":["{a"]}"#, &["exclude[0]", "{a"]);
        check_error(r#"{"selector":"main >"}"#, &["selector", "main >"]);
        check_error(r#"{"chunkWords":20}"#, &["chunkWords", "from 50 to 1000"]);
        check_error(r#"{"chunkWords":-1}"#, &["chunkWords"]);
        check_error("{\n\"lang\": }", &["line 2"]);
        check_error("{} x", &["not JSON"]);
    }
}

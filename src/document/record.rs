//! Records: documents that another program made and wrote as JSON.

use serde::Deserialize;

use super::{Document, Options, Read, Section, Warning, WarningKind, clean::clean, openapi, url};

/// One record as its author writes it. Fields beside these are not read.
#[derive(Deserialize)]
struct Record {
    id: Option<Id>,
    url: Option<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    text: String,
    collection: Option<String>,
    lang: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

/// Reads JSON lines: one record a line, empty lines passed over.
///
/// A line that is no record becomes a warning with its number; the others are still read.
pub(super) fn read_lines(
    path: &str,
    text: &str,
    options: &Options,
) -> (Vec<Document>, Vec<Warning>) {
    let mut documents = Vec::new();
    let mut warnings = Vec::new();
    for (line, number) in text.lines().zip(1u32..) {
        if line.trim().is_empty() {
            continue;
        }
        let record = serde_json::from_str(line).map_err(|error| error.to_string());
        match record.and_then(|record| document(record, options)) {
            Ok(document) => documents.push(document),
            Err(message) => warnings.push(Warning {
                path: path.to_owned(),
                line: Some(number),
                message,
                kind: WarningKind::Content,
            }),
        }
    }
    (documents, warnings)
}

/// Reads one record, an array of them or an OpenAPI description; `None` where the file holds
/// something else, as a site's other data files do.
pub(super) fn read_json(path: &str, text: &str, options: &Options) -> Option<Read> {
    let values = match serde_json::from_str(text) {
        Ok(serde_json::Value::Array(values)) => values,
        Ok(value) if openapi::is_openapi(&value) => {
            return Some(openapi::read_openapi(path, &value, options));
        }
        Ok(value) => vec![value],
        Err(error) => {
            return Some(Read {
                warnings: vec![Warning {
                    path: path.to_owned(),
                    line: u32::try_from(error.line()).ok(),
                    message: format!("not JSON: {error}"),
                    kind: WarningKind::Content,
                }],
                ..Read::default()
            });
        }
    };
    let is_record =
        |value: &serde_json::Value| value.get("text").is_some_and(serde_json::Value::is_string);
    if !values.iter().any(is_record) {
        return None;
    }
    let mut documents = Vec::new();
    let mut warnings = Vec::new();
    for (i, value) in values.into_iter().enumerate() {
        let record = serde_json::from_value(value).map_err(|error| error.to_string());
        match record.and_then(|record| document(record, options)) {
            Ok(document) => documents.push(document),
            Err(message) => {
                let message = format!("record {}: {message}", i + 1);
                warnings.push(Warning {
                    path: path.to_owned(),
                    line: None,
                    message,
                    kind: WarningKind::Content,
                });
            }
        }
    }
    Some(Read {
        documents,
        warnings,
        skipped: None,
    })
}

fn document(record: Record, options: &Options) -> Result<Document, String> {
    let id = record.id.map(|id| match id {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    });
    let path = record.url.or(id).filter(|path| !path.is_empty());
    let path = path.ok_or("a record needs \"url\" or \"id\"")?;
    let text = clean(record.text.trim()).into_owned();
    let title = clean(record.title.trim()).into_owned();
    if text.is_empty() && title.is_empty() {
        return Err("a record needs \"title\" or \"text\"".to_owned());
    }
    let collection = record
        .collection
        .or_else(|| options.collection_of(&path).map(str::to_owned));
    let anchor = path
        .split_once('#')
        .map(|(_, fragment)| fragment.to_owned());
    Ok(Document {
        url: url::of_record(&path, options),
        path,
        title,
        lang: record.lang.or_else(|| options.lang.clone()),
        collection,
        tags: record.tags,
        version: record.version,
        sections: vec![Section {
            anchor,
            text,
            ..Section::default()
        }],
        is_record: true,
        ..Document::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_document_and_a_bad_line_a_warning() {
        let text = "{\"id\":7,\"title\":\"A\",\"text\":\"x\\n  y\",\"lang\":\"en\",\"tags\":[\"t\"]}\n\n{\"url\":3}\n{\"url\":\"/b#c\",\"text\":\"z\"}\n{\"text\":\"no address\"}";
        let (documents, warnings) = read_lines("r.jsonl", text, &Options::default());
        let found: Vec<_> = documents
            .iter()
            .map(|d| (d.path.as_str(), d.url.as_str(), d.sections[0].text.as_str()))
            .collect();
        assert_eq!(found, [("7", "/7", "x\n  y"), ("/b#c", "/b", "z")]);
        assert_eq!(documents[1].sections[0].anchor.as_deref(), Some("c"));
        assert_eq!(
            warnings
                .iter()
                .map(|warning| warning.line)
                .collect::<Vec<_>>(),
            [Some(3), Some(5)]
        );
    }

    #[test]
    fn json_holds_one_record_or_many_and_other_data_is_left_alone() {
        let count = |text| {
            read_json("r.json", text, &Options::default())
                .map(|read| (read.documents.len(), read.warnings.len()))
        };
        assert_eq!(count(r#"{"id":"a","text":"x"}"#), Some((1, 0)));
        assert_eq!(count(r#"[{"id":"a","text":"x"},{"text":5}]"#), Some((1, 1)));
        assert_eq!(count(r#"{"name":"package"}"#), None);
        assert_eq!(count("{"), Some((0, 1)));
    }
}

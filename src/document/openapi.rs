//! An OpenAPI description (2.0, 3.0, 3.1): one section for each operation.
//!
//! The page that shows an operation is made by a renderer in the reader's browser, so its
//! fragments are written here by the renderer's own rule.

use serde_json::{Map, Value};

use super::{Document, Format, Options, Read, Section, Warning, WarningKind, markdown, url};

/// Methods in the order in which the specification lists them.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// How deep fields of a schema are listed; deeper ones repeat what other operations say.
const MAX_SCHEMA_DEPTH: usize = 3;

/// References that lead to references, at most; a circle ends there.
const MAX_REFERENCES: usize = 16;

/// Which page shows the operations of an OpenAPI description, and how it names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenApiRule {
    /// Address of that page, below the base URL unless it begins with `/` or a scheme. Default:
    /// the address of the description itself.
    pub page: Option<String>,
    /// Rule for the fragments. Default [`AnchorRule::Redoc`].
    pub anchors: AnchorRule,
}

/// How a renderer names an operation in the fragment of its page.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AnchorRule {
    /// `tag/TAG/operation/ID`, as Redoc does.
    #[default]
    Redoc,
    /// `/TAG/ID`, as Swagger UI does with `deepLinking`.
    SwaggerUi,
    /// Any other, with `{tag}`, `{operationId}`, `{method}`, `{METHOD}` and `{path}`.
    Template(String),
}

/// Whether a value is an OpenAPI description.
pub(super) fn is_openapi(value: &Value) -> bool {
    ["openapi", "swagger"]
        .iter()
        .any(|key| value.get(key).is_some())
        && value.get("info").is_some_and(Value::is_object)
}

/// Reads YAML, in which an OpenAPI description may be written. `None` where it holds something
/// else, as a site's other data files do.
pub(super) fn read_yaml(path: &str, text: &str, options: &Options) -> Option<Read> {
    // Cheaper than parsing each data file of a project.
    let names_it = |line: &str| {
        let line = line.trim_start_matches(['"', '\'', '{', ' ']);
        line.starts_with("openapi") || line.starts_with("swagger")
    };
    if !text.lines().any(names_it) {
        return None;
    }
    match serde_yaml_ng::from_str::<serde_yaml_ng::Value>(text) {
        Ok(value) => {
            let value = json_of(value);
            is_openapi(&value).then(|| read_openapi(path, &value, options))
        }
        Err(error) => Some(Read {
            warnings: vec![Warning {
                path: path.to_owned(),
                line: error
                    .location()
                    .and_then(|place| u32::try_from(place.line()).ok()),
                message: format!("not YAML: {error}"),
                kind: WarningKind::Content,
            }],
            ..Read::default()
        }),
    }
}

/// YAML as JSON. Keys that are numbers, as the codes of responses, become text.
fn json_of(value: serde_yaml_ng::Value) -> Value {
    use serde_yaml_ng::Value as Yaml;
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(value) => Value::Bool(value),
        Yaml::Number(number) => serde_json::to_value(number).unwrap_or_default(),
        Yaml::String(text) => Value::String(text),
        Yaml::Sequence(values) => values.into_iter().map(json_of).collect(),
        Yaml::Mapping(fields) => {
            let entries = fields.into_iter().filter_map(|(key, value)| {
                let key = match json_of(key) {
                    Value::String(text) => text,
                    key @ (Value::Number(_) | Value::Bool(_)) => key.to_string(),
                    _ => return None,
                };
                Some((key, json_of(value)))
            });
            Value::Object(entries.collect())
        }
        Yaml::Tagged(tagged) => json_of(tagged.value),
    }
}

/// Reads a description: its introduction and each operation become sections of one document.
pub(super) fn read_openapi(path: &str, root: &Value, options: &Options) -> Read {
    let api = Api { root, options };
    let info = &root["info"];
    let title = text(info, "title").unwrap_or("API").trim().to_owned();
    let introduction = [text(info, "summary"), text(info, "description")];
    let introduction: Vec<String> = introduction.into_iter().flatten().map(prose).collect();
    let mut sections = vec![Section {
        text: introduction.join("\n"),
        ..Section::default()
    }];
    for (field, is_path) in [("paths", true), ("webhooks", false)] {
        for (name, item) in object(&root[field]) {
            api.push_operations(name, api.resolved(item), is_path, &mut sections);
        }
    }
    sections.retain(|section| !section.heading.is_empty() || !section.text.is_empty());
    if sections.is_empty() {
        return Read::default();
    }
    let document = Document {
        path: path.to_owned(),
        url: match &options.openapi.page {
            Some(page) => url::of_record(page, options),
            None => url::of_file(path, Format::Json, options),
        },
        title,
        lang: options.lang.clone(),
        collection: options.collection_of(path).map(str::to_owned),
        sections,
        // Each operation is what is found, whatever its length.
        is_record: true,
        ..Document::default()
    };
    let mut warnings = Vec::new();
    if options.openapi.page.is_none() {
        warnings.push(Warning {
            path: path.to_owned(),
            line: None,
            message: "links lead to the description itself; name the page that shows it as \"openapi.page\" in the configuration".to_owned(),
            kind: WarningKind::Content,
        });
    }
    Read {
        documents: vec![document],
        warnings,
        skipped: None,
    }
}

/// A description while it is read.
struct Api<'a> {
    root: &'a Value,
    options: &'a Options,
}

/// The text of an operation while it is written.
#[derive(Default)]
struct Lines<'a> {
    text: Vec<String>,
    /// Schemas whose fields are listed already.
    schemas: Vec<&'a Value>,
}

impl<'a> Api<'a> {
    fn push_operations(&self, path: &str, item: &'a Value, is_path: bool, out: &mut Vec<Section>) {
        for method in METHODS {
            let operation = &item[method];
            if !operation.is_object() {
                continue;
            }
            let upper = method.to_ascii_uppercase();
            let name = if is_path {
                format!("{upper} {path}")
            } else {
                format!("{upper} webhook {path}")
            };
            let summary = text(operation, "summary").or_else(|| text(item, "summary"));
            let heading = match summary.map(str::trim) {
                Some(summary) if !summary.is_empty() => format!("{name}: {summary}"),
                _ => name,
            };
            out.push(Section {
                heading,
                level: 2,
                anchor: Some(self.anchor(path, method, operation)),
                text: self.describe(item, operation),
                ..Section::default()
            });
        }
    }

    /// Description, parameters, body and responses, one a line.
    fn describe(&self, item: &'a Value, operation: &'a Value) -> String {
        let mut lines = Lines::default();
        if operation["deprecated"] == Value::Bool(true) {
            lines.text.push("Deprecated.".to_owned());
        }
        for owner in [operation, item] {
            lines.text.extend(text(owner, "description").map(prose));
        }
        // What an operation says of a parameter replaces what its path says of it.
        let own = list(&operation["parameters"]).map(|value| self.resolved(value));
        let shared = list(&item["parameters"]).map(|value| self.resolved(value));
        let key = |value: &'a Value| (text(value, "name"), text(value, "in"));
        let own: Vec<&Value> = own.collect();
        let shared = shared.filter(|value| own.iter().all(|mine| key(mine) != key(value)));
        let parameters: Vec<&Value> = shared.chain(own.iter().copied()).collect();
        if !parameters.is_empty() {
            lines.text.push("Parameters:".to_owned());
        }
        for parameter in parameters {
            self.push_parameter(parameter, &mut lines);
        }
        let body = self.resolved(&operation["requestBody"]);
        if body.is_object() {
            let required = if body["required"] == Value::Bool(true) {
                ", required"
            } else {
                ""
            };
            lines.text.push(format!("Request body{required}:"));
            lines.text.extend(text(body, "description").map(prose));
            self.push_content(&body["content"], &mut lines);
        }
        let responses = object(&operation["responses"]);
        let mut first = true;
        for (code, response) in responses {
            if std::mem::take(&mut first) {
                lines.text.push("Responses:".to_owned());
            }
            let response = self.resolved(response);
            let description = text(response, "description").map(prose).unwrap_or_default();
            lines
                .text
                .push(format!("{code}: {description}").trim_end().to_owned());
            self.push_content(&response["content"], &mut lines);
            self.push_schema(&response["schema"], 0, &mut lines);
        }
        lines.text.retain(|line| !line.is_empty());
        lines.text.join("\n")
    }

    fn push_parameter(&self, parameter: &'a Value, lines: &mut Lines<'a>) {
        let Some(name) = text(parameter, "name") else {
            return;
        };
        let schema = self.resolved(&parameter["schema"]);
        let mut facts = vec![text(parameter, "in").unwrap_or("query").to_owned()];
        // 2.0 writes the type of a parameter beside its name.
        facts.extend(type_of(schema).or_else(|| type_of(parameter)));
        if parameter["required"] == Value::Bool(true) {
            facts.push("required".to_owned());
        }
        if parameter["deprecated"] == Value::Bool(true) {
            facts.push("deprecated".to_owned());
        }
        let description = text(parameter, "description")
            .map(prose)
            .unwrap_or_default();
        let line = format!("{name} ({}): {description}", facts.join(", "));
        lines
            .text
            .push(line.trim_end_matches([' ', ':']).to_owned());
        self.push_schema(schema, 0, lines);
    }

    fn push_content(&self, content: &'a Value, lines: &mut Lines<'a>) {
        for (media_type, value) in object(content) {
            lines.text.push(media_type.clone());
            self.push_schema(&value["schema"], 0, lines);
        }
    }

    /// The fields of an object, or of the objects in a list.
    fn push_schema(&self, schema: &'a Value, depth: usize, lines: &mut Lines<'a>) {
        if depth == MAX_SCHEMA_DEPTH {
            return;
        }
        let schema = self.resolved(schema);
        // Once an operation; a schema may also contain itself.
        if lines
            .schemas
            .iter()
            .any(|listed| std::ptr::eq(*listed, schema))
        {
            return;
        }
        lines.schemas.push(schema);
        for key in ["allOf", "oneOf", "anyOf"] {
            for part in list(&schema[key]) {
                self.push_schema(part, depth + 1, lines);
            }
        }
        if schema["items"].is_object() {
            self.push_schema(&schema["items"], depth + 1, lines);
        }
        let required: Vec<&str> = list(&schema["required"])
            .filter_map(Value::as_str)
            .collect();
        for (name, field) in object(&schema["properties"]) {
            let field = self.resolved(field);
            let mut facts: Vec<String> = type_of(field).into_iter().collect();
            if required.contains(&name.as_str()) {
                facts.push("required".to_owned());
            }
            let values: Vec<&str> = list(&field["enum"]).filter_map(Value::as_str).collect();
            if !values.is_empty() {
                facts.push(format!("one of {}", values.join(", ")));
            }
            let facts = if facts.is_empty() {
                String::new()
            } else {
                format!(" ({})", facts.join(", "))
            };
            let description = text(field, "description").map(prose).unwrap_or_default();
            let line = format!("{name}{facts}: {description}");
            lines
                .text
                .push(line.trim_end_matches([' ', ':']).to_owned());
            self.push_schema(field, depth + 1, lines);
        }
    }

    /// What a value refers to within the description, or the value itself.
    fn resolved(&self, value: &'a Value) -> &'a Value {
        let mut value = value;
        for _ in 0..MAX_REFERENCES {
            let pointer = text(value, "$ref").and_then(|reference| reference.strip_prefix('#'));
            match pointer.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => value = target,
                None => break,
            }
        }
        value
    }

    fn anchor(&self, path: &str, method: &str, operation: &Value) -> String {
        let id = text(operation, "operationId").filter(|id| !id.is_empty());
        let tag = list(&operation["tags"]).find_map(Value::as_str);
        match &self.options.openapi.anchors {
            AnchorRule::Redoc => {
                let tag = tag
                    .map(|tag| format!("tag/{}/", hyphenated(tag)))
                    .unwrap_or_default();
                match id {
                    Some(id) => format!("{tag}operation/{}", encoded(id)),
                    // A JSON pointer into the description (RFC 6901), without its first name.
                    None => {
                        let path = path.replace('~', "~0").replace('/', "~1");
                        format!("{tag}paths/{}/{method}", encoded(&path))
                    }
                }
            }
            AnchorRule::SwaggerUi => {
                let id = id.map_or_else(|| generated_id(method, path), str::to_owned);
                format!("/{}/{}", encoded(tag.unwrap_or("default")), encoded(&id))
            }
            AnchorRule::Template(template) => template
                .trim_start_matches('#')
                .replace("{tag}", &encoded(tag.unwrap_or_default()))
                .replace("{operationId}", &encoded(id.unwrap_or_default()))
                .replace("{method}", method)
                .replace("{METHOD}", &method.to_ascii_uppercase())
                .replace("{path}", &encoded_path(path)),
        }
    }
}

/// The id that Swagger UI gives to an operation without one.
fn generated_id(method: &str, path: &str) -> String {
    let mut id = method.to_owned();
    for c in path.chars() {
        match c {
            '/' | '-' | '.' | '~' => id.push('_'),
            '{' | '}' => {}
            c => id.push(c),
        }
    }
    id
}

/// White space as Redoc writes it in fragments.
fn hyphenated(tag: &str) -> String {
    encoded(&tag.split_whitespace().collect::<Vec<_>>().join("-"))
}

/// Percent-encodes all but unreserved characters (RFC 3986, section 2.3).
fn encoded(text: &str) -> String {
    encoded_but(text, b"-._~")
}

fn encoded_path(path: &str) -> String {
    encoded_but(path, b"-._~/")
}

fn encoded_but(text: &str, kept: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Markdown, which descriptions are written in, as plain text.
fn prose(text: &str) -> String {
    markdown::plain_text(text)
}

/// `integer`, `string (date-time)`, `array of string`.
fn type_of(schema: &Value) -> Option<String> {
    let name = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join(" or ")
        }
        _ => return None,
    };
    if let (true, Some(items)) = (name == "array", type_of(&schema["items"])) {
        return Some(format!("array of {items}"));
    }
    Some(match text(schema, "format") {
        Some(format) => format!("{name} {format}"),
        None => name,
    })
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

#[cfg(test)]
mod tests {
    use super::super::{DEFAULT_CHUNK_WORDS, chunks, read};
    use super::*;

    const PETS: &str = r##"
openapi: 3.0.3
info: { title: Pet shop, description: "Sells **pets**." }
paths:
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, description: Which pet, schema: { type: integer, format: int64 } }
    get:
      tags: [Pets and more]
      operationId: getPet
      summary: Find a pet
      description: |
        Returns a *single* pet.
      parameters:
        - $ref: '#/components/parameters/Verbose'
      responses:
        200:
          description: The pet
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
        "404": { description: No such pet }
    delete: { summary: Sell, deprecated: true, responses: {} }
components:
  parameters:
    Verbose: { name: verbose, in: query, schema: { type: boolean } }
  schemas:
    Pet:
      required: [name]
      properties:
        name: { type: string, description: Its name }
        kind: { type: string, enum: [cat, dog] }
        mother: { $ref: '#/components/schemas/Pet' }
"##;

    fn document(path: &str, text: &str, openapi: OpenApiRule) -> Document {
        let options = Options {
            openapi,
            ..Options::default()
        };
        let mut read = read(path, text.as_bytes(), &options).expect("right options");
        assert_eq!(read.documents.len(), 1, "{:?}", read.warnings);
        read.documents.remove(0)
    }

    #[test]
    fn an_operation_is_a_chunk_with_all_that_it_says() {
        let document = document("api.yaml", PETS, OpenApiRule::default());
        let chunks = chunks(&document, DEFAULT_CHUNK_WORDS);
        assert_eq!(document.title, "Pet shop");
        assert_eq!(chunks.len(), 3);
        assert_eq!(chunks[0].text, "Sells pets.");
        assert_eq!(chunks[1].title, "GET /pets/{petId}: Find a pet");
        let lines: Vec<&str> = chunks[1].text.lines().take(9).collect();
        assert_eq!(
            lines,
            [
                "Returns a single pet.",
                "Parameters:",
                "petId (path, integer int64, required): Which pet",
                "verbose (query, boolean)",
                "Responses:",
                "200: The pet",
                "application/json",
                "kind (string, one of cat, dog)",
                "mother",
            ]
        );
        assert!(
            chunks[1]
                .text
                .ends_with("\nname (string, required): Its name\n404: No such pet")
        );
        assert!(chunks[2].text.starts_with("Deprecated."));
    }

    #[track_caller]
    fn check_anchors(anchors: AnchorRule, expected: [&str; 2]) {
        let rule = OpenApiRule {
            page: Some("reference/".to_owned()),
            anchors,
        };
        let document = document("api.yml", PETS, rule);
        assert_eq!(document.url, "/reference/");
        let found: Vec<&str> = document.sections[1..]
            .iter()
            .filter_map(|section| section.anchor.as_deref())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn fragments_follow_the_renderer() {
        check_anchors(
            AnchorRule::Redoc,
            [
                "tag/Pets-and-more/operation/getPet",
                "paths/~1pets~1%7BpetId%7D/delete",
            ],
        );
        check_anchors(
            AnchorRule::SwaggerUi,
            ["/Pets%20and%20more/getPet", "/default/delete_pets_petId"],
        );
        check_anchors(
            AnchorRule::Template("#{METHOD}-{path}:{method}".to_owned()),
            [
                "GET-/pets/%7BpetId%7D:get",
                "DELETE-/pets/%7BpetId%7D:delete",
            ],
        );
    }

    #[test]
    fn version_2_is_read_from_json() {
        let text = r##"{"swagger":"2.0","info":{"title":"Old"},"paths":{"/a":{"post":{"operationId":"a","parameters":
            [{"name":"body","in":"body","schema":{"$ref":"#/definitions/A"}},{"name":"n","in":"query","type":"integer"}],
            "responses":{"201":{"description":"Made"}}}}},
            "definitions":{"A":{"properties":{"x":{"type":"array","items":{"type":"string"}}}}}}"##;
        let document = document("swagger.json", text, OpenApiRule::default());
        assert_eq!(document.sections[0].heading, "POST /a");
        assert_eq!(
            document.sections[0].text,
            "Parameters:\nbody (body)\nx (array of string)\nn (query, integer)\nResponses:\n201: Made"
        );
    }

    #[test]
    fn other_data_and_broken_files_give_no_document() {
        let options = Options::default();
        assert_eq!(read_yaml("a.yml", "site_name: Docs\n", &options), None);
        assert_eq!(read_yaml("a.yml", "openapi_url: /x\n", &options), None);
        let broken = read_yaml("a.yml", "openapi: 3.0.0\ninfo: {\n", &options).expect("is tried");
        assert_eq!(broken.documents, []);
        assert!(broken.warnings[0].line.is_some());
        let circle = r##"{"openapi":"3.1.0","info":{},"paths":{"/a":{"$ref":"#/paths/~1a"}}}"##;
        let read = read("a.json", circle.as_bytes(), &options).expect("right options");
        assert_eq!(read.documents, []);
    }
}

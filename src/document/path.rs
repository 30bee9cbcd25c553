//! Which files of a site are documentation, and how each is read.

use super::{Options, Skipped};

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A page that a generator made or an author wrote.
    Html,
    /// CommonMark with the usual extensions.
    Markdown,
    /// Markdown with module statements and components.
    Mdx,
    /// Plain text.
    Text,
    /// One JSON object, or an array of them.
    Json,
    /// One JSON object a line.
    JsonLines,
    /// An OpenAPI description, or other data.
    Yaml,
}

/// Tells how a file is read, or why it is no documentation.
///
/// `path` is relative to the documentation root, with `/` between folders. Only the name
/// decides here; a page can still be left out for what it holds.
///
/// # Errors
/// The reason why the file is left out.
pub fn format_of(path: &str, options: &Options) -> Result<Format, Skipped> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if path
        .split('/')
        .any(|part| part.starts_with('.') && part != "." && part != "..")
    {
        return Err(Skipped::Hidden);
    }
    if folders
        .split('/')
        .any(|folder| matches!(folder, "node_modules" | "_sources" | "_static"))
    {
        return Err(Skipped::ToolFolder);
    }
    if excluded(path, options) {
        return Err(Skipped::Excluded);
    }
    match name {
        "print.html" => return Err(Skipped::PrintPage),
        "404.html" | "404.htm" | "404.md" => return Err(Skipped::NotFoundPage),
        // mdBook's sidebar, Sphinx's index and search pages: lists of links into the other pages.
        "toc.html" | "genindex.html" | "py-modindex.html" => return Err(Skipped::Generated),
        "search.html" if folders.is_empty() => return Err(Skipped::Generated),
        "robots.txt" | "humans.txt" | "ads.txt" | "security.txt" | "llms.txt" | "llms-full.txt" => {
            return Err(Skipped::Generated);
        }
        "groundling.json" | "package.json" | "package-lock.json" | "manifest.json"
        | "search_index.json" | "searchindex.json" => return Err(Skipped::Generated),
        _ => {}
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" => Ok(Format::Html),
        "md" | "markdown" => Ok(Format::Markdown),
        "mdx" => Ok(Format::Mdx),
        "txt" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "jsonl" | "ndjson" => Ok(Format::JsonLines),
        "yaml" | "yml" => Ok(Format::Yaml),
        "rst" | "rest" | "adoc" | "asciidoc" | "asc" => Err(Skipped::NeedsRendering),
        _ => Err(Skipped::UnsupportedType),
    }
}

fn excluded(path: &str, options: &Options) -> bool {
    let any = |globs: &[String]| globs.iter().any(|glob| fast_glob::glob_match(glob, path));
    (!options.include.is_empty() && !any(&options.include)) || any(&options.exclude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Result<Format, Skipped>) {
        assert_eq!(format_of(path, &Options::default()), expected, "{path}");
    }

    #[test]
    fn the_extension_decides_in_any_case() {
        check("a/b.html", Ok(Format::Html));
        check("README.MD", Ok(Format::Markdown));
        check("./intro.mdx", Ok(Format::Mdx));
        check("records.jsonl", Ok(Format::JsonLines));
        check("api/openapi.yml", Ok(Format::Yaml));
        check("index.rst", Err(Skipped::NeedsRendering));
        check("a/manual.adoc", Err(Skipped::NeedsRendering));
        check("logo.png", Err(Skipped::UnsupportedType));
        check("Makefile", Err(Skipped::UnsupportedType));
    }

    #[test]
    fn files_of_tools_are_left_out_with_the_reason() {
        check(".vitepress/cache/a.md", Err(Skipped::Hidden));
        check("a/.draft.md", Err(Skipped::Hidden));
        check("node_modules/x/README.md", Err(Skipped::ToolFolder));
        check("_sources/index.rst.txt", Err(Skipped::ToolFolder));
        check("book/print.html", Err(Skipped::PrintPage));
        check("404.html", Err(Skipped::NotFoundPage));
        check("toc.html", Err(Skipped::Generated));
        check("search.html", Err(Skipped::Generated));
        check("features/search.html", Ok(Format::Html));
    }

    #[test]
    fn globs_choose_among_the_rest() {
        let options = Options {
            include: vec!["guide/**".to_owned()],
            exclude: vec!["**/drafts/**".to_owned()],
            ..Options::default()
        };
        assert_eq!(format_of("guide/a.md", &options), Ok(Format::Markdown));
        assert_eq!(
            format_of("guide/drafts/a.md", &options),
            Err(Skipped::Excluded)
        );
        assert_eq!(format_of("news/a.md", &options), Err(Skipped::Excluded));
    }
}

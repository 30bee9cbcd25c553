//! A site's `sitemap.xml`: which pages it names, and where their files are.

use std::fmt;

use quick_xml::{Reader, events::Event};

use super::{Options, url};

/// What a sitemap names, as it names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sitemap {
    /// Addresses of pages.
    pub pages: Vec<String>,
    /// Addresses of further sitemaps, where this one is an index of them.
    pub sitemaps: Vec<String>,
}

/// Why a file is no sitemap.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SitemapError {
    /// It is not well-formed XML.
    Xml {
        /// Line, counted from 1.
        line: usize,
        /// What the parser found.
        message: String,
    },
    /// Its outermost element is none of a sitemap.
    OtherXml {
        /// Name of that element; empty where there is none.
        root: String,
    },
}

impl fmt::Display for SitemapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SitemapError::Xml { line, message } => {
                write!(
                    f,
                    "not XML at line {line}: {message}; write the sitemap anew"
                )
            }
            SitemapError::OtherXml { root } => write!(
                f,
                "no sitemap, because its outermost element is <{root}> and not <urlset> or <sitemapindex>"
            ),
        }
    }
}

impl std::error::Error for SitemapError {}

/// Reads a sitemap or an index of sitemaps (sitemaps.org, protocol 0.9).
///
/// # Errors
///
/// [`SitemapError`] where the text is something else.
pub fn read_sitemap(text: &str) -> Result<Sitemap, SitemapError> {
    let mut reader = Reader::from_str(text);
    let mut sitemap = Sitemap::default();
    let mut root: Option<String> = None;
    // Only the `loc` right below an entry is a page; extensions have `image:loc` and the like.
    let mut depth = 0u32;
    let mut location: Option<String> = None;
    loop {
        let event = reader.read_event().map_err(|error| {
            let at = usize::try_from(reader.error_position()).unwrap_or(text.len());
            SitemapError::Xml {
                line: text.as_bytes()[..at.min(text.len())]
                    .iter()
                    .filter(|&&byte| byte == b'\n')
                    .count()
                    + 1,
                message: error.to_string(),
            }
        })?;
        match event {
            Event::Start(element) => {
                let name = element.name();
                let name = String::from_utf8_lossy(name.as_ref()).into_owned();
                if depth == 2 && name == "loc" {
                    location = Some(String::new());
                }
                depth += 1;
                root.get_or_insert(name);
            }
            Event::Empty(element) => {
                let name = element.name();
                root.get_or_insert_with(|| String::from_utf8_lossy(name.as_ref()).into_owned());
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let Some(address) = location.take() {
                    let address = address.trim().to_owned();
                    match root.as_deref() {
                        _ if address.is_empty() => {}
                        Some("sitemapindex") => sitemap.sitemaps.push(address),
                        _ => sitemap.pages.push(address),
                    }
                }
            }
            Event::Text(text) => {
                if let (Some(location), Ok(text)) = (&mut location, text.decode()) {
                    location.push_str(&text);
                }
            }
            Event::CData(text) => {
                if let (Some(location), Ok(text)) = (&mut location, text.decode()) {
                    location.push_str(&text);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(location) = &mut location {
                    let named = reference.decode().unwrap_or_default();
                    let character = reference.resolve_char_ref().ok().flatten();
                    match quick_xml::escape::resolve_predefined_entity(&named) {
                        Some(text) => location.push_str(text),
                        None => location.extend(character),
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match root.as_deref() {
        Some("urlset" | "sitemapindex") => Ok(sitemap),
        root => Err(SitemapError::OtherXml {
            root: root.unwrap_or_default().to_owned(),
        }),
    }
}

/// The files that may hold the page at an address, most likely first, relative to the
/// documentation root. Empty where the address lies outside the site.
///
/// The host is not looked at: a sitemap names the public one, whatever `baseUrl` is.
pub fn files_of_address(address: &str, options: &Options) -> Vec<String> {
    let Some(path) = url::path_below_base(address, options) else {
        return Vec::new();
    };
    if path.is_empty() {
        return vec!["index.html".to_owned(), "index.htm".to_owned()];
    }
    if let Some(folder) = path.strip_suffix('/') {
        return vec![format!("{folder}/index.html"), format!("{folder}.html")];
    }
    vec![
        path.clone(),
        format!("{path}.html"),
        format!("{path}/index.html"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, pages: &[&str], sitemaps: &[&str]) {
        let found = read_sitemap(text).expect(text);
        assert_eq!(found.pages, pages);
        assert_eq!(found.sitemaps, sitemaps);
    }

    #[test]
    fn pages_and_further_sitemaps_are_read() {
        check(
            "<?xml version=\"1.0\"?><!-- c --><urlset xmlns=\"x\"><url><loc>\n https://e.org/a?x=1&amp;y=&#50; </loc>\
             <lastmod>2024</lastmod><image:image><image:loc>https://e.org/i.png</image:loc><loc>z</loc></image:image></url>\
             <url><loc><![CDATA[https://e.org/b]]></loc><xhtml:link rel=\"alternate\" href=\"c\"/></url></urlset>",
            &["https://e.org/a?x=1&y=2", "https://e.org/b"],
            &[],
        );
        check(
            "<sitemapindex><sitemap><loc>https://e.org/s1.xml</loc></sitemap></sitemapindex>",
            &[],
            &["https://e.org/s1.xml"],
        );
        check("<urlset/>", &[], &[]);
    }

    #[test]
    fn another_file_is_refused_with_what_it_is() {
        let error = |text| read_sitemap(text).expect_err(text).to_string();
        assert!(error("<rss><channel/></rss>").contains("<rss>"));
        assert!(error("no markup").contains("no sitemap"));
        assert!(error("<urlset>\n<url></urlset>").contains("line 2"));
    }

    #[test]
    fn an_address_leads_to_the_files_that_may_serve_it() {
        let options = |base_url: &str| Options {
            base_url: base_url.to_owned(),
            ..Options::default()
        };
        let files = |address, base| files_of_address(address, &options(base));
        assert_eq!(files("https://e.org/", "/")[0], "index.html");
        assert_eq!(files("https://e.org", "/")[0], "index.html");
        assert_eq!(
            files("https://e.org/b/guide/", "/b/")[0],
            "guide/index.html"
        );
        assert_eq!(files("https://e.org/b", "/b/")[0], "index.html");
        assert_eq!(
            files("https://e.org/a%20b/c?x#y", "https://other.org"),
            ["a b/c", "a b/c.html", "a b/c/index.html"]
        );
        assert!(files("https://e.org/c/x.html", "/b/").is_empty());
        assert!(files("https://e.org/b/%2e%2e/x.html", "/b").is_empty());
        assert!(files("/bc/x.html", "/b").is_empty());
    }
}

//! The address at which the site serves a file.

use super::{Options, UrlStyle, path::Format};

/// The address of a page, without a fragment.
pub(super) fn of_file(path: &str, format: Format, options: &Options) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let (folders, name) = match path.rfind('/') {
        Some(slash) => path.split_at(slash + 1),
        None => ("", path),
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_markdown = matches!(format, Format::Markdown | Format::Mdx);
    let is_index = match format {
        Format::Html => stem.eq_ignore_ascii_case("index"),
        // Hosts and generators serve a folder's README, and Hugo its `_index`, as the folder's page.
        Format::Markdown | Format::Mdx => ["index", "readme", "_index"]
            .iter()
            .any(|index| stem.eq_ignore_ascii_case(index)),
        _ => false,
    };
    let mut url = base(options);
    push_encoded(&mut url, folders);
    if is_index {
        return url;
    }
    if is_markdown {
        push_encoded(&mut url, stem);
        url.push_str(match options.urls {
            UrlStyle::Html => ".html",
            UrlStyle::Clean => "",
            UrlStyle::Dir => "/",
        });
    } else {
        push_encoded(&mut url, name);
    }
    url
}

/// The address of an HTML page, and the page's canonical address where that is another page's.
///
/// A canonical address of the page itself shows how the site serves it: `/guide/limits`,
/// `/guide/limits/` or `/guide/limits.html` for the same file. Its origin and base are those of
/// the published site and not of this copy, so only its end is taken over.
pub(super) fn of_page(
    path: &str,
    canonical: Option<&str>,
    options: &Options,
) -> (String, Option<String>) {
    let url = of_file(path, Format::Html, options);
    let Some(canonical) = canonical else {
        return (url, None);
    };
    let canonical = canonical.split(['#', '?']).next().unwrap_or_default();
    let address = path_of(canonical).trim_start_matches('/');
    let own = without_ending(path.strip_prefix("./").unwrap_or(path));
    let named = without_ending(address);
    let is_itself = named == own
        || named
            .strip_suffix(own)
            .is_some_and(|base| base.ends_with('/'));
    if own.is_empty() || !is_itself {
        let is_home = own.is_empty() && !address.trim_matches('/').contains('/');
        return (
            url,
            (!is_home && !address.is_empty()).then(|| canonical.to_owned()),
        );
    }
    let mut served = base(options);
    push_encoded(&mut served, own);
    served.push_str(match address {
        _ if address.ends_with('/') => "/",
        _ if address.ends_with(".html") => return (url, None),
        _ => "",
    });
    (served, None)
}

/// What is the same for all ways to write the address of a page: without origin, leading slash
/// and what hosts leave out.
pub(crate) fn same_address(address: &str) -> &str {
    without_ending(path_of(address).trim_start_matches('/'))
}

/// A path without what hosts leave out: `index.html`, the extension, the last slash.
fn without_ending(path: &str) -> &str {
    let path = path
        .strip_suffix("index.html")
        .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        .or_else(|| path.strip_suffix(".html"))
        .unwrap_or(path);
    path.trim_end_matches('/')
}

/// The address that a Markdown page sets for itself (`permalink`, `url` or `slug`).
///
/// Generators read it relative to the site, so the base is applied here as for any other page.
pub(super) fn of_permalink(permalink: &str, path: &str, options: &Options) -> String {
    if has_origin(permalink) {
        return without_fragment(permalink).to_owned();
    }
    let mut url = base(options);
    match permalink.strip_prefix('/') {
        Some(rest) => push_encoded(&mut url, without_fragment(rest)),
        None => {
            push_encoded(
                &mut url,
                path.rfind('/').map_or("", |slash| &path[..=slash]),
            );
            push_encoded(&mut url, without_fragment(permalink));
        }
    }
    url
}

/// The address of a record. Its `url` is an address already: only a relative one gets the base.
pub(super) fn of_record(url: &str, options: &Options) -> String {
    let url = without_fragment(url);
    if url.starts_with('/') || has_origin(url) {
        return url.to_owned();
    }
    base(options) + url
}

/// The path of an address below the site's base, decoded; `None` where it lies elsewhere or is
/// no path of a site. Hosts are not compared.
pub(super) fn path_below_base(address: &str, options: &Options) -> Option<String> {
    let path = path_of(address);
    let base = base(options);
    let base = path_of(&base);
    let below = match path.strip_prefix(base) {
        Some(below) => below,
        // The base itself may be named without its slash.
        None if Some(path) == base.strip_suffix('/') => "",
        None => return None,
    };
    let decoded = percent_decoded(below)?;
    let climbs = decoded.split('/').any(|name| name == ".." || name == ".");
    (!climbs && !decoded.contains('\0')).then_some(decoded)
}

/// The path of an address, without scheme, host, query and fragment.
fn path_of(address: &str) -> &str {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => address,
    };
    path.split(['?', '#']).next().unwrap_or(path)
}

/// Resolves percent escapes; `None` where the bytes are not UTF-8.
fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = |at: usize| {
            after
                .get(at)
                .and_then(|&digit| char::from(digit).to_digit(16))
        };
        match (byte, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether a page can be at that address as it stands. Other schemes are no addresses of pages:
/// `javascript://` would run as a link.
fn has_origin(url: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

fn base(options: &Options) -> String {
    let given = options.base_url.trim();
    let mut base = String::with_capacity(given.len() + 64);
    if !given.starts_with('/') && !given.contains("://") {
        base.push('/');
    }
    base.push_str(given);
    if !base.ends_with('/') {
        base.push('/');
    }
    base
}

/// Percent-encodes what may not stand in a path (RFC 3986, section 3.3), slashes apart.
///
/// A `%` that starts an escape is kept: a permalink may be encoded already.
fn push_encoded(url: &mut String, path: &str) {
    let bytes = path.as_bytes();
    for (i, &byte) in bytes.iter().enumerate() {
        let escape = byte == b'%'
            && bytes.get(i + 1).is_some_and(u8::is_ascii_hexdigit)
            && bytes.get(i + 2).is_some_and(u8::is_ascii_hexdigit);
        if escape || byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&byte) {
            url.push(char::from(byte));
        } else {
            const HEX: &[u8; 16] = b"0123456789ABCDEF";
            url.push('%');
            url.push(char::from(HEX[usize::from(byte >> 4)]));
            url.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, base_url: &str, urls: UrlStyle, expected: &str) {
        let options = Options {
            base_url: base_url.to_owned(),
            urls,
            ..Options::default()
        };
        let format = super::super::format_of(path, &options).expect(path);
        assert_eq!(
            of_file(path, format, &options),
            expected,
            "{path} below {base_url}"
        );
    }

    #[test]
    fn the_base_is_applied_once_whatever_its_slashes() {
        for base in ["/handbook/", "/handbook", "handbook"] {
            check(
                "guide/limits.html",
                base,
                UrlStyle::Html,
                "/handbook/guide/limits.html",
            );
            check("guide/index.html", base, UrlStyle::Html, "/handbook/guide/");
            check(
                "handbook/a.html",
                base,
                UrlStyle::Html,
                "/handbook/handbook/a.html",
            );
        }
        check(
            "a.html",
            "https://docs.example.org",
            UrlStyle::Html,
            "https://docs.example.org/a.html",
        );
        check("index.html", "", UrlStyle::Html, "/");
    }

    #[test]
    fn markdown_gets_the_address_of_its_page() {
        check("a/b.md", "/", UrlStyle::Html, "/a/b.html");
        check("a/b.md", "/", UrlStyle::Clean, "/a/b");
        check("a/b.md", "/", UrlStyle::Dir, "/a/b/");
        check("a/README.md", "/", UrlStyle::Html, "/a/");
        check("v1.2.md", "/", UrlStyle::Html, "/v1.2.html");
    }

    #[test]
    fn a_canonical_address_shows_how_the_site_serves_a_page() {
        let served = |path: &str, canonical: &str| {
            let options = Options {
                base_url: "/b/".to_owned(),
                ..Options::default()
            };
            of_page(path, Some(canonical), &options)
        };
        let itself = |url: &str| (url.to_owned(), None);
        let docs = "https://e.org/docs";
        assert_eq!(
            served("g/a/index.html", &format!("{docs}/g/a/")),
            itself("/b/g/a/")
        );
        assert_eq!(
            served("g/a/index.html", &format!("{docs}/g/a")),
            itself("/b/g/a")
        );
        assert_eq!(
            served("g/a.html", &format!("{docs}/g/a?x#y")),
            itself("/b/g/a")
        );
        assert_eq!(
            served("g/a.html", &format!("{docs}/g/a.html")),
            itself("/b/g/a.html")
        );
        assert_eq!(served("index.html", &format!("{docs}/")), itself("/b/"));
        let other = format!("{docs}/latest/a.html");
        assert_eq!(
            served("v1/a.html", &other),
            ("/b/v1/a.html".to_owned(), Some(other))
        );
    }

    #[test]
    fn names_are_percent_encoded() {
        check("a b/c#d?.html", "/", UrlStyle::Html, "/a%20b/c%23d%3F.html");
        check("über.html", "/", UrlStyle::Html, "/%C3%BCber.html");
        check("100%.html", "/", UrlStyle::Html, "/100%25.html");
    }

    #[test]
    fn permalinks_and_records_keep_their_own_address() {
        let options = Options {
            base_url: "/b/".to_owned(),
            ..Options::default()
        };
        assert_eq!(of_permalink("/x/", "guide/a.md", &options), "/b/x/");
        assert_eq!(of_permalink("x", "guide/a.md", &options), "/b/guide/x");
        assert_eq!(of_record("/b/x#y", &options), "/b/x");
        assert_eq!(of_record("x", &options), "/b/x");
        assert_eq!(of_record("https://e.org/x", &options), "https://e.org/x");
        assert_eq!(
            of_permalink("HTTP://e.org/x", "a.md", &options),
            "HTTP://e.org/x"
        );
    }

    #[test]
    fn an_address_that_a_link_would_run_becomes_a_path() {
        let options = Options::default();
        let hostile = "javascript://x/%0aalert(1)";
        let path = "/javascript://x/%0aalert(1)";
        assert_eq!(of_record(hostile, &options), path);
        assert_eq!(of_permalink(hostile, "a.md", &options), path);
    }
}

//! Which files a project's `.gitignore` files leave out, by the rules of git.
//!
//! A pattern becomes a glob for the matcher that `include` and `exclude` use as well. The crate
//! `ignore` would bring two regular expression engines into the builder, half its size again.

/// The patterns of all `.gitignore` files met so far.
///
/// Global patterns (`core.excludesFile`) and `.git/info/exclude` are not read: they belong to a
/// person and not to the project, and the same documents would give other bundles elsewhere.
#[derive(Clone, Debug, Default)]
pub struct GitIgnore {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq)]
struct Pattern {
    /// Matched against the path below the top folder.
    glob: String,
    /// Whether it takes back what an earlier one left out.
    negated: bool,
    /// Whether it means folders only.
    folders_only: bool,
}

impl GitIgnore {
    /// Adds the text of the `.gitignore` in `folder`, a path below the top folder with `/`
    /// between names, empty for the top itself. Patterns added later win over earlier ones, so
    /// the file of a folder is added after those of the folders above it.
    pub fn add(&mut self, folder: &str, text: &str) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let patterns = text.lines().filter_map(|line| Pattern::parse(folder, line));
        self.patterns.extend(patterns);
    }

    /// Whether a file or folder is left out. `path` is below the top folder, with `/`.
    ///
    /// What lies in a folder that is left out is so too, and no pattern takes it back: do not
    /// enter the folder.
    pub fn ignores(&self, path: &str, is_folder: bool) -> bool {
        let last = self.patterns.iter().rev().find(|pattern| {
            (is_folder || !pattern.folders_only) && fast_glob::glob_match(&pattern.glob, path)
        });
        last.is_some_and(|pattern| !pattern.negated)
    }
}

impl Pattern {
    /// Reads a line as gitignore(5) specifies it; `None` for a comment or an empty line.
    fn parse(folder: &str, line: &str) -> Option<Pattern> {
        let line = without_trailing_spaces(line);
        if line.starts_with('#') {
            return None;
        }
        let (negated, line) = match line.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (folders_only, line) = match line.strip_suffix('/') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        if line.is_empty() {
            return None;
        }
        let mut glob = String::new();
        if !folder.is_empty() {
            push_literal(&mut glob, folder);
            glob.push('/');
        }
        // A pattern with a slash is bound to its folder; any other means names at any depth.
        match line.strip_prefix('/') {
            Some(rest) => push_glob(&mut glob, rest),
            None if line.contains('/') => push_glob(&mut glob, line),
            None => {
                glob.push_str("**/");
                push_glob(&mut glob, line);
            }
        }
        Some(Pattern {
            glob,
            negated,
            folders_only,
        })
    }
}

/// Spaces at the end do not count, unless a backslash stands before them.
fn without_trailing_spaces(line: &str) -> &str {
    let mut line = line.trim_end_matches('\r');
    while let Some(shorter) = line.strip_suffix([' ', '\t']) {
        if shorter.ends_with('\\') {
            break;
        }
        line = shorter;
    }
    line
}

/// A path as a glob that means that path alone.
fn push_literal(glob: &mut String, path: &str) {
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '!' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
}

/// A pattern of git as a glob: braces have no meaning to git.
fn push_glob(glob: &mut String, pattern: &str) {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' => glob.extend(['\\', c]),
            '\\' => {
                glob.push('\\');
                // A backslash at the end of a pattern makes it match nothing in git.
                glob.push(chars.next().unwrap_or('\\'));
            }
            c => glob.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ignored: &[&str], kept: &[&str]) {
        let mut git_ignore = GitIgnore::default();
        git_ignore.add("", text);
        let ignores = |path: &&str| {
            let folder = path.strip_suffix('/');
            git_ignore.ignores(folder.unwrap_or(path), folder.is_some())
        };
        for path in ignored {
            assert!(ignores(path), "{text:?} should leave out {path}");
        }
        for path in kept {
            assert!(!ignores(path), "{text:?} should keep {path}");
        }
    }

    #[test]
    fn a_name_is_left_out_at_any_depth_and_a_path_where_it_says() {
        check(
            "draft.md",
            &["draft.md", "a/b/draft.md"],
            &["draft.mdx", "draft.md/x"],
        );
        check("/draft.md", &["draft.md"], &["a/draft.md"]);
        check("a/draft.md", &["a/draft.md"], &["draft.md", "b/a/draft.md"]);
        check("*.log", &["x.log", "a/x.log"], &["x.log.md"]);
        check("a/*.md", &["a/x.md"], &["a/b/x.md"]);
        check("a/**/x.md", &["a/x.md", "a/b/c/x.md"], &["x.md"]);
        check("**/build", &["build/", "a/build"], &["rebuild"]);
        check("a/**", &["a/x", "a/b/c"], &["b/a/x"]);
    }

    #[test]
    fn a_slash_at_the_end_means_folders() {
        check("build/", &["build/", "a/build/"], &["build"]);
        check("/build/", &["build/"], &["a/build/", "build"]);
    }

    #[test]
    fn a_later_pattern_takes_back_what_an_earlier_one_left_out() {
        check("*.md\n!index.md", &["a.md"], &["index.md", "a/index.md"]);
        check("!a.md\n*.md", &["a.md"], &[]);
    }

    #[test]
    fn comments_spaces_and_escapes_are_read_as_git_does() {
        check(
            "# a.md\n\n  \n\\#b.md\n\\!c.md",
            &["#b.md", "!c.md"],
            &["a.md", "b.md"],
        );
        check("a.md  \r\nb\\ ", &["a.md", "b "], &["a.md  ", "b"]);
        check("{a,b}.md", &["{a,b}.md"], &["a.md"]);
        check("[ab].md", &["a.md"], &["c.md"]);
    }

    #[test]
    fn the_file_of_a_folder_holds_below_it_and_wins_over_those_above() {
        let mut git_ignore = GitIgnore::default();
        git_ignore.add("", "*.md");
        git_ignore.add("a[1]", "!keep.md\n/top.txt");
        assert!(git_ignore.ignores("a[1]/x.md", false));
        assert!(!git_ignore.ignores("a[1]/b/keep.md", false));
        assert!(git_ignore.ignores("keep.md", false));
        assert!(git_ignore.ignores("a[1]/top.txt", false));
        assert!(!git_ignore.ignores("a1/top.txt", false));
    }
}

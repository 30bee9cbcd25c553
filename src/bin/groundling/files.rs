//! The files that the command reads, in an order that does not depend on the machine.

use groundling::document::GitIgnore;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Why a file is left out that a project does not keep.
const GIT_IGNORED: &str = "left out by .gitignore";

/// A file to read.
pub struct File {
    /// Relative to the documentation root, with `/` on every platform.
    pub path: String,
    /// Where to read it.
    pub place: PathBuf,
    /// Whether it was named by itself on the command line.
    pub named: bool,
}

/// Files and what was left out with the reason.
#[derive(Default)]
pub struct Files {
    /// Sorted by path within each input.
    pub found: Vec<File>,
    /// What could not be read or was not entered.
    pub skipped: Vec<(String, String)>,
    /// Real paths that are taken, so that links neither loop nor double a page.
    seen: HashSet<PathBuf>,
    /// Whether `.gitignore` files count.
    git_ignore: bool,
    /// The patterns that hold in the folder that is walked.
    ignored: Ignored,
}

/// The `.gitignore` patterns of a folder and of the repository above it.
#[derive(Default)]
struct Ignored {
    patterns: GitIgnore,
    /// Path of the folder below the top of its repository, with `/` at its end.
    prefix: String,
    /// Length in bytes of what stands before the folder's own paths, where several are built.
    named: usize,
}

impl Ignored {
    /// The patterns above `root`, a real path. They do not count where they leave out `root`
    /// itself: it is the output of a generator then, and whoever names it wants it read.
    fn above(root: &Path) -> Ignored {
        let top = root.ancestors().find(|folder| folder.join(".git").exists());
        let below = top.and_then(|top| root.strip_prefix(top).ok().map(|below| (top, below)));
        let Some((top, below)) = below else {
            return Ignored::default();
        };
        let mut ignored = Ignored::default();
        let mut place = top.to_owned();
        for name in below {
            ignored.enter("", &place);
            place.push(name);
            ignored.prefix += &name.to_string_lossy();
            if ignored.patterns.ignores(&ignored.prefix, true) {
                return Ignored::default();
            }
            ignored.prefix.push('/');
        }
        ignored
    }

    /// Reads the patterns of a folder, whose path below the one that is walked is `path`.
    fn enter(&mut self, path: &str, place: &Path) {
        // Most folders have none; one that cannot be read leaves nothing out.
        if let Ok(text) = fs::read_to_string(place.join(".gitignore")) {
            let folder = [&self.prefix, path.get(self.named..).unwrap_or_default()].concat();
            self.patterns.add(folder.trim_end_matches('/'), &text);
        }
    }

    fn leaves_out(&self, path: &str, is_folder: bool) -> bool {
        let path = [&self.prefix, path.get(self.named..).unwrap_or_default()].concat();
        self.patterns.ignores(&path, is_folder)
    }
}

/// A symbolic link that is followed after all that lies in the folders themselves.
struct Link {
    path: String,
    place: PathBuf,
}

/// Finds the files below `docs`. Their paths are relative to the folder; with several folders
/// each path begins with the name of its folder. `out` is not read, nor what `.gitignore` files
/// leave out where `git_ignore` is set.
///
/// # Errors
///
/// Where an input does not exist or is named twice, or two would give the same path.
pub fn find(docs: &[PathBuf], out: &Path, git_ignore: bool) -> Result<Files, String> {
    let mut files = Files {
        git_ignore,
        ..Files::default()
    };
    files.seen.extend(fs::canonicalize(out));
    let several = docs.iter().filter(|input| input.is_dir()).count() > 1;
    for input in docs {
        let real = fs::canonicalize(input)
            .map_err(|error| format!("{} cannot be read: {error}", input.display()))?;
        if !real.is_dir() {
            files.found.push(File {
                path: name_of(input),
                place: input.clone(),
                named: true,
            });
            continue;
        }
        if files.seen.contains(&real) {
            let input = input.display();
            return Err(format!(
                "{input} is named twice, or is the folder of --out: name each folder once"
            ));
        }
        // A folder that is named is not hidden, so its pages must not look like hidden ones.
        let prefix = if several {
            [name_of(&real).trim_start_matches('.'), "/"].concat()
        } else {
            String::new()
        };
        files.walk(&prefix, &real);
    }
    files.check_distinct()?;
    Ok(files)
}

impl Files {
    /// Lists a folder, then what its links lead to.
    fn walk(&mut self, prefix: &str, root: &Path) {
        let first = self.found.len();
        self.ignored = match self.git_ignore {
            true => Ignored::above(root),
            false => Ignored::default(),
        };
        self.ignored.named = prefix.len();
        let mut links = VecDeque::new();
        self.enter(prefix, root, &mut links);
        // A link may lead to a folder with further links, which join the end of the queue.
        while let Some(link) = links.pop_front() {
            self.follow(link, &mut links);
        }
        self.found[first..].sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// Lists a folder, whose real path is `root`, and collects the links in it.
    fn enter(&mut self, prefix: &str, root: &Path, links: &mut VecDeque<Link>) {
        let mut entries = WalkDir::new(root).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let place = error.path().unwrap_or(root);
                    self.skipped
                        .push((path_below(prefix, root, place), error.to_string()));
                    continue;
                }
            };
            let path = path_below(prefix, root, entry.path());
            let place = entry.into_path();
            if place.is_symlink() {
                links.push_back(Link { path, place });
            } else if place.is_dir() {
                let is_root = place == root;
                if !(is_root || self.is_open(&path)) || !self.seen.insert(place.clone()) {
                    entries.skip_current_dir();
                } else if self.git_ignore {
                    self.ignored.enter(&path, &place);
                }
            } else if place.is_file() {
                self.list(path, place.clone(), place);
            }
        }
    }

    fn follow(&mut self, link: Link, links: &mut VecDeque<Link>) {
        match fs::canonicalize(&link.place) {
            Err(error) => self.skipped.push((link.path, error.to_string())),
            Ok(real) if real.is_file() => self.list(link.path, link.place, real),
            Ok(real) => {
                if self.is_open(&link.path) && !self.seen.contains(&real) {
                    self.enter(&[&link.path, "/"].concat(), &real, links);
                }
            }
        }
    }

    /// Whether a folder is entered: hidden ones and those of tools hold no documentation, and
    /// may hold very many files.
    fn is_open(&mut self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let reason = match name {
            "node_modules" => "folder of a tool",
            _ if name.starts_with('.') => "hidden folder",
            _ if self.ignored.leaves_out(path, true) => GIT_IGNORED,
            _ => return true,
        };
        self.skipped.push((path.to_owned(), reason.to_owned()));
        false
    }

    fn list(&mut self, path: String, place: PathBuf, real: PathBuf) {
        if !self.seen.insert(real) {
            return;
        }
        if self.ignored.leaves_out(&path, false) {
            self.skipped.push((path, GIT_IGNORED.to_owned()));
        } else {
            self.found.push(File {
                path,
                place,
                named: false,
            });
        }
    }

    fn check_distinct(&self) -> Result<(), String> {
        let mut taken = BTreeSet::new();
        match self.found.iter().find(|file| !taken.insert(&file.path)) {
            None => Ok(()),
            Some(File { path, place, .. }) => Err(format!(
                "{} and another file would both be indexed as {path}: rename one, or name their \
                 common folder instead",
                place.display()
            )),
        }
    }
}

/// The path of `place`, which lies below `root`.
fn path_below(prefix: &str, root: &Path, place: &Path) -> String {
    let below = place.strip_prefix(root).unwrap_or(place);
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    [prefix, &names.join("/")].concat()
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

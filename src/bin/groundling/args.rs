//! The command line.

use lexopt::prelude::{Long, Short, Value, ValueExt};
use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
Builds an index from documentation, to be compiled into the engine.

Usage: groundling build DOCS... --out DIR [OPTIONS]

  --out DIR       folder to write docs.index to
  --config FILE   configuration; default: groundling.json in DOCS, if DOCS is one folder
  --base URL      path or address below which the site is served; default: /
  --lang CODE     language of pages that name none, such as en
  --no-gitignore  read files that .gitignore leaves out
  --help          print this
  --version       print the version

DOCS are folders or single files, read as by the npm command of the same name. That command
writes a whole bundle and needs no Rust; this one writes the index alone:

  GROUNDLING_INDEX=DIR/docs.index wasm-pack build

Exit codes: 0 built, with or without warnings; 2 wrong usage or bad input.
";

/// What to do.
pub enum Command {
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// Build an index.
    Build(BuildArgs),
}

/// The arguments of `build`.
pub struct BuildArgs {
    /// Folders and files to read; at least one.
    pub docs: Vec<PathBuf>,
    /// Folder to write to.
    pub out: PathBuf,
    /// The configuration file, where it is named.
    pub config: Option<PathBuf>,
    /// Path or address below which the site is served.
    pub base: Option<String>,
    /// Language of pages that name none.
    pub lang: Option<String>,
    /// Whether files that `.gitignore` leaves out are read too.
    pub no_git_ignore: bool,
}

/// Reads the command line.
///
/// # Errors
///
/// With a message for the user.
pub fn parse(parser: lexopt::Parser) -> Result<Command, String> {
    read(parser)
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "name a command: groundling build DOCS... --out DIR".to_owned())
}

/// `None` where nothing is asked for.
fn read(mut parser: lexopt::Parser) -> Result<Option<Command>, lexopt::Error> {
    let mut command = None;
    let (mut docs, mut out) = (Vec::new(), None);
    let (mut config, mut base, mut lang) = (None, None, None);
    let mut no_git_ignore = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Some(Command::Help)),
            Short('V') | Long("version") => return Ok(Some(Command::Version)),
            Value(name) if command.is_none() => {
                if name != "build" {
                    let name = name.to_string_lossy();
                    return Err(format!("there is no command `{name}`, only `build`").into());
                }
                command = Some(name);
            }
            Value(path) => docs.push(PathBuf::from(path)),
            Long("out") => out = Some(PathBuf::from(parser.value()?)),
            Long("config") => config = Some(PathBuf::from(parser.value()?)),
            Long("base") => base = Some(parser.value()?.string()?),
            Long("lang") => lang = Some(parser.value()?.string()?),
            Long("no-gitignore") => no_git_ignore = true,
            _ => return Err(argument.unexpected()),
        }
    }
    if command.is_none() {
        return Ok(None);
    }
    if docs.is_empty() {
        return Err("the documents are missing: name a folder or file".into());
    }
    let Some(out) = out else {
        return Err("--out DIR is missing: name the folder to write to".into());
    };
    Ok(Some(Command::Build(BuildArgs {
        docs,
        out,
        config,
        base,
        lang,
        no_git_ignore,
    })))
}

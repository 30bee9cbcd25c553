//! `groundling build`: documentation in, `docs.index` out.

use crate::args::BuildArgs;
use crate::files::{self, File, Files};
use groundling::document::{Options, parse_config};
use groundling::index::{Site, Summary};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the configuration file that is looked for in the documentation folder.
const CONFIG_NAME: &str = "groundling.json";
/// Name of the file that is written.
const INDEX_NAME: &str = "docs.index";

/// Builds an index and returns the summary to print. Warnings go to standard error.
///
/// # Errors
///
/// With a message for the user.
pub fn run(arguments: &BuildArgs) -> Result<String, String> {
    let Files {
        found, mut skipped, ..
    } = files::find(&arguments.docs, &arguments.out, !arguments.no_git_ignore)?;
    let options = options(arguments)?;
    let synonyms = options.synonyms.clone();
    let mut site = Site::new(options);
    if let Some(name) = synonyms {
        let config = config_file(arguments).unwrap_or_default();
        let file = config.with_file_name(name);
        let unusable = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| unusable(&error))?;
        site.set_synonyms(&text).map_err(|error| unusable(&error))?;
    }
    for file in found {
        if let Some(reason) = add(&mut site, &file)? {
            skipped.push((file.path, reason));
        }
    }
    let summary = site.summary();
    let index = site.finish().map_err(|error| error.to_string())?;
    let place = write(&arguments.out, &index)?;
    Ok(report(&summary, &skipped, &place, index.len()))
}

/// The configuration with what the command line has in its place.
fn options(arguments: &BuildArgs) -> Result<Options, String> {
    let mut options = match config_file(arguments) {
        None => Options::default(),
        Some(file) => {
            let unusable = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
            let text = fs::read_to_string(&file).map_err(|error| unusable(&error))?;
            parse_config(&text).map_err(|error| unusable(&error))?
        }
    };
    if let Some(base_url) = &arguments.base {
        options.base_url.clone_from(base_url);
    }
    if arguments.lang.is_some() {
        options.lang.clone_from(&arguments.lang);
    }
    Ok(options)
}

/// The named file, else the one in the folder that is built. With several folders it would not be
/// clear which one counts.
fn config_file(arguments: &BuildArgs) -> Option<PathBuf> {
    if arguments.config.is_some() {
        return arguments.config.clone();
    }
    let folders = arguments.docs.iter().filter(|input| input.is_dir());
    let several = folders.clone().count() > 1;
    let mut present = folders
        .map(|folder| folder.join(CONFIG_NAME))
        .filter(|file| file.is_file());
    if !several {
        return present.next();
    }
    for file in present {
        let file = file.display();
        eprintln!(
            "warning: {file}: not used, because several folders are built: give one with --config"
        );
    }
    None
}

/// Adds a file, and returns why it was left out, if it was.
fn add(site: &mut Site, file: &File) -> Result<Option<String>, String> {
    let place = file.place.display();
    if let Some(reason) = site.skips(&file.path) {
        if file.named {
            return Err(format!("{place} cannot be indexed: {reason}"));
        }
        return Ok(Some(reason.to_string()));
    }
    let bytes = match fs::read(&file.place) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("warning: {place}: not indexed: {error}");
            return Ok(Some(error.to_string()));
        }
    };
    let added = site
        .add(&file.path, &bytes)
        .map_err(|error| error.to_string())?;
    for warning in added.warnings {
        let line = warning
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        eprintln!("warning: {place}{line}: {}", warning.message);
    }
    Ok(added.skipped.map(|reason| reason.to_string()))
}

/// Writes beside the place, then moves there, so that no reader meets half an index.
fn write(folder: &Path, index: &[u8]) -> Result<PathBuf, String> {
    let place = folder.join(INDEX_NAME);
    let beside = folder.join(format!(".{INDEX_NAME}.{}", std::process::id()));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, index))
        .and_then(|()| fs::rename(&beside, &place));
    written.map_err(|error| {
        // What is left of the attempt; there may be nothing.
        let _ = fs::remove_file(&beside);
        format!("{} cannot be written: {error}", place.display())
    })?;
    Ok(place)
}

fn report(summary: &Summary, skipped: &[(String, String)], place: &Path, bytes: usize) -> String {
    let Summary {
        pages,
        chunks,
        words,
        languages,
    } = summary;
    let languages = languages.join(", ");
    let mut text = format!("{pages} pages · {chunks} chunks · {words} words · {languages}\n");
    if !skipped.is_empty() {
        text += &format!("{} files or folders left out:\n", skipped.len());
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, reason) in skipped {
            by_reason.entry(reason).or_default().push(path);
        }
        for (reason, paths) in by_reason {
            let more = match paths.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            text += &format!("  {reason}: {}{more}\n", paths[0]);
        }
    }
    let place = place.display();
    text += &format!("{place}: {} kB\n", bytes.div_ceil(1000));
    text += &format!("Compile it into the engine: GROUNDLING_INDEX={place} wasm-pack build\n");
    text
}

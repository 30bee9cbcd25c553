//! The documentation that comes with the Rust toolchain: real pages to test and measure with.

use groundling::document::{Chunk, Document, Options, chunks, read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The folder of the toolchain's HTML, or how to get it.
pub fn folder() -> Result<PathBuf, String> {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
    let output = rustc.map_err(|error| format!("rustc does not start: {error}"))?;
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let folder = Path::new(&sysroot).join("share/doc/rust/html");
    if folder.join("book/index.html").is_file() {
        Ok(folder)
    } else {
        Err("The Rust Book is missing; rustup component add rust-docs".to_owned())
    }
}

/// One page and its chunks.
pub struct Page {
    pub document: Document,
    pub chunks: Vec<Chunk>,
}

/// Reads the pages below the folders `names` of `root`, in the order of their paths. Paths are
/// relative to `root`, and `options` decide what is left out.
pub fn pages(root: &Path, names: &[String], options: &Options) -> io::Result<Vec<Page>> {
    let mut files = Vec::new();
    for name in names {
        walk(&root.join(name), &mut files)?;
    }
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        let relative = file.strip_prefix(root).map_err(io::Error::other)?;
        let path = relative.to_string_lossy().replace('\\', "/");
        if !path.ends_with(".html") {
            continue;
        }
        let bytes = fs::read(&file)?;
        let read = read(&path, &bytes, options).map_err(io::Error::other)?;
        for document in read.documents {
            pages.push(Page {
                chunks: chunks(&document, options.chunk_words),
                document,
            });
        }
    }
    Ok(pages)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

//! Sets the engine's stack, and compiles an index into the crate where `GROUNDLING_INDEX` names its file.
//!
//! `GROUNDLING_INDEX=docs.index wasm-pack build` makes the same bundle from source that
//! `bundle::embed` makes from a prebuilt engine.

use std::env;
use std::path::PathBuf;

const VARIABLE: &str = "GROUNDLING_INDEX";

/// The stack of the engine in bytes. A reader's memory holds it from the start, and the linker's own choice is
/// 1 MiB. `tests/node/stack.test.js` holds that the deepest input needs less than half of it.
const STACK_BYTES: u32 = 128 * 1024;

fn main() {
    let is_wasm = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    // Reading HTML, which the feature `build` adds, may need more.
    if is_wasm && env::var_os("CARGO_FEATURE_BUILD").is_none() {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK_BYTES}");
    }
    println!("cargo::rustc-check-cfg=cfg(groundling_index)");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    // An empty value means none: a shell cannot always unset a variable for one command.
    let value = env::var_os(VARIABLE).map(PathBuf::from);
    let Some(path) = value.filter(|path| !path.as_os_str().is_empty()) else {
        return;
    };
    // Cargo runs this in the crate's root, so a relative path is relative to that.
    // `include_bytes!` is relative to its source file and needs the absolute path.
    let file = match path.canonicalize() {
        Ok(file) if file.is_file() => file,
        Ok(_) => return fail(&format!("{} is not a file", path.display())),
        Err(cause) => return fail(&format!("{} cannot be read: {cause}", path.display())),
    };
    let Some(file) = file.to_str() else {
        return fail(&format!("the path {} is not UTF-8", file.display()));
    };
    println!("cargo::rerun-if-changed={file}");
    println!("cargo::rustc-cfg=groundling_index");
    println!("cargo::rustc-env=GROUNDLING_INDEX_FILE={file}");
}

/// Stops the compilation with what is wrong and what to do.
fn fail(problem: &str) {
    println!(
        "cargo::error={VARIABLE}: {problem}. Give the path of an index file, absolute or \
         relative to the root of the groundling crate, or unset {VARIABLE} to compile without one."
    );
}

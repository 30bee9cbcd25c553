//! The native command: builds an index from documentation, to be compiled into the engine.

// Cargo builds this program along with the integration tests, also where those are compiled for
// wasm, and there it has no files to read.
#[cfg(not(target_arch = "wasm32"))]
mod args;
#[cfg(not(target_arch = "wasm32"))]
mod build;
#[cfg(not(target_arch = "wasm32"))]
mod files;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use args::Command;
    use std::process::ExitCode;

    let done = args::parse(lexopt::Parser::from_env()).and_then(|command| match command {
        Command::Help => Ok(args::HELP.to_owned()),
        Command::Version => Ok(format!("groundling {}\n", env!("CARGO_PKG_VERSION"))),
        Command::Build(arguments) => build::run(&arguments),
    });
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Wrong usage or bad input, as in the npm command.
#[cfg(not(target_arch = "wasm32"))]
const EXIT_USAGE: u8 = 2;

#[cfg(target_arch = "wasm32")]
fn main() {}

//! The native command: builds an index from documentation.

fn main() {}

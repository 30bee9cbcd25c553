//! The whole flow from a question to a verified answer.

pub mod offline;

//! From text to terms: the one analyzer that build and query share.

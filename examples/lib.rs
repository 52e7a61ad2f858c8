//! Holds no code: the examples are beside it, each run by a test.

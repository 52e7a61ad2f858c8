//! Holds no code: the cases are beside it.

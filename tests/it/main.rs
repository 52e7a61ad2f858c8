//! Behaviour at the public surface, one module a subject.

mod arguments;
mod bad_input;
mod catalogue;
mod declaring;
mod declaring_running;
mod dialect_openai;
mod dialects;
mod executor;
mod laws;
mod recorded;
mod recorded_calls;
mod repair;
mod returns;
mod schemas;
mod secrets;
mod testing_kit;
mod toolbox;

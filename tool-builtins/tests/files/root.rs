//! A root directory for one test.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;
use tool_builtins::Policy;
use tool_core::{ErrorKind, Outcome};

use crate::calls::{call, error_of};

pub(crate) struct Root {
    pub(crate) directory: TempDir,
    pub(crate) policy: Policy,
}

impl Root {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let policy = Policy::new().root(directory.path());
        Self { directory, policy }
    }

    pub(crate) fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.put(path, content);
        self
    }

    pub(crate) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        call(&self.policy, tool, arguments).await
    }

    /// The JSON result of a call that succeeds.
    pub(crate) async fn json(&self, tool: &str, arguments: Value) -> Value {
        let outcome = self.call(tool, arguments).await;
        let output = outcome.result.as_ref().expect(tool);
        serde_json::from_str(output.json().unwrap().as_str()).unwrap()
    }

    /// What the model reads of a call that fails in this way.
    pub(crate) async fn error(&self, tool: &str, arguments: Value, kind: ErrorKind) -> String {
        let outcome = self.call(tool, arguments).await;
        let error = error_of(&outcome, kind);
        let host = self.directory.path().to_str().unwrap();
        assert!(!error.to_model().contains(host), "{}", error.to_model());
        error.to_model()
    }
}

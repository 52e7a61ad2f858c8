//! Where documents are read whose readers an input can bring down, and how much of them is taken in.

use std::path::PathBuf;
use std::time::Duration;

use super::settings::Policy;

/// Which process reads PDF files and old spreadsheets.
///
/// Their readers can be made to overflow the stack or to ask for more memory than there is, and that ends a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Worker {
    /// This program, started a second time. It must begin its `main` with
    /// [`run_if_asked`](crate::worker::run_if_asked); where it does not, such documents are refused.
    #[default]
    ThisProgram,
    /// The program at this path, which begins its `main` with [`run_if_asked`](crate::worker::run_if_asked): the
    /// command `tool`, or `tool-document-worker` of this crate.
    Program(PathBuf),
    /// No process of its own. A hostile document can end this program: for documents that are trusted.
    InProcess,
}

impl Worker {
    /// The program at `path`.
    pub fn program(path: impl Into<PathBuf>) -> Self {
        Self::Program(path.into())
    }
}

impl Policy {
    /// Sets which process reads PDF files and old spreadsheets. Default: [`Worker::ThisProgram`].
    pub fn worker(mut self, worker: Worker) -> Self {
        self.worker = worker;
        self
    }

    /// Sets how long the worker may take over one document. Default: 10 s.
    pub fn document_timeout(mut self, time: Duration) -> Self {
        self.limits.document_time = time;
        self
    }

    /// Sets how much memory the worker may have, in bytes, its program included. Default: 512 MiB.
    pub fn max_document_memory(mut self, bytes: usize) -> Self {
        self.limits.document_memory = bytes;
        self
    }

    /// Which process reads PDF files and old spreadsheets.
    #[must_use]
    pub fn worker_program(&self) -> &Worker {
        &self.worker
    }
}

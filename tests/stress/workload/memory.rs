//! What the process takes of the machine, where Linux tells.

/// What the process takes at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// The memory that is in use, in bytes.
    pub(crate) resident: u64,
    /// The threads of the operating system.
    pub(crate) threads: u64,
}

impl Taken {
    /// What it takes now. `None` where the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let field = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Self {
            resident: field("VmRSS:")? * 1024,
            threads: field("Threads:")?,
        })
    }

    /// The memory in MiB, to be read.
    pub(crate) fn mebibytes(&self) -> u64 {
        self.resident / (1024 * 1024)
    }
}

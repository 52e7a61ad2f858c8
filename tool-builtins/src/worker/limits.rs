//! What a worker takes from itself before it reads the first byte of a document.

/// Sets the limits of this process. They only ever get lower.
#[cfg(unix)]
pub(super) fn lower(memory: u64, seconds: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = |resource, value: u64| {
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX).min(value);
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        // Where a system does not know a limit, the parent's clock still holds.
        let _ = setrlimit(resource, limit);
    };
    limit(Resource::Core, 0);
    limit(Resource::Fsize, 0);
    // Standard input, output and error are open; nothing else can be opened any more, no file and no socket.
    limit(Resource::Nofile, 3);
    limit(Resource::Cpu, seconds);
    #[cfg(not(target_os = "openbsd"))]
    limit(Resource::As, memory);
}

/// The parent's clock is the only limit here.
#[cfg(not(unix))]
pub(super) fn lower(_memory: u64, _seconds: u64) {}

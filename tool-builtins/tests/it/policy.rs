//! The policy as a value.

use std::time::Duration;

use tool_builtins::{Network, Policy};

#[test]
fn the_default_is_public_network_working_directory_and_bounded() {
    for policy in [Policy::new(), Policy::default()] {
        assert_eq!(policy.network_access(), Network::Public);
        assert_eq!(policy.root_directory(), None);
        let limits = policy.limits();
        assert_eq!(
            (limits.download, limits.file_read, limits.redirects),
            (10 << 20, 10 << 20, 10)
        );
        assert_eq!(
            (limits.total, limits.connect, limits.idle),
            (
                Duration::from_secs(30),
                Duration::from_secs(10),
                Duration::from_secs(10)
            )
        );
    }
}

#[test]
fn a_policy_can_be_shared_between_threads_and_printed() {
    fn shareable<T: Send + Sync + Clone + std::fmt::Debug>(_: &T) {}
    let policy = Policy::new().root("/srv/agent");
    shareable(&policy);
    assert!(format!("{policy:?}").contains("/srv/agent"));
}

#[test]
fn changing_a_clone_leaves_the_original_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.txt"), "12345").unwrap();
    let first = Policy::new().root(directory.path());
    assert!(first.read("a.txt").is_ok());
    let second = first.clone().max_file_read(2);
    assert!(second.read("a.txt").is_err());
    assert!(first.read("a.txt").is_ok());
}

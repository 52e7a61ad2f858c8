//! What happens at the same time: directories that turn into links, and many calls for one file.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;
use tool_builtins::files::{
    FindOptions, ListOptions, Occurrences, Overwrite, ReadOptions, SearchOptions, copy_file,
    create_directory, delete_file, edit_file, file_info, find_files, list_directory, move_file,
    read_file, search_files, write_file,
};
use tool_builtins::policy::RecursiveDelete;
use tool_builtins::{Policy, files};
use tool_core::{Call, Catalogue, Executor, Rule, Selector};

use crate::root::Root;
use crate::trap::{OVERWRITE, SECRET, Trap};

/// Exchanges a directory below the root with a link to one outside, again and again.
struct Flipper {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Flipper {
    fn start(trap: &Trap) -> Self {
        fs::create_dir(trap.at("ws/flip")).unwrap();
        fs::write(trap.at("ws/flip/secret.txt"), "harmless").unwrap();
        symlink(trap.at("outside"), trap.at("ws/flop")).unwrap();
        let (directory, link) = (trap.at("ws/flip"), trap.at("ws/flop"));
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                let _ = renameat_with(CWD, &directory, CWD, &link, RenameFlags::EXCHANGE);
            }
        });
        Self {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Flipper {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[test]
fn a_directory_that_turns_into_a_link_leads_no_tool_outside() {
    let trap = Trap::set();
    let policy = trap
        .policy
        .clone()
        .recursive_delete(RecursiveDelete::Allowed);
    let flipper = Flipper::start(&trap);
    let (mut reached, mut refused) = (0, 0);
    for round in 0..1000 {
        let new = format!("flip/new-{}.txt", round % 7);
        let mut count = |is_ok: bool| if is_ok { reached += 1 } else { refused += 1 };
        let read = read_file(&policy, "flip/secret.txt", &ReadOptions::default());
        count(read.is_ok());
        if let Ok(content) = read {
            assert!(!format!("{content:?}").contains(SECRET));
        }
        count(write_file(&policy, &new, &"x".into(), &OVERWRITE).is_ok());
        count(
            edit_file(
                &policy,
                "flip/secret.txt",
                SECRET,
                "stolen",
                Occurrences::One,
            )
            .is_ok(),
        );
        count(copy_file(&policy, "inside.txt", "flip/copy.txt", Overwrite::Yes).is_ok());
        count(move_file(&policy, &new, "moved.txt", Overwrite::Yes).is_ok());
        count(move_file(&policy, "moved.txt", "flip/moved.txt", Overwrite::Yes).is_ok());
        count(create_directory(&policy, &format!("flip/d{round}")).is_ok());
        count(delete_file(&policy, &format!("flip/d{round}"), RecursiveDelete::Refused).is_ok());
        count(delete_file(&policy, "flip/dir", RecursiveDelete::Allowed).is_ok());
        count(delete_file(&policy, &new, RecursiveDelete::Refused).is_ok());
        count(list_directory(&policy, "flip", &ListOptions::default().depth(3)).is_ok());
        count(file_info(&policy, "flip/secret.txt", files::Checksum::Sha256).is_ok());
        let mut find = FindOptions::new("*");
        find.path = "flip".to_owned();
        count(find_files(&policy, &find).is_ok());
        let found = search_files(&policy, &SearchOptions::new(SECRET)).unwrap();
        // One file below the root has the secret by a hard link, which nobody can tell from a file.
        assert!(!found.text.contains("secret.txt"), "{}", found.text);
    }
    drop(flipper);
    println!("{reached} calls reached the directory, {refused} were refused");
    assert!(reached > 0 && refused > 0, "{reached} {refused}");
    trap.secrets_are_intact();
    let names: BTreeSet<_> = fs::read_dir(trap.at("outside"))
        .unwrap()
        .chain(fs::read_dir(trap.at("outside/dir")).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        names,
        BTreeSet::from(["dir".to_owned(), "secret.txt".to_owned()])
    );
}

fn executor(policy: &Policy) -> Executor {
    Executor::builder(Catalogue::new(files::TOOLS).unwrap())
        .state(policy.clone())
        .rule(Rule::allow(Selector::named("files")))
        .build()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_changes_of_one_file_at_once_none_is_lost() {
    let lines: String = (0..64)
        .map(|number| format!("slot {number}: empty\n"))
        .collect();
    let root = Root::new().with("a.txt", lines);
    let executor = executor(&root.policy);
    // Spelled differently, so that the executor cannot tell that they mean one file.
    let spellings = ["a.txt", "./a.txt", ".//a.txt", "././a.txt"];
    let calls = (0..64).map(|number| {
        let arguments = json!({
            "path": spellings[number % 4],
            "old_text": format!("slot {number}: empty"),
            "new_text": format!("slot {number}: full"),
        });
        Call::new(number.to_string(), "files-edit_file", arguments)
    });
    for outcome in &executor.run(calls.collect::<Vec<_>>()).await {
        assert!(outcome.is_ok(), "{}", outcome.text());
    }
    let expected: String = (0..64)
        .map(|number| format!("slot {number}: full\n"))
        .collect();
    assert_eq!(root.text("a.txt"), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_additions_at_once_each_is_there_once_and_one_of_many_creations_wins() {
    let root = Root::new();
    let executor = executor(&root.policy);
    let write = |number: usize, path: &str, mode: &str| {
        let content = format!("line {number}\n");
        let arguments = json!({"path": path, "content": content, "mode": mode});
        Call::new(number.to_string(), "files-write_file", arguments)
    };
    let spellings = ["log.txt", "./log.txt", ".//log.txt", "././log.txt"];
    let calls = (0..64).map(|number| write(number, spellings[number % 4], "append"));
    for outcome in &executor.run(calls.collect::<Vec<_>>()).await {
        assert!(outcome.is_ok(), "{}", outcome.text());
    }
    let text = root.text("log.txt");
    let found: BTreeSet<&str> = text.lines().collect();
    assert_eq!((text.lines().count(), found.len()), (64, 64));

    let spellings = ["new.txt", "./new.txt", ".//new.txt", "././new.txt"];
    let calls = (0..64).map(|number| write(number, spellings[number % 4], "create"));
    let outcomes = executor.run(calls.collect::<Vec<_>>()).await;
    let made: Vec<usize> = outcomes
        .iter()
        .filter(|outcome| outcome.is_ok())
        .map(|outcome| outcome.call_id.parse().unwrap())
        .collect();
    assert_eq!(made.len(), 1);
    assert_eq!(root.text("new.txt"), format!("line {}\n", made[0]));
    let drafts = fs::read_dir(root.directory.path()).unwrap();
    assert_eq!(drafts.count(), 2, "no draft is left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn moves_in_opposite_directions_between_roots_end() {
    let other = tempfile::tempdir().unwrap();
    let mut root = Root::new();
    root.policy = root.policy.clone().add_root(
        "other",
        other.path(),
        tool_builtins::policy::Access::ReadWrite,
    );
    for number in 0..50 {
        root.put(&format!("{number}.txt"), "here");
        fs::write(other.path().join(format!("o{number}.txt")), "there").unwrap();
    }
    let executor = executor(&root.policy);
    let calls = (0..100).map(|number| {
        let half = number / 2;
        let arguments = if number % 2 == 0 {
            json!({"path": format!("{half}.txt"), "to": format!("other:/{half}.txt")})
        } else {
            json!({"path": format!("other:/o{half}.txt"), "to": format!("o{half}.txt")})
        };
        Call::new(number.to_string(), "files-move_file", arguments)
    });
    for outcome in &executor.run(calls.collect::<Vec<_>>()).await {
        assert!(outcome.is_ok(), "{}", outcome.text());
    }
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 50);
}

#[test]
fn a_file_that_grows_while_it_is_read_is_read_up_to_the_limit_or_refused() {
    let root = Root::new().with("log.txt", "x\n");
    let policy = root.policy.clone().max_file_read(100_000);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write;
            let mut file = fs::File::options()
                .append(true)
                .open(root.at("log.txt"))
                .unwrap();
            while !stop.load(Ordering::Relaxed) {
                file.write_all(&[b'x'; 4096]).unwrap();
            }
        });
        let mut refused = false;
        while !refused {
            match read_file(&policy, "log.txt", &ReadOptions::default()) {
                Ok(content) => assert!(content.size <= 100_000),
                Err(error) => {
                    assert!(
                        error.to_string().contains("Policy::max_file_read"),
                        "{error}"
                    );
                    refused = true;
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

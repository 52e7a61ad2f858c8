//! The sandbox alone: hostile programs run past every rule about arguments, and still reach nothing.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use tool_builtins::command_line::{Request, run_command};
use tool_builtins::policy::{Commands, Sandbox};
use tool_core::ErrorKind;

use crate::processes::with_perl;
use crate::root::{Root, SECRET};

/// A root in which `perl` and `sh` may do what they like, with every program of the system.
fn with_shell(writes: &str) -> Root {
    let mut root = Root::new();
    let texts = [
        format!("sh: -c=TEXT; {writes}; forks; runs /usr/bin /usr/sbin; TEXT..."),
        format!("perl: -e=TEXT; {writes}; forks; runs /usr/bin; TEXT..."),
    ];
    let commands = texts.iter().fold(Commands::standard(), |commands, text| {
        commands.allow(text.parse().unwrap())
    });
    root.policy = root.policy.commands(commands);
    root
}

async fn shell(root: &Root, script: &str) -> (i64, String, String) {
    let script = script.replace("OUTER", root.outer.path().to_str().unwrap());
    Root::ran(&root.run(&format!("sh -c '{script}'")).await)
}

#[tokio::test]
async fn a_shell_in_the_sandbox_works_below_the_root_only() {
    let root = with_shell("writes");
    let ran = shell(&root, "echo x > made.txt && cat made.txt a.txt | wc -l && rm made.txt && ls /usr/share > /dev/null").await;
    assert_eq!(ran, (0, "4\n".to_owned(), String::new()));
    for script in [
        "cat /etc/shadow",
        "cat /etc/passwd",
        "cat OUTER/secret.txt",
        "cat link-out",
        "cat link-root/etc/passwd",
        "cat /proc/self/environ",
        "cat /proc/1/environ",
        "cat /proc/self/root/etc/passwd",
        "ls /",
        "ls /root",
        "ls /home",
        "ls /tmp",
        "ls OUTER",
        "ls /proc",
        "ls /etc",
        "cat /usr/local/bin/x",
        "echo x > OUTER/x",
        "echo x > OUTER/secret.txt",
        "echo x >> OUTER/ws-evil/secret.txt",
        "echo x > link-out",
        "echo x > link-new",
        "cp a.txt OUTER/x",
        "mv a.txt OUTER/x",
        "mv OUTER/secret.txt x",
        "rm OUTER/secret.txt",
        "mkdir OUTER/x",
        "rmdir OUTER/ws-evil",
        "ln a.txt OUTER/x",
        "ln -s a.txt OUTER/x",
        "ln OUTER/secret.txt x",
        "touch OUTER/secret.txt",
        "touch -d 2001-01-01 OUTER/secret.txt",
        "truncate -s 0 OUTER/secret.txt",
        "chmod 777 OUTER/secret.txt",
        "chmod 777 a.txt",
        "chown 1 OUTER/secret.txt",
        "chgrp 1 a.txt",
        "mknod x c 1 3",
        "mkfifo x",
        "echo x > /dev/tty",
        "echo x > /tmp/x",
        "echo x > /dev/shm/x",
        "find /etc -name passwd -exec cat {} +",
        "tar cf OUTER/x.tar a.txt",
        "tar cf - /etc/passwd",
        "mount -t tmpfs x sub",
        "unshare -r true",
        "unshare -U true",
        "chroot . true",
        "nsenter -t 1 -m true",
        "setsid -f true && false",
        "renice 5 $PPID",
        "prlimit --pid $PPID --nofile=4000",
        "kill -0 $PPID",
        "ionice -c 3 -p $PPID",
        "cp /usr/bin/true mine && ./mine",
        "cat /proc/$PPID/environ",
        "cat /proc/$PPID/root/etc/passwd",
    ] {
        let (code, stdout, stderr) = shell(&root, script).await;
        assert_ne!(code, 0, "{script}: {stdout}{stderr}");
        assert!(
            !stdout.contains(SECRET) && !stdout.contains("root:"),
            "{script}: {stdout}"
        );
        root.outside_is_intact(script);
    }
}

#[tokio::test]
async fn a_program_that_only_reads_cannot_write_below_the_root_either() {
    let root = with_shell("always");
    let before = root.inside();
    for script in [
        "echo x > x",
        "rm a.txt",
        "mkdir x",
        "mv a.txt x",
        "touch a.txt",
        "truncate -s 0 a.txt",
        "ln a.txt x",
        "chmod 600 a.txt",
    ] {
        assert_ne!(shell(&root, script).await.0, 0, "{script}");
        assert!(root.inside() == before, "{script}");
    }
    assert_eq!(shell(&root, "cat a.txt | wc -l").await.1, "3\n");
}

#[tokio::test]
async fn a_program_starts_no_other() {
    let mut root = Root::new();
    let perl = "perl: -e=TEXT; writes".parse().unwrap();
    root.policy = root.policy.commands(Commands::standard().allow(perl));
    for script in [
        "exec q(/bin/sh), q(-c), q(echo PWNED); print 1",
        "print STDERR fork() // q(none)",
        "system q(echo PWNED)",
        "print `echo PWNED`",
        "open F, q(|cat > x); print F 1",
    ] {
        let (_, stdout, stderr) = Root::ran(&root.run(&format!("perl -e '{script}'")).await);
        assert!(
            !stdout.contains("PWNED") && !root.at("ws/x").exists(),
            "{script}: {stdout}"
        );
        assert!(
            script.contains("fork") == (stderr == "none"),
            "{script}: {stderr}"
        );
    }
}

#[tokio::test]
async fn nothing_is_contacted() {
    let root = with_perl();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let socket = root.at("ws/socket");
    let unix = UnixListener::bind(&socket).unwrap();
    unix.set_nonblocking(true).unwrap();
    for script in [
        format!("use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or die \"no socket\"; connect(S, sockaddr_in({port}, inet_aton(\"127.0.0.1\"))) or die; print 1"),
        "use Socket; socket(S, PF_INET, SOCK_DGRAM, 0) or die; print 1".to_owned(),
        "use Socket; socket(S, PF_INET6, SOCK_STREAM, 0) or die; print 1".to_owned(),
        "use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un(q(socket))) or die; print 1".to_owned(),
        // The same calls by number, and `io_uring`, which would do them elsewhere.
        "my $fd = syscall(41, 2, 1, 0); die if $fd < 0; print 1".to_owned(),
        "my $fd = syscall(0x40000000 + 41, 2, 1, 0); die if $fd < 0; print 1".to_owned(),
        "my $p = chr(0) x 200; my $fd = syscall(425, 8, $p); die if $fd < 0; print 1".to_owned(),
    ] {
        let ran = Root::ran(&root.run(&format!("perl -e '{script}'")).await);
        assert!(ran.0 != 0 && ran.1.is_empty(), "{script}: {ran:?}");
        assert!(ran.2.starts_with("Died") || ran.2.starts_with("no socket"), "{script}: {ran:?}");
    }
    assert!(listener.accept().is_err());
    assert!(unix.accept().is_err());

    // The same script with a network, to see that it could.
    let mut root = root;
    let perl = "perl: -e=TEXT; network".parse().unwrap();
    root.policy = root.policy.commands(Commands::none().allow(perl));
    let script = format!(
        "use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or die; connect(S, sockaddr_in({port}, inet_aton(\"127.0.0.1\"))) or die; print 1"
    );
    let ran = Root::ran(&root.run(&format!("perl -e '{script}'")).await);
    assert_eq!((ran.0, ran.1.as_str()), (0, "1"), "{ran:?}");
    assert!(listener.accept().is_ok());
}

#[test]
fn where_the_system_gives_no_sandbox_nothing_runs_unless_the_host_says_so() {
    use landlock::{AccessFs, Ruleset, RulesetAttr};

    let root = Root::new();
    let run = |sandbox| {
        let policy = root.policy.clone().sandbox(sandbox);
        run_command(&policy, &Request::new("cat b.txt"), &|| false)
    };
    std::thread::scope(|scope| {
        let inner = scope.spawn(|| {
            // The kernel takes no more than sixteen sets of rules one upon the other.
            for _ in 0..16 {
                let rules = Ruleset::default()
                    .handle_access(AccessFs::MakeSock)
                    .unwrap();
                rules.create().unwrap().restrict_self().unwrap();
            }
            let error = run(Sandbox::Required).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Denied);
            assert!(
                error.hint().unwrap().contains("--sandbox where-available"),
                "{error:?}"
            );
            assert_eq!(run(Sandbox::WhereAvailable).unwrap().stdout, "one\n2\n");
            assert_eq!(run(Sandbox::Off).unwrap().stdout, "one\n2\n");
        });
        inner.join().unwrap();
    });
}

#[tokio::test]
async fn the_host_is_left_as_it_was() {
    let root = Root::new();
    assert_eq!(Root::ran(&root.run("cat a.txt").await).0, 0);
    // This process still reads, writes, connects and starts what it likes.
    assert!(fs::read("/etc/passwd").is_ok());
    fs::write(root.at("free.txt"), "x").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    assert!(std::net::TcpStream::connect(listener.local_addr().unwrap()).is_ok());
    let status = std::process::Command::new("sh")
        .args(["-c", "cat /etc/passwd > /dev/null"])
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn the_environment_holds_no_secret() {
    let root = with_shell("writes");
    let names = shell(&root, "env | cut -d= -f1 | sort | tr \"\\n\" \" \"")
        .await
        .1;
    assert_eq!(names.trim(), "HOME LANG LC_ALL PATH PWD TERM");
}

#[tokio::test]
async fn without_a_sandbox_the_rules_still_hold() {
    let mut root = Root::new();
    root.policy = root.policy.sandbox(Sandbox::Off);
    assert_eq!(Root::ran(&root.run("cat a.txt | wc -l").await).1, "3\n");
    for command in [
        "cat ../secret.txt",
        "cat link-out",
        "find . -delete",
        "diff -r link-dir sub",
    ] {
        assert!(root.run(command).await.result.is_err(), "{command}");
    }
    // Links that a walk meets are not followed.
    for command in [
        "grep -r SECRET .",
        "cp -r . copy",
        "diff -r . sub",
        "du -a .",
        "find . -name secret.txt",
    ] {
        let (_, stdout, _) = Root::ran(&root.run(command).await);
        let lines = stdout
            .lines()
            .filter(|line| line.contains("secret.txt") || line.contains(SECRET));
        assert!(
            lines.clone().all(|line| line.contains("hard.txt")),
            "{command}: {stdout}"
        );
    }
    root.outside_is_intact("all");
}

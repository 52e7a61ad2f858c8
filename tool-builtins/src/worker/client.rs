//! The program's side.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::message::{Answer, LONGEST, Order};
use super::{ARGUMENT, is_ready};
use crate::document::{Bounds, Fault, Kind, Reading, Request, read_here};
use crate::policy::{Policy, Worker};

/// Reads a document where the policy says.
pub(crate) fn read(
    policy: &Policy,
    bytes: &[u8],
    kind: Kind,
    request: &Request,
) -> Result<Reading, Fault> {
    let program = match policy.worker_program() {
        Worker::ThisProgram if is_ready() => this_program().ok_or(Fault::NoWorker)?,
        Worker::ThisProgram => return Err(Fault::NoWorker),
        Worker::Program(path) => path.clone(),
        Worker::InProcess => return read_here(bytes, kind, request, Bounds::of(policy.limits())),
    };
    let limits = policy.limits();
    let order = Order {
        kind,
        request: request.clone(),
        expanded: limits.expanded,
        memory: limits.document_memory as u64,
        seconds: limits.document_time.as_secs().saturating_add(1),
    };
    let child = start(&program)?;
    run(child, &order, bytes, limits.document_time)
}

/// The link that the kernel keeps is right even when the file was replaced by a newer one.
fn this_program() -> Option<PathBuf> {
    let link = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && link.exists() {
        return Some(link);
    }
    std::env::current_exe().ok()
}

fn start(program: &PathBuf) -> Result<Child, Fault> {
    Command::new(program)
        .arg(ARGUMENT)
        // It is to know nothing: no secret of the environment, no directory.
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Fault::Worker(format!("it cannot be started ({})", error.kind())))
}

fn run(mut child: Child, order: &Order, bytes: &[u8], time: Duration) -> Result<Reading, Fault> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Fault::Worker("it has no pipes".to_owned()));
    };
    let (tell, told) = mpsc::channel();
    let answer = thread::scope(|scope| {
        scope.spawn(move || {
            // A worker that gives up early does not read to the end, and that is not the news.
            let _ = serde_json::to_writer(&mut input, order)
                .map_err(std::io::Error::from)
                .and_then(|()| input.write_all(b"\n"))
                .and_then(|()| input.write_all(bytes));
        });
        scope.spawn(move || {
            let mut answer = Vec::new();
            let read = output.take(LONGEST + 1).read_to_end(&mut answer);
            let _ = tell.send(read.map(|_| answer));
        });
        let answer = told.recv_timeout(time);
        if answer.is_err() {
            // Dead, it holds up neither of the threads, whatever it was doing.
            let _ = child.kill();
        }
        answer
    });
    let status = wait(&mut child);
    let answer = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            return Err(Fault::Worker(format!(
                "its answer cannot be read ({})",
                error.kind()
            )));
        }
        Err(_) => {
            return Err(Fault::Stopped(format!(
                "it took longer than {} s",
                time.as_secs_f64()
            )));
        }
    };
    if answer.len() as u64 > LONGEST {
        return Err(Fault::Worker("its answer is too long".to_owned()));
    }
    match serde_json::from_slice::<Answer>(&answer) {
        Ok(answer) => answer,
        Err(_) => Err(end_of(status)),
    }
}

/// How it ended. It has closed its output, so it is about to; one that lingers is killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    for _ in 0..200 {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().ok()
}

/// Why there is no whole answer.
fn end_of(status: Option<ExitStatus>) -> Fault {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;

        if let Some(signal) = status.and_then(|status| status.signal()) {
            return Fault::Stopped(match signal {
                24 => "it took more time than is allowed".to_owned(),
                _ => "it needed more memory or stack than is allowed".to_owned(),
            });
        }
    }
    match status.and_then(|status| status.code()) {
        Some(code) => Fault::Worker(format!(
            "it is no worker, or of another version (exit code {code})"
        )),
        None => Fault::Worker("it gave no answer".to_owned()),
    }
}

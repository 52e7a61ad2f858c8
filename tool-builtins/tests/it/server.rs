//! A small HTTP server that answers with exactly the bytes a test wants, however odd.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tool_builtins::{Network, Policy};

/// What a client sent.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
}

/// What the server does in answer.
pub(crate) enum Reply {
    /// A whole response, headers included, after which the connection closes.
    Raw(Vec<u8>),
    /// The parts of a response with a pause after each, for ever or until the client goes.
    Slow(Vec<u8>, Duration),
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || {
                    let _ = serve(stream, &log, answer.as_ref());
                });
            }
        });
        Self { address, requests }
    }

    /// Answers every request with one body.
    pub(crate) fn with(content_type: &str, body: impl AsRef<[u8]>) -> Self {
        let reply = ok(content_type, body.as_ref());
        Self::start(move |_| Reply::Raw(reply.clone()))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The default policy with this one server allowed.
    pub(crate) fn policy(&self) -> Policy {
        Policy::new().allow_address(self.address)
    }

    /// A policy under which `name` is this server's address.
    pub(crate) fn named(&self, name: &str) -> Policy {
        Policy::new()
            .network(Network::PrivateAllowed)
            .resolve(name, self.address.ip())
    }
}

fn serve(
    stream: TcpStream,
    log: &Mutex<Vec<Request>>,
    answer: &dyn Fn(&Request) -> Reply,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let request = Request { path, headers };
    log.lock().unwrap().push(request.clone());
    match answer(&request) {
        Reply::Raw(bytes) => stream.write_all(&bytes)?,
        Reply::Slow(bytes, pause) => {
            for byte in bytes.chunks(1) {
                stream.write_all(byte)?;
                thread::sleep(pause);
            }
        }
    }
    stream.flush()
}

/// A 200 response with a length.
pub(crate) fn ok(content_type: &str, body: &[u8]) -> Vec<u8> {
    response("200 OK", &[("Content-Type", content_type)], body)
}

pub(crate) fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        bytes.push_str(&format!("{name}: {value}\r\n"));
    }
    bytes.push_str("\r\n");
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

pub(crate) fn redirect(status: u16, location: &str) -> Reply {
    Reply::Raw(response(
        &format!("{status} Moved"),
        &[("Location", location)],
        b"",
    ))
}

//! A server of the web for tests: it says what a test wants it to, and tells what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// What the server was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Path and query.
    pub target: String,
    /// Lines of the header, names in lower case.
    pub header: Vec<(String, String)>,
}

impl Asked {
    /// A line of the header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What the server answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status, lines of the header, a body.
    Document(u16, Vec<(String, String)>, Vec<u8>),
    /// The header of a document, and a body that never ends.
    Endless,
    /// Nothing, until the server goes.
    Silence,
}

impl Reply {
    /// A JSON document.
    pub fn json(text: &str) -> Reply {
        Reply::status(200).with("content-type", "application/json").body(text)
    }

    /// A status without a body.
    pub fn status(status: u16) -> Reply {
        Reply::Document(status, Vec::new(), Vec::new())
    }

    /// Sends elsewhere.
    pub fn redirect(to: &str) -> Reply {
        Reply::status(302).with("location", to)
    }

    /// With a line in the header.
    pub fn with(mut self, name: &str, value: &str) -> Reply {
        if let Reply::Document(_, header, _) = &mut self {
            header.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// With a body.
    pub fn body(mut self, text: &str) -> Reply {
        if let Reply::Document(_, _, body) = &mut self {
            *body = text.as_bytes().to_owned();
        }
        self
    }
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

/// What connections share.
struct Shared {
    answer: Box<Answer>,
    asked: Mutex<Vec<Asked>>,
    /// Connections without any message.
    silent: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

/// A server on this machine, until it is dropped.
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// One that answers so.
    pub fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            asked: Mutex::default(),
            silent: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let own = shared.clone();
        let accept = move || {
            for connection in listener.incoming().flatten() {
                if own.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let shared = own.clone();
                thread::spawn(move || drop(serve(connection, &shared)));
            }
        };
        Server { port, shared, accepting: Some(thread::spawn(accept)) }
    }

    /// The host as a user allows it, `http://127.0.0.1:1234`.
    pub fn host(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The URL of a path that begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.host())
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().expect("no test panicked").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        if let Ok(mut silent) = self.shared.silent.lock() {
            silent.drain(..).for_each(|connection| drop(connection.shutdown(Shutdown::Both)));
        }
        // The thread that accepts connections has to notice.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// Answers one request.
fn serve(connection: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection.try_clone()?.take(64 * 1024)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut header = Vec::new();
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(':') else { break };
        header.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let asked = Asked { target, header };
    let reply = (shared.answer)(&asked);
    shared.asked.lock().expect("no test panicked").push(asked);
    let mut out = &connection;
    match reply {
        Reply::Document(status, header, body) => {
            write!(out, "HTTP/1.1 {status} OK\r\nconnection: close\r\n")?;
            for (name, value) in header {
                write!(out, "{name}: {value}\r\n")?;
            }
            write!(out, "content-length: {}\r\n\r\n", body.len())?;
            out.write_all(&body)
        }
        Reply::Endless => {
            write!(out, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\n\r\n")?;
            // Ends when there is no listener any more.
            loop {
                out.write_all(&[b' '; 4096])?;
            }
        }
        Reply::Silence => {
            shared.silent.lock().expect("no test panicked").push(connection);
            Ok(())
        }
    }
}

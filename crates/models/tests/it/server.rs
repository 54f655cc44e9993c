//! Test servers: one that never responds, and one with a table of pages.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Accepts and counts connections, but never responds.
pub fn silent() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counter = count.clone();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            counter.fetch_add(1, Ordering::SeqCst);
            open.push(stream);
        }
    });
    (url, count)
}

/// The content of a path.
#[derive(Clone)]
pub enum Page {
    Html(String),
    /// A file with the headers of the hub.
    File(Vec<u8>, Transfer),
}

/// How a file is sent.
#[derive(Clone, Copy, PartialEq)]
pub enum Transfer {
    Whole,
    /// Sends half of the file and closes the connection.
    Broken,
    /// Breaks the first request only.
    BrokenOnce,
    /// Sends half of the file and keeps the connection open.
    Stalled,
}

/// An HTTP server with a table of pages. It counts the requests per path, except those for only
/// the first byte.
pub struct Server {
    pub url: String,
    pub requests: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Server {
    pub fn start(pages: BTreeMap<String, Page>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(BTreeMap::new()));
        let (pages, counts) = (Arc::new(pages), requests.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, counts) = (pages.clone(), counts.clone());
                std::thread::spawn(move || answer(stream, &pages, &counts));
            }
        });
        Self { url, requests }
    }

    pub fn count(&self, path: &str) -> usize {
        self.requests.lock().unwrap().get(path).copied().unwrap_or(0)
    }
}

/// Handles a request and closes the connection. Ignores a client that disconnects.
fn answer(
    mut stream: TcpStream,
    pages: &BTreeMap<String, Page>,
    counts: &Mutex<BTreeMap<String, usize>>,
) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(request)) = lines.next() else {
        return;
    };
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    // The first requested byte, and whether it is the only one.
    let mut range = None;
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(text) = line.to_lowercase().strip_prefix("range: bytes=") {
            let first = text.split('-').next().and_then(|first| first.parse().ok());
            range = first.map(|first: usize| (first, text == "0-0"));
        }
    }
    let probe = range == Some((0, true));
    let mut counts = counts.lock().unwrap();
    let count = counts.entry(path.clone()).or_default();
    *count += usize::from(!probe);
    let first_time = *count == 1;
    drop(counts);

    let head = |status: &str, length: usize, more: &str| {
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n")
    };
    let sent = match pages.get(&path) {
        None => stream.write_all(head("404 Not Found", 0, "").as_bytes()),
        Some(Page::Html(text)) => {
            let head = head("200 OK", text.len(), "Content-Type: text/html\r\n");
            stream.write_all(format!("{head}{text}").as_bytes())
        }
        Some(Page::File(bytes, transfer)) => {
            let mut headers = "ETag: \"tag\"\r\nX-Repo-Commit: c0ffee\r\n".to_owned();
            let (status, body) = match range {
                Some((first, only)) => {
                    let end = if only { first + 1 } else { bytes.len() };
                    headers +=
                        &format!("Content-Range: bytes {first}-{}/{}\r\n", end - 1, bytes.len());
                    ("206 Partial Content", &bytes[first..end])
                }
                None => ("200 OK", &bytes[..]),
            };
            let whole = match transfer {
                Transfer::Whole => true,
                Transfer::BrokenOnce => probe || !first_time,
                Transfer::Broken | Transfer::Stalled => probe,
            };
            let part = if whole { body } else { &body[..body.len() / 2] };
            let sent = stream
                .write_all(head(status, body.len(), &headers).as_bytes())
                .and_then(|()| stream.write_all(part));
            if *transfer == Transfer::Stalled && !whole {
                std::thread::sleep(Duration::from_secs(60));
            }
            sent
        }
    };
    drop(sent);
}

//! Servers for the tests: one that never answers, and one that answers from a table.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Accepts connections, counts them and says nothing.
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

/// What is served under a path.
#[derive(Clone)]
pub enum Page {
    Html(String),
    /// With the headers of the hub.
    File(Vec<u8>, Manner),
}

/// How a file is sent.
#[derive(Clone, Copy, PartialEq)]
pub enum Manner {
    Whole,
    /// Half of what was promised, then the connection is closed.
    Broken,
    /// So for the first request, whole after that.
    BrokenOnce,
    /// Half of what was promised, then silence.
    Stalled,
}

/// A small HTTP server over a table of pages; it counts the requests by path, those for
/// the first byte only left out.
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
        self.requests
            .lock()
            .unwrap()
            .get(path)
            .copied()
            .unwrap_or(0)
    }
}

/// One request, then the connection is closed. A client that went away is no failure.
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
    // First byte asked for, and whether it is the only one.
    let mut range = None;
    for line in lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
    {
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
        Some(Page::File(bytes, manner)) => {
            let mut headers = "ETag: \"tag\"\r\nX-Repo-Commit: c0ffee\r\n".to_owned();
            let (status, body) = match range {
                Some((first, only)) => {
                    let end = if only { first + 1 } else { bytes.len() };
                    headers += &format!(
                        "Content-Range: bytes {first}-{}/{}\r\n",
                        end - 1,
                        bytes.len()
                    );
                    ("206 Partial Content", &bytes[first..end])
                }
                None => ("200 OK", &bytes[..]),
            };
            let whole = match manner {
                Manner::Whole => true,
                Manner::BrokenOnce => probe || !first_time,
                Manner::Broken | Manner::Stalled => probe,
            };
            let part = if whole { body } else { &body[..body.len() / 2] };
            let sent = stream
                .write_all(head(status, body.len(), &headers).as_bytes())
                .and_then(|()| stream.write_all(part));
            if *manner == Manner::Stalled && !whole {
                std::thread::sleep(std::time::Duration::from_secs(60));
            }
            sent
        }
    };
    drop(sent);
}

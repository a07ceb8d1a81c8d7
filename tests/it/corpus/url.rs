//! Fetching by HTTP, from a server in the test.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use onnx_conformance::corpus::fetch::Source;

use super::synthetic::{NAME, TestHome, files, gzip, tar, zip};

/// Fetches from a server that gives these answers, one to a connection; `{URL}` in an answer's head
/// stands for the server's address.
fn fetch(answers: &[Vec<u8>]) -> Result<u64, String> {
    let variables = ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"];
    let is_set = |name: &str| std::env::var_os(name).is_some();
    if variables.iter().any(|name| is_set(name) || is_set(&name.to_lowercase())) {
        return Err("SKIPPED: a proxy is set".to_owned());
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let url = format!("http://{address}");
    let home = TestHome::locked();
    let fetched = thread::scope(|scope| {
        scope.spawn(|| {
            for answer in answers {
                let (mut client, _) = listener.accept().unwrap();
                if !read_request(&client) {
                    return;
                }
                let place = answer.windows(5).position(|bytes| bytes == b"{URL}");
                let start = place.unwrap_or(0);
                let end = place.map_or(0, |start| start + 5);
                client.write_all(&answer[..start]).unwrap();
                if place.is_some() {
                    client.write_all(url.as_bytes()).unwrap();
                }
                client.write_all(&answer[end..]).unwrap();
            }
        });
        let fetched = home.fetch_from(Source::Url(format!("{url}/onnx.tar.gz")));
        // Ends a server that still waits for a request.
        drop(TcpStream::connect(address));
        fetched
    });
    assert_eq!(home.in_corpora(), if fetched.is_ok() { vec![NAME] } else { vec![] });
    fetched.map(|fetched| fetched.verified.cases).map_err(|error| error.to_string())
}

/// Whether there was one.
fn read_request(client: &TcpStream) -> bool {
    let lines = BufReader::new(client).lines().map(Result::unwrap);
    lines.take_while(|line| !line.is_empty()).count() > 0
}

/// An answer with this status and content, of which only a part is sent.
fn answer(status: &str, content: &[u8], sent: usize) -> Vec<u8> {
    let length = content.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    [head.as_bytes(), &content[..sent]].concat()
}

fn whole(content: &[u8]) -> Vec<u8> {
    answer("200 OK", content, content.len())
}

/// What the fetch failed for; `None`, loudly, where it cannot be tried.
fn failure(answers: &[Vec<u8>]) -> Option<String> {
    let error = fetch(answers).unwrap_err();
    if error.starts_with("SKIPPED") {
        eprintln!("{error}");
        return None;
    }
    Some(error)
}

#[test]
fn an_archive_of_any_format_is_fetched_by_its_address() {
    for archive in [zip(&files()), gzip(&tar(&files(), "onnx-0.0.1"))] {
        match fetch(&[whole(&archive)]) {
            Err(skipped) if skipped.starts_with("SKIPPED") => eprintln!("{skipped}"),
            cases => assert_eq!(cases, Ok(3)),
        }
    }
}

#[test]
fn redirections_are_followed() {
    let redirect = b"HTTP/1.1 302 Found\r\nLocation: {URL}/elsewhere\r\nContent-Length: 0\r\n\
        Connection: close\r\n\r\n";
    match fetch(&[redirect.to_vec(), whole(&zip(&files()))]) {
        Err(skipped) if skipped.starts_with("SKIPPED") => eprintln!("{skipped}"),
        cases => assert_eq!(cases, Ok(3)),
    }
}

#[test]
fn a_truncated_download_is_an_error_with_the_bytes_received() {
    let archive = gzip(&tar(&files(), "onnx-0.0.1"));
    let sent = archive.len() - 1;
    if let Some(error) = failure(&[answer("200 OK", &archive, sent)]) {
        assert!(error.contains(&format!("beyond byte {sent}")), "{error}");
    }
}

#[test]
fn a_download_without_a_stated_length_is_not_trusted_to_be_whole() {
    let archive = gzip(&tar(&files(), "onnx-0.0.1"));
    let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    let answer = [head, &archive[..archive.len() - 1]].concat();
    if let Some(error) = failure(&[answer]) {
        assert!(error.contains("damaged"), "{error}");
    }
}

#[test]
fn an_error_of_the_server_is_said_with_its_status() {
    if let Some(error) = failure(&[answer("404 Not Found", b"no", 2)]) {
        assert!(error.contains("404"), "{error}");
    }
}

#[test]
fn a_page_in_place_of_the_archive_is_said_to_be_none() {
    if let Some(error) = failure(&[whole(b"<html>Please log in</html>")]) {
        assert!(error.contains("is neither a wheel"), "{error}");
    }
}

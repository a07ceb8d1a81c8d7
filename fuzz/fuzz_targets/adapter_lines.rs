//! Any bytes as what an adapter writes to its standard output, and as what it is asked.

#![no_main]

use libfuzzer_sys::fuzz_target;
use onnx_conformance::backend::protocol::{Greeting, LINE_LIMIT, Reply, Request, Said};
use onnx_conformance::limits;

fuzz_target!(|bytes: &[u8]| {
    let mut stdout = bytes.to_vec();
    let mut read = 0;
    while let Some(said) = Said::take(&mut stdout) {
        match said {
            Said::Line(line) => {
                read += line.len() + 1;
                answer(&line);
            }
            Said::Half(_) => unreachable!("the stream has not ended"),
            Said::TooLong => {
                assert!(bytes.len() - read > LINE_LIMIT);
                return;
            }
        }
    }
    answer(&stdout);
    // Nothing is left out.
    assert_eq!(read + stdout.len(), bytes.len());
});

/// What is read is written as it was meant.
fn answer(line: &[u8]) {
    if let Ok(greeting) = Greeting::read(line) {
        let again = serde_json::to_vec(&greeting).expect("it was JSON");
        assert_eq!(Greeting::read(&again).ok(), Some(greeting));
    }
    if let Ok(reply) = Reply::read(line) {
        let again = serde_json::to_vec(&reply).expect("it was JSON");
        assert_eq!(Reply::read(&again).ok(), Some(reply));
    }
    if let Ok(request) = limits::from_json::<Request>(line) {
        let again = serde_json::to_vec(&request).expect("it was JSON");
        assert_eq!(limits::from_json(&again).ok(), Some(request));
    }
}

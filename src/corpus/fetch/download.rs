//! Archives by HTTP: the only place that starts a network client.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::Agent;

use super::{Event, MAX_DOWNLOAD_BYTES};

/// A server that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A download did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// Not an address that can be fetched from.
    #[error("`{0}` begins with neither `https://` nor `http://`; give a file by `--archive`")]
    Scheme(String),
    /// The server cannot be reached, or refuses.
    #[error("failed to request `{url}`")]
    Request {
        /// The address.
        url: String,
        /// The reason.
        #[source]
        source: Box<ureq::Error>,
    },
    /// The connection broke, or the body exceeds [`MAX_DOWNLOAD_BYTES`].
    #[error("failed to receive `{url}` beyond byte {received}")]
    Receive {
        /// The address.
        url: String,
        /// Bytes that had arrived.
        received: u64,
        /// The reason.
        source: io::Error,
    },
    /// Whoever asked for the file does not want it any more.
    #[error("interrupted")]
    Interrupted,
    /// The disk is full or the folder unwritable.
    #[error("failed to write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Downloads `url` to a file in `folder`; `progress` says whether to go on.
pub(super) fn download(
    url: &str,
    folder: &Path,
    progress: &dyn Fn(Event<'_>) -> ControlFlow<()>,
) -> Result<PathBuf, DownloadError> {
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(DownloadError::Scheme(url.to_owned()));
    }
    let agent: Agent = Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let mut response = agent.get(url).call().map_err(|source| DownloadError::Request {
        url: url.to_owned(),
        source: Box::new(source),
    })?;
    let total = response.body().content_length();
    let mut body = response.body_mut().with_config().limit(MAX_DOWNLOAD_BYTES).reader();

    let path = folder.join("archive");
    let failed = |source| DownloadError::Write { path: path.clone(), source };
    let mut file = File::create_new(&path).map_err(failed)?;
    let mut buffer = vec![0; 1 << 16];
    let mut received = 0;
    loop {
        let count = match body.read(&mut buffer) {
            Ok(0) => return Ok(path),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => {
                return Err(DownloadError::Receive { url: url.to_owned(), received, source });
            }
        };
        file.write_all(&buffer[..count]).map_err(failed)?;
        received += count as u64;
        if progress(Event::Downloaded(received, total)).is_break() {
            return Err(DownloadError::Interrupted);
        }
    }
}

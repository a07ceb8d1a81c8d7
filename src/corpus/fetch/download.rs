//! Archives by HTTP: the only place that starts a network client.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::Agent;

use super::super::CorpusError;
use super::staging::copy;
use super::{Event, MAX_DOWNLOAD_BYTES};

/// A server that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Downloads `url` to a file in `folder`; `progress` fails where no
/// more is wanted.
pub(super) fn download(
    url: &str,
    folder: &Path,
    progress: &dyn Fn(Event<'_>) -> Result<(), CorpusError>,
) -> Result<PathBuf, CorpusError> {
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(CorpusError::Source(format!(
            "`{url}` begins with neither `https://` nor `http://`; give a file by `--archive`"
        )));
    }
    let agent: Agent = Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let mut response = agent
        .get(url)
        .call()
        .map_err(|source| CorpusError::Request(url.to_owned(), Box::new(source)))?;
    let total = response.body().content_length();
    let mut body = response.body_mut().with_config().limit(MAX_DOWNLOAD_BYTES).reader();
    let path = folder.join("archive");
    let failed = CorpusError::io("write", &path);
    let mut file = File::create_new(&path).map_err(failed)?;
    let broken = |received, source| CorpusError::Receive(url.to_owned(), received, source);
    let told = |received| progress(Event::Downloaded(received, total));
    copy(&mut body, broken, &mut file, failed, told)?;
    Ok(path)
}

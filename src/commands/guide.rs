//! The command `guide`.

use std::fmt::Write as _;
use std::process::ExitCode;

use onnx_conformance::corpus::selection::nearest;
use onnx_conformance::foundation::guide::chapters;

use super::CommandError;
use crate::cli::GuideArgs;
use crate::terminal;

pub(super) fn guide(args: &GuideArgs) -> Result<ExitCode, CommandError> {
    let chapters = chapters();
    let Some(topic) = &args.topic else {
        let width = chapters.iter().map(|chapter| chapter.name.len()).max().unwrap_or(0);
        let mut list = String::new();
        for chapter in &chapters {
            let _ = writeln!(list, "{:width$}  {}", chapter.name, chapter.title);
        }
        terminal::print(&list)?;
        return Ok(ExitCode::SUCCESS);
    };
    // Whoever has read of `docs/running.md` may say so.
    let name = topic.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    match chapters.iter().find(|chapter| chapter.name == name) {
        Some(chapter) => terminal::print(chapter.text)?,
        None => {
            let like = nearest(&name, chapters.iter().map(|chapter| chapter.name));
            let help = like.map_or_else(
                || "`onnx-conformance guide` lists them".to_owned(),
                |like| format!("did you mean `{like}`? `onnx-conformance guide` lists all"),
            );
            return Err(CommandError::misuse(format!("there is no chapter `{topic}`: {help}")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

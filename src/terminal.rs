//! The terminal: what it can show, the progress of a run, and output that may be cut off.

use std::fmt;
use std::io::{self, Stdout, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::ColorChoice;
use console::Term;
use indicatif::{HumanBytes, ProgressBar, ProgressFinish, ProgressState, ProgressStyle};
use onnx_conformance::corpus::fetch::Event as FetchEvent;
use onnx_conformance::document::style::Style;
use onnx_conformance::foundation::printable::{indented, on_one_line, printed, printed_json};
use onnx_conformance::measure::atlas::Row;
use onnx_conformance::measure::sums;
use onnx_conformance::models::trace;
use onnx_conformance::run::Event;

/// Columns assumed where the output is no terminal.
const DEFAULT_WIDTH: u16 = 80;

/// Uses colours or none from now on, whatever the environment says; or as it says.
pub(crate) fn set_color(choice: ColorChoice) {
    let wanted = match choice {
        ColorChoice::Auto => return,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    console::set_colors_enabled(wanted);
    console::set_colors_enabled_stderr(wanted);
}

/// How to draw on standard output.
pub(crate) fn style() -> Style {
    style_on(&Term::stdout(), console::colors_enabled())
}

/// How to draw on standard error.
pub(crate) fn style_stderr() -> Style {
    style_on(&Term::stderr(), console::colors_enabled_stderr())
}

fn style_on(terminal: &Term, color: bool) -> Style {
    let width = terminal.size_checked().map_or(DEFAULT_WIDTH, |(_, columns)| columns);
    Style { width: usize::from(width), color }
}

/// Prints to standard output, with nothing in it that acts on a terminal or a CI system. A reader that
/// has read enough (`| head`) is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    write_all(&io::stdout(), &printed(text, console::colors_enabled()))
}

fn write_all(stdout: &Stdout, text: &str) -> io::Result<()> {
    let mut stdout = stdout.lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Prints a line of JSON to standard output, whole, with nothing in it that acts.
pub(crate) fn print_json(line: &str) -> io::Result<()> {
    write_all(&io::stdout(), &(printed_json(line) + "\n"))
}

/// Prints a line to standard error, where it is told what went wrong, as [`print`] does.
pub(crate) fn eprint(text: &str) {
    let text = printed(text, console::colors_enabled_stderr());
    // Nobody is left to tell that nobody listens.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints help, or what is wrong with the arguments. Gives the exit code.
pub(crate) fn usage_error(error: &clap::Error) -> ExitCode {
    let text = error.render();
    let colored = |color: bool| if color { text.ansi().to_string() } else { text.to_string() };
    if error.use_stderr() {
        eprint(colored(console::colors_enabled_stderr()).trim_end());
    } else if print(&colored(console::colors_enabled())).is_err() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1))
}

/// A bar, or a line that moves, on standard error where that is a terminal. When dropped it leaves the
/// screen.
fn bar(bar: ProgressBar, style: ProgressStyle) -> ProgressBar {
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

fn style_of(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The progress of a run.
pub(crate) struct Progress {
    bar: ProgressBar,
    failures: u64,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let template = "{bar:30} {pos}/{len} cases  {elapsed} elapsed, {eta} left  {msg}";
        Self { bar: bar(ProgressBar::no_length(), style_of(template)), failures: 0 }
    }

    pub(crate) fn on(&mut self, event: Event<'_>) {
        match event {
            Event::Started { cases, .. } => self.bar.set_length(cases as u64),
            Event::Verified => self.bar.inc(1),
            Event::Settled(_) => {}
            Event::Finished(case) => {
                self.bar.inc(1);
                if case.is_unexpected_failure() {
                    self.failures += 1;
                    self.bar.set_message(format!("{} failed", self.failures));
                }
            }
        }
    }
}

/// The progress of a campaign.
pub(crate) struct SweepProgress(ProgressBar);

impl SweepProgress {
    /// A bar for so many inputs.
    pub(crate) fn new(inputs: u64) -> Self {
        let template = "{bar:30} {percent:>3}%  {rate} million a second, {eta} left";
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // What cannot be drawn is not drawn.
            let _ = write!(out, "{:.0}", state.per_sec() / 1e6);
        };
        Self(bar(ProgressBar::new(inputs), style_of(template).with_key("rate", rate)))
    }

    /// Moves the bar to where the campaign is.
    pub(crate) fn at(&self, executed: u64) {
        let begins = self.0.position() == 0;
        self.0.set_position(executed);
        if begins {
            // What an earlier process executed is no speed of this one.
            self.0.reset_eta();
        }
    }
}

/// The progress of an atlas: which row is under way, and how far.
pub(crate) struct AtlasProgress(ProgressBar, usize);

impl AtlasProgress {
    /// A bar for rows of so many operators and types.
    pub(crate) fn new(rows: usize) -> Self {
        let template = "{bar:20} {percent:>3}%  {wide_msg} {eta} left";
        Self(bar(ProgressBar::new(1), style_of(template)), rows)
    }

    /// Moves the bar to where the row is, before which so many operators and types are done.
    pub(crate) fn at(&self, number: usize, row: &Row) {
        let Self(bar, rows) = self;
        bar.set_length(row.inputs);
        bar.set_position(row.executed);
        bar.set_message(format!(
            "{} of {rows}: {} {} {}",
            number + 1,
            row.operator,
            row.applied_to(),
            row.strategy
        ));
        if row.executed == 0 {
            bar.reset_eta();
        }
    }
}

/// The progress of sums: which row is under way, and how far.
pub(crate) struct SumsProgress(ProgressBar, usize);

impl SumsProgress {
    /// A bar for so many rows.
    pub(crate) fn new(rows: usize) -> Self {
        let template = "{bar:20} {percent:>3}%  {wide_msg}";
        Self(bar(ProgressBar::new(1), style_of(template)), rows)
    }

    /// Moves the bar to where the row is, before which so many are done.
    pub(crate) fn at(&self, number: usize, row: &sums::Row) {
        let Self(bar, rows) = self;
        bar.set_length(row.vectors);
        bar.set_position(row.executed);
        bar.set_message(format!("{} of {rows}: {} {}", number + 1, row.operator, row.type_name));
    }
}

/// The progress of a trace.
pub(crate) struct TraceProgress {
    bar: ProgressBar,
    wrong: u64,
}

impl TraceProgress {
    pub(crate) fn new() -> Self {
        let template = "{bar:20} {pos}/{len} nodes  {eta} left  {wide_msg}";
        Self { bar: bar(ProgressBar::no_length(), style_of(template)), wrong: 0 }
    }

    pub(crate) fn on(&mut self, event: trace::Event<'_>) {
        match event {
            trace::Event::Started { nodes } => self.bar.set_length(nodes as u64),
            trace::Event::Node { node, is_outermost } => {
                self.bar.inc(u64::from(is_outermost));
                self.wrong += u64::from(node.verdict.is_failure());
                if self.wrong > 0 {
                    self.bar.set_message(format!("{} wrong", self.wrong));
                }
            }
            trace::Event::Enclosing => self.bar.set_message("enclosing the outputs"),
            trace::Event::Bisecting => {
                self.bar.set_message("looking for nodes that differ together");
            }
        }
    }
}

/// How a fetch shows what it says.
const LINE: &str = "{spinner} {wide_msg}";

/// The progress of a fetch: a line that moves on a terminal; elsewhere only what matters is printed.
pub(crate) struct FetchProgress(ProgressBar);

impl FetchProgress {
    pub(crate) fn new() -> Self {
        let line = Self(bar(ProgressBar::new_spinner(), style_of(LINE)));
        line.0.enable_steady_tick(Duration::from_millis(100));
        line
    }

    pub(crate) fn on(&self, event: &FetchEvent<'_>) {
        match event {
            FetchEvent::Waiting(name) => {
                self.say(&format!("{name}: waiting for another fetch of it"));
            }
            FetchEvent::Unusable(error) => {
                self.0.suspend(|| eprint(&indented(&error.to_string())));
            }
            FetchEvent::Trying(name, source) => self.say(&format!("{name}: from {source}")),
            FetchEvent::Step(step) => self.say(step),
            FetchEvent::Downloaded(bytes, None) => {
                self.0.set_message(format!("downloaded {}", HumanBytes(*bytes)));
            }
            FetchEvent::Downloaded(bytes, Some(total)) => {
                self.advance(*bytes, *total, "downloading {bar:30} {bytes} of {total_bytes}");
            }
            FetchEvent::Unpacked(files, None) => {
                self.0.set_message(format!("unpacked {files} files"));
            }
            FetchEvent::Unpacked(files, Some(total)) => {
                self.advance(*files, *total, "unpacking {bar:30} {pos} of {len} files");
            }
        }
    }

    fn say(&self, line: &str) {
        let line = on_one_line(line);
        if self.0.is_hidden() {
            eprint(&line);
        }
        self.0.set_style(style_of(LINE));
        self.0.set_message(line);
    }

    fn advance(&self, done: u64, total: u64, template: &str) {
        if self.0.length() != Some(total) {
            self.0.set_length(total);
            self.0.set_style(style_of(template));
        }
        self.0.set_position(done);
    }
}

//! The options that select the systems under test and restrict their processes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use onnx_conformance::backend::adapter::SandboxMode;
use onnx_conformance::backend::builtin;

use super::values::seconds;

/// The system under test.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// System under test: builtin, or a name from adapters/backends.toml
    #[arg(long, value_name = "NAME", default_value = "builtin")]
    backend: String,
    /// Command that starts a system under test behind the adapter protocol, split into words as
    /// a shell would
    #[arg(long, value_name = "CMD", conflicts_with = "backend")]
    adapter: Option<String>,
    /// Shared library of kernels behind the C ABI (adapters/c/onnx_kernels.h), in a process of its own
    #[arg(long, value_name = "LIB", conflicts_with_all = ["backend", "adapter"])]
    c_abi: Option<PathBuf>,
    /// Python module, or class in one, that implements ONNX's interface for backends
    /// (onnx.backend.base.Backend), such as onnxruntime.backend; it needs no adapter
    #[arg(long, value_name = "MODULE[:CLASS]", conflicts_with_all = ["backend", "adapter", "c_abi"])]
    onnx_backend: Option<String>,
    #[command(flatten)]
    pub(crate) process: ProcessArgs,
}

/// Systems under test, one or more.
#[derive(Debug, Args)]
pub(crate) struct BackendsArgs {
    /// System under test: builtin, or a name from adapters/backends.toml; this option and the next three may be
    /// given several times [builtin]
    #[arg(long = "backend", value_name = "NAME")]
    named: Vec<String>,
    /// Command that starts a system under test behind the adapter protocol, split into words as
    /// a shell would
    #[arg(long = "adapter", value_name = "CMD")]
    adapters: Vec<String>,
    /// Shared library of kernels behind the C ABI (adapters/c/onnx_kernels.h), in a process of its own
    #[arg(long = "c-abi", value_name = "LIB")]
    libraries: Vec<PathBuf>,
    /// Python module, or class in one, that implements ONNX's interface for backends
    /// (onnx.backend.base.Backend), such as onnxruntime.backend; it needs no adapter
    #[arg(id = "onnx_backend", long = "onnx-backend", value_name = "MODULE[:CLASS]")]
    modules: Vec<String>,
    #[command(flatten)]
    pub(crate) process: ProcessArgs,
}

/// One system under test, as given on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    /// A name.
    Name(&'a str),
    /// The command of an adapter.
    Command(&'a str),
    /// A shared library of C functions.
    Library(&'a Path),
    /// A module with ONNX's interface for backends.
    Module(&'a str),
}

/// How the process of a system under test is started, and what it may do.
#[derive(Debug, Args)]
pub(crate) struct ProcessArgs {
    /// Python that has the module of --onnx-backend
    #[arg(long, value_name = "EXE", default_value = "python3", requires = "onnx_backend")]
    pub(crate) python: PathBuf,
    /// Time limit for a case, or for a batch of a campaign
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Time limit for an adapter's handshake
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) start_timeout: Duration,
    /// Largest address space of an adapter's process [unlimited]
    #[arg(long, value_name = "MIB")]
    pub(crate) memory_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

impl BackendArgs {
    /// The system under test.
    pub(crate) fn given(&self) -> Given<'_> {
        match (&self.adapter, &self.c_abi, &self.onnx_backend) {
            (Some(command), ..) => Given::Command(command),
            (None, Some(library), _) => Given::Library(library),
            (None, None, Some(module)) => Given::Module(module),
            (None, None, None) => Given::Name(&self.backend),
        }
    }
}

impl BackendsArgs {
    /// The systems under test; the built-in runtime if none was given.
    pub(crate) fn given(&self) -> Vec<Given<'_>> {
        let named = self.named.iter().map(|name| Given::Name(name));
        let adapters = self.adapters.iter().map(|command| Given::Command(command));
        let libraries = self.libraries.iter().map(|path| Given::Library(path));
        let modules = self.modules.iter().map(|module| Given::Module(module));
        let given: Vec<_> = named.chain(adapters).chain(libraries).chain(modules).collect();
        if given.is_empty() { vec![Given::Name(builtin::NAME)] } else { given }
    }
}

impl Given<'_> {
    /// Whether it runs in a process of its own.
    pub(crate) fn is_adapter(self) -> bool {
        !matches!(self, Self::Name(builtin::NAME))
    }
}

/// What an adapter may do with files.
#[derive(Debug, Args)]
pub(crate) struct SandboxArgs {
    /// Which files an adapter's process may read: default (all except corpora, suites, reports and this
    /// program) or strict (only the system, its own files and what --allow-path names); it writes only to its
    /// temporary folder and what --allow-write names; off: it may do anything; needs Linux with Landlock
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) sandbox: SandboxMode,
    /// Let it read and execute this file, or everything below this folder; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_path: Vec<PathBuf>,
    /// Let it read, write and execute this file, or everything below this folder, such as a cache; may be
    /// given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_write: Vec<PathBuf>,
}

//! The documents of a pack that are its own, format version 2: the types behind them and their JSON
//! Schemas.
//!
//! Each says in `kind` what it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
use crate::document::{JsonDocument, Sealed};
use crate::documents::report::document as report;

/// Version of the pack's format, and of each of these documents; counts up on any change.
pub const FORMAT_VERSION: u32 = 2;

/// Largest document of a pack's own that is read.
pub(super) const OWN_LIMIT: u64 = 64 << 20;

/// Declares documents, each with its name, by the members that it has besides those of all.
macro_rules! documents {
    ($($(#[$about:meta])* $type:ident, $name:tt {
        $($(#[$member_about:meta])* pub $member:ident: $of:ty,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(title = concat!("onnx-conformance evidence ", $name))]
        pub struct $type {
            /// Version of this format.
            #[schemars(extend("const" = FORMAT_VERSION))]
            pub format_version: u32,
            /// What this document is.
            #[schemars(extend("const" = concat!("evidence-", $name)))]
            pub kind: String,
            $($(#[$member_about])* pub $member: $of,)*
        }

        impl $type {
            pub(super) fn new($($member: $of),*) -> Self {
                let kind = concat!("evidence-", $name).to_owned();
                Self { format_version: FORMAT_VERSION, kind, $($member),* }
            }
        }

        impl JsonDocument for $type {
            const NAME: &'static str = concat!("evidence ", $name);
            const FILE: &'static str = concat!("`", $name, ".json`");
            const FORMAT_VERSION: u32 = FORMAT_VERSION;
            const KIND: Option<&'static str> = Some(concat!("evidence-", $name));
            const SIZE_LIMIT: u64 = OWN_LIMIT;
            const REMEDY: &'static str = "make the pack again";
            const SCHEMA: &'static str =
                concat!("reports/schema/evidence-", $name, ".schema.json");
        }
    )*

    /// The JSON Schemas of these documents: path in the checkout and contents.
    pub fn schemas() -> serde_json::Result<Vec<(&'static str, String)>> {
        Ok(vec![$($type::schema()?),*])
    }};
}

documents! {
    /// What `manifest.json` holds: every file of the pack but itself, the statement and the provenance.
    Manifest, "manifest" {
        /// The files, in byte order of their paths.
        pub files: Vec<File>,
    }

    /// What `tool/tool.json` holds: the program that made the pack.
    Tool, "tool" {
        /// Name, version, commit and state of the checkout.
        pub tool: report::Tool,
        /// Compiler it was built with.
        pub toolchain: String,
        /// Target it was built for.
        pub target: String,
    }

    /// What `subjects/NAME.json` holds: the implementation under test.
    Subject, "subject" {
        /// What is known of it.
        pub basis: Basis,
        /// The file that it is; null where it is known by its own word alone.
        pub file: Option<SubjectFile>,
        /// What the backend said of itself in every report and campaign.
        pub backend: report::Backend,
    }

    /// What `platform.json` holds: where the tests ran, as the runs themselves found.
    Platforms, "platform" {
        /// Each platform, with the reports and campaigns that ran there.
        pub platforms: Vec<Platform>,
    }

    /// What `seeds.json` holds: whatever was drawn at random was drawn from these.
    Seeds, "seeds" {
        /// Every seed.
        pub seeds: Vec<Seed>,
    }

    /// What `limitations.json` holds: what the pack does not show.
    Limitations, "limitations" {
        /// Each limitation.
        pub limitations: Vec<Limitation>,
    }

    /// What `provenance.json` holds: all that differs between two packs of the same inputs.
    Provenance, "provenance" {
        /// SHA-256 of the pack's `manifest.json`.
        #[schemars(with = "String")]
        pub manifest: Digest,
        /// Where and when the pack was made.
        pub packed: report::Provenance,
        /// What each report and campaign came from.
        pub documents: Vec<Origin>,
        /// SHA-256 over the document without `digest`, as JSON without spaces and with sorted members.
        #[schemars(with = "String")]
        pub digest: Digest,
    }
}

/// A file of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its path in the pack, with slashes.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content.
    #[schemars(with = "String")]
    pub sha256: Digest,
}

/// The file of an implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubjectFile {
    /// Its name, without folders.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content.
    #[schemars(with = "String")]
    pub sha256: Digest,
}

/// What the identity of a subject rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A file that was named when the pack was made.
    File,
    /// The program itself, whose built-in kernels were tested: the reports and campaigns hold the
    /// digest of the very program that wrote them.
    Executable,
    /// What the backend said of itself.
    Description,
}

/// A platform. Members are null where the report or campaign does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// The documents that were made there.
    pub documents: Vec<String>,
    /// Target that the tool was built for.
    pub target: Option<String>,
    /// Operating system.
    pub os: Option<String>,
    /// Architecture.
    pub arch: Option<String>,
    /// What the CPU can do, separated by spaces.
    pub cpu_features: Option<String>,
    /// Compiler that the tool was built with.
    pub toolchain: Option<String>,
    /// Rounding mode found by computing.
    pub rounding_mode: Option<String>,
    /// Treatment of subnormals found by computing.
    pub subnormal_policy: Option<String>,
}

/// A seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// The report or campaign that used it.
    pub document: String,
    /// Its name there.
    pub name: String,
    /// Its value.
    pub value: u64,
}

/// Something that the pack does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limitation {
    /// What, in a sentence.
    pub statement: String,
    /// What would remedy it; null where nothing does.
    pub remedy: Option<String>,
}

/// What a report or campaign came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Its path in the pack.
    pub path: String,
    /// Size in bytes of the file that was given.
    pub size: u64,
    /// SHA-256 of the file that was given.
    #[schemars(with = "String")]
    pub sha256: Digest,
    /// Where and when it was made, as that file has it.
    pub provenance: report::Provenance,
}

impl Sealed for Provenance {
    const UNSEALED: &'static [&'static str] = &["digest"];

    fn digest_mut(&mut self) -> &mut Digest {
        &mut self.digest
    }
}

//! The kinds of cases that a release of ONNX has, each of which is a corpus of its own.

use std::collections::BTreeMap;
use std::fmt;

use super::{FIRST_COMPUTED, number};
/// How the names of the corpora of ONNX's releases begin.
const PREFIX: &str = "onnx-";

/// A kind of cases of a release of ONNX: a folder of its `onnx/backend/test/data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CaseKind {
    /// One operator each: what is meant where no kind is named.
    Node,
    /// Small graphs, many of sequences.
    Simple,
    /// Operators as PyTorch exports them.
    PytorchOperator,
    /// Layers of PyTorch as they were converted from it.
    PytorchConverted,
}

impl CaseKind {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [Self::Node, Self::Simple, Self::PytorchOperator, Self::PytorchConverted];

    /// Its name, which is that of the folder in a release and in a corpus.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Simple => "simple",
            Self::PytorchOperator => "pytorch-operator",
            Self::PytorchConverted => "pytorch-converted",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Name of the corpus that holds these cases of a release: `onnx-1.22.0` those of nodes, and
    /// `onnx-1.22.0-simple` those that are simple.
    pub fn corpus_of(self, release: &str) -> String {
        match self {
            Self::Node => format!("{PREFIX}{release}"),
            _ => format!("{PREFIX}{release}-{self}"),
        }
    }

    /// The release and the kind of a corpus of this name, where it is that of a release.
    pub fn of_corpus(name: &str) -> Option<(&str, Self)> {
        let rest = name.strip_prefix(PREFIX)?;
        match rest.split_once('-') {
            None => Some((rest, Self::Node)),
            Some((release, kind)) => {
                Some((release, Self::named(kind).filter(|kind| *kind != Self::Node)?))
            }
        }
    }

    /// Whether these cases of a release have to be computed: since 1.23 those of nodes exist only in
    /// the memory of the release's Python package.
    pub(super) fn is_computed(self, release: &str) -> bool {
        self == Self::Node && number(release) >= Some(FIRST_COMPUTED)
    }

    /// The arguments by which they are fetched.
    pub fn fetched_with(self, release: &str) -> String {
        match self {
            Self::Node => format!("--release {release}"),
            _ => format!("--release {release} --kind {self}"),
        }
    }
}

impl fmt::Display for CaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names of corpora for who looks for one. Kinds other than that of nodes are not written out release by release:
/// those that the same releases have stand together.
pub fn names_listed(names: &[String]) -> String {
    let mut plain = Vec::new();
    let mut of_kinds: BTreeMap<CaseKind, Vec<&str>> = BTreeMap::new();
    for name in names {
        match CaseKind::of_corpus(name) {
            None | Some((_, CaseKind::Node)) => plain.push(name.as_str()),
            Some((release, kind)) => of_kinds.entry(kind).or_default().push(release),
        }
    }
    let mut of_releases: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
    for (kind, releases) in of_kinds {
        of_releases.entry(releases).or_default().push(kind.corpus_of("V"));
    }
    let mut told = if plain.is_empty() { Vec::new() } else { vec![plain.join(", ")] };
    for (releases, kinds) in of_releases {
        let names = releases.iter().map(|release| CaseKind::Node.corpus_of(release));
        let releases = match names.eq(plain.iter().copied()) {
            true => "each of these releases".to_owned(),
            false => releases.join(", "),
        };
        told.push(format!("{} for V of {releases}", kinds.join(", ")));
    }
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_corpus_says_its_release_and_kind() {
        for kind in CaseKind::ALL {
            let name = kind.corpus_of("1.22.0");
            assert_eq!(CaseKind::of_corpus(&name), Some(("1.22.0", kind)), "{name}");
        }
        assert_eq!(CaseKind::Node.corpus_of("1.22.0"), "onnx-1.22.0");
        for other in ["onnx", "sonnx", "onnx-1.22.0-node", "onnx-1.22.0-", "onnx-1.22.0-real"] {
            assert_eq!(CaseKind::of_corpus(other), None, "{other}");
        }
    }

    #[test]
    fn only_node_cases_are_computed_and_only_since_1_23() {
        for (release, is_computed) in [("1.22.0", false), ("1.23.0", true), ("2.0.0", true)] {
            for kind in CaseKind::ALL {
                let expected = is_computed && kind == CaseKind::Node;
                assert_eq!(kind.is_computed(release), expected, "{release} {kind}");
            }
        }
    }

    #[test]
    fn kinds_that_the_same_releases_have_are_told_once() {
        let told = |names: &[&str]| {
            names_listed(&names.iter().copied().map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(told(&["onnx-1.9", "mine"]), "onnx-1.9, mine");
        assert_eq!(told(&["onnx-1.9-simple"]), "onnx-V-simple for V of 1.9");
        assert_eq!(
            told(&["onnx-1.9", "onnx-1.9-simple", "onnx-1.10", "onnx-1.10-simple"]),
            "onnx-1.9, onnx-1.10; onnx-V-simple for V of each of these releases"
        );
        let several = [
            "onnx-1.1",
            "onnx-1.1-simple",
            "onnx-1.2-pytorch-converted",
            "onnx-1.2-simple",
            "onnx-1.1-pytorch-operator",
            "onnx-1.2-pytorch-operator",
        ];
        assert_eq!(
            told(&several),
            "onnx-1.1; onnx-V-simple, onnx-V-pytorch-operator for V of 1.1, 1.2; \
             onnx-V-pytorch-converted for V of 1.2"
        );
    }
}

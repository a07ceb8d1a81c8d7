//! Edits of true campaigns, with the digest of what they then hold: behind the digests lies whatever holds
//! the members against each other. What is read all the same is brought to everything that takes
//! campaigns.

#![no_main]

mod campaigns;

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::matrix::{self, Source, document::Matrix};
use onnx_conformance::documents::report::summary::Style;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::measure::campaign::{self, Campaign, summary};
use serde_json::Value;

static TRUE: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let all = campaigns::all();
    all.iter().map(|document| serde_json::to_value(document).expect("JSON")).collect()
});

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::embedded().expect("the catalogues of the tool"));

/// What is done to a document. Places are those of its values, in their order.
#[derive(Arbitrary, Debug)]
enum Edit {
    Number {
        place: u16,
        value: u64,
    },
    Edge {
        place: u16,
        which: u8,
        off: i8,
    },
    /// So many from one count to another.
    Move {
        from: u16,
        to: u16,
        count: u8,
    },
    Text {
        place: u16,
        text: String,
    },
    Character {
        place: u16,
        at: u8,
        new: char,
    },
    Null {
        place: u16,
    },
    Copy {
        from: u16,
        to: u16,
    },
    Swap {
        one: u16,
        other: u16,
    },
    Remove {
        place: u16,
        at: u8,
    },
    Double {
        place: u16,
        at: u8,
    },
}

/// The numbers next to which arithmetic goes wrong.
const EDGES: [u64; 12] = [
    0,
    1,
    1 << 7,
    1 << 8,
    1 << 15,
    1 << 16,
    1 << 31,
    1 << 32,
    1 << 53,
    1 << 63,
    u64::MAX - 200,
    u64::MAX,
];

/// The paths of all values of a document.
fn places(value: &Value, path: &str, all: &mut Vec<String>) {
    all.push(path.to_owned());
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                places(item, &format!("{path}/{at}"), all);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                places(member, &format!("{path}/{name}"), all);
            }
        }
        _ => {}
    }
}

impl Edit {
    fn apply(self, document: &mut Value) -> Option<()> {
        let mut all = Vec::new();
        places(document, "", &mut all);
        let path = |place: u16| all[usize::from(place) % all.len()].as_str();
        match self {
            Self::Number { place, value } => *document.pointer_mut(path(place))? = value.into(),
            Self::Edge { place, which, off } => {
                let edge = EDGES[usize::from(which) % EDGES.len()];
                let value = edge.saturating_add_signed(off.into());
                *document.pointer_mut(path(place))? = value.into();
            }
            Self::Move { from, to, count } => {
                let [from, to] = [path(from), path(to)];
                let least = document.pointer(from)?.as_u64()?.checked_sub(count.into())?;
                let most = document.pointer(to)?.as_u64()?.checked_add(count.into())?;
                *document.pointer_mut(from)? = least.into();
                *document.pointer_mut(to)? = most.into();
            }
            Self::Text { place, text } => *document.pointer_mut(path(place))? = text.into(),
            Self::Character { place, at, new } => {
                let value = document.pointer_mut(path(place))?;
                let mut text: Vec<char> = value.as_str()?.chars().collect();
                let at = usize::from(at) % text.len().max(1);
                *text.get_mut(at)? = new;
                *value = text.into_iter().collect::<String>().into();
            }
            Self::Null { place } => *document.pointer_mut(path(place))? = Value::Null,
            Self::Copy { from, to } => {
                let value = document.pointer(path(from))?.clone();
                *document.pointer_mut(path(to))? = value;
            }
            Self::Swap { one, other } => {
                let [one, other] = [path(one), path(other)];
                let [first, second] =
                    [one, other].map(|path| document.pointer(path).cloned().unwrap_or_default());
                *document.pointer_mut(one)? = second;
                *document.pointer_mut(other)? = first;
            }
            Self::Remove { place, at } => {
                let items = document.pointer_mut(path(place))?.as_array_mut()?;
                let at = usize::from(at) % items.len().max(1);
                (at < items.len()).then(|| items.remove(at))?;
            }
            Self::Double { place, at } => {
                let items = document.pointer_mut(path(place))?.as_array_mut()?;
                let item = items.get(usize::from(at) % items.len().max(1))?.clone();
                items.push(item);
            }
        }
        Some(())
    }
}

fn edited(bytes: &[u8]) -> arbitrary::Result<Value> {
    let mut input = Unstructured::new(bytes);
    let mut document = input.choose(&TRUE)?.clone();
    for _ in 0..input.int_in_range(1..=6)? {
        // An edit that the document has no place for is none.
        let _ = Edit::arbitrary(&mut input)?.apply(&mut document);
    }
    Ok(document)
}

/// Whatever takes a document that was read.
fn consume(document: &Campaign) {
    let again = document.to_bytes().expect("it was JSON");
    let read = Campaign::from_bytes(Path::new("campaign.json"), &again);
    assert_eq!(read.ok().as_ref(), Some(document));
    let _ = (document.conforms(), document.part(), document.duration(), document.support());
    campaign::page(document, Some("matrix.html")).expect("a page");
    let style = Style { width: 80, color: true };
    let _ = summary::render(document, &["campaign.json"], style);
    let named = |name: &str| (name.to_owned(), document.clone());
    let merged = campaign::merge(vec![named("one")]);
    if let Ok(merged) = &merged {
        assert_eq!((merged.executed, merged.mismatches), (document.executed, document.mismatches));
        let bytes = merged.to_bytes().expect("JSON");
        Campaign::from_bytes(Path::new("merged.json"), &bytes).expect("it agrees with itself");
    }
    assert!(campaign::merge(vec![named("one"), named("other")]).is_err(), "they overlap");
    let source = [Source { document, page: Some("campaign.html") }];
    if let Ok(matrix) = Matrix::of(&CATALOGUE, &[], &source) {
        matrix::html::to_text(&matrix).expect("a page");
    }
    if document.mismatches > 0 {
        let folder = tempfile::tempdir().expect("a folder");
        campaign::regress(document, None, folder.path()).expect("a case of its counterexamples");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = edited(bytes) else { return };
    let Ok(document) = serde_json::from_value::<Campaign>(document) else { return };
    let sealed = document.sealed().and_then(|sealed| sealed.to_bytes()).expect("JSON");
    if let Ok(document) = Campaign::from_bytes(Path::new("campaign.json"), &sealed) {
        consume(&document);
    }
});

//! How the text of a document is laid out: indented down to a level, and what lies deeper on one line.
//!
//! Of a report with thousands of cases that makes a line for each, and half the text.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// The bytes of a document, and a line feed at the end. There is room for so many before what is written is copied to more.
pub(crate) fn to_bytes<T: Serialize>(
    document: &T,
    levels: usize,
    room: usize,
) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(room);
    let layout = Layout { depth: 0, levels, indented: PrettyFormatter::new() };
    document.serialize(&mut Serializer::with_formatter(&mut bytes, layout))?;
    bytes.push(b'\n');
    Ok(bytes)
}

struct Layout {
    /// Lists and objects that are open.
    depth: usize,
    levels: usize,
    indented: PrettyFormatter<'static>,
}

/// As either formatter has it, by the level that the innermost list or object is at.
macro_rules! either {
    ($($method:ident($($argument:ident: $type:ty)?) $opens:literal $closes:literal)*) => {
        $(fn $method<W: ?Sized + Write>(&mut self, writer: &mut W $(, $argument: $type)?) -> Result<()> {
            self.depth += $opens;
            let is_indented = self.depth <= self.levels;
            self.depth -= $closes;
            match is_indented {
                true => self.indented.$method(writer $(, $argument)?),
                false => CompactFormatter.$method(writer $(, $argument)?),
            }
        })*
    };
}

impl Formatter for Layout {
    either! {
        begin_array() 1 0
        end_array() 0 1
        begin_array_value(first: bool) 0 0
        end_array_value() 0 0
        begin_object() 1 0
        end_object() 0 1
        begin_object_key(first: bool) 0 0
        begin_object_value() 0 0
        end_object_value() 0 0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(document: &serde_json::Value, levels: usize) -> String {
        String::from_utf8(to_bytes(document, levels, 0).unwrap()).unwrap()
    }

    #[test]
    fn what_lies_deeper_is_on_one_line() {
        let document = json!({"a": [{"b": [1, {"c": null}], "d": {}}, [], 2], "e": {}, "f": "g"});
        let lines = "{\n  \"a\": [\n    {\"b\":[1,{\"c\":null}],\"d\":{}},\n    [],\n    2\n  ],\n  \
                     \"e\": {},\n  \"f\": \"g\"\n}\n";
        assert_eq!(text(&document, 2), lines);
        assert_eq!(text(&document, 0), document.to_string() + "\n");
        let indented = serde_json::to_string_pretty(&document).unwrap() + "\n";
        assert_eq!(text(&document, usize::MAX), indented);
    }
}

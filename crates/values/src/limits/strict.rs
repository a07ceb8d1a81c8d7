//! Strict JSON: an array is not accepted for an object, and a name occurs once in each object.
//!
//! serde takes an array for a struct, its elements for the members in their order, and of a name that
//! stands twice a map keeps the last value. What two readers understand differently is refused here,
//! whatever type is read: structs count their members by themselves, everything else is watched.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Reads a value of another deserializer, of a text that describes itself, to the letter.
pub(super) struct Strict<D>(pub(super) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(Watched { visitor, is_struct: false })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(Watched { visitor, is_struct: false })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    /// An object alone.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Watched { visitor, is_struct: true })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, Watched { visitor, is_struct: false })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// A visitor, or the seed of a value, whose parts are read to the letter.
struct Watched<V> {
    visitor: V,
    /// Whether it counts the members of an object by itself.
    is_struct: bool,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Watched<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        self.visitor.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.visitor.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.visitor.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        self.visitor.visit_f64(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.visitor.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.visitor.visit_borrowed_str(value)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Strict(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(Parts { of: elements, names: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let names = (!self.is_struct).then(BTreeSet::new);
        self.visitor.visit_map(Parts { of: members, names })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(Parts { of: variant, names: None })
    }
}

/// The elements of an array, the members of an object or the content of a variant.
struct Parts<'de, A> {
    of: A,
    /// The names of an object so far, where nobody else counts them.
    names: Option<BTreeSet<Cow<'de, str>>>,
}

/// The seed of a part.
struct Part<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Part<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, part: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(part))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Parts<'de, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.of.next_element_seed(Part(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.of.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Parts<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        match &mut self.names {
            Some(names) => self.of.next_key_seed(Name { seed, names }),
            None => self.of.next_key_seed(seed),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.of.next_value_seed(Part(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.of.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Parts<'de, A> {
    type Error = A::Error;
    type Variant = Parts<'de, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, of) = self.of.variant_seed(seed)?;
        Ok((value, Parts { of, names: None }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Parts<'de, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.of.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.of.newtype_variant_seed(Part(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.of.tuple_variant(len, Watched { visitor, is_struct: false })
    }

    /// What a variant holds is a struct as any other.
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.of.newtype_variant_seed(Watched { visitor, is_struct: true })
    }
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Watched<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, content: D) -> Result<V::Value, D::Error> {
        Strict(content).deserialize_struct("", &[], self.visitor)
    }
}

/// The seed of a name, which must be none of those before.
struct Name<'a, 'de, S> {
    seed: S,
    names: &'a mut BTreeSet<Cow<'de, str>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Name<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<S::Value, D::Error> {
        let name = name.deserialize_str(Text)?;
        if self.names.contains(&name) {
            return Err(D::Error::custom(format_args!("duplicate field `{name}`")));
        }
        let read: StrDeserializer<'_, D::Error> = name.as_ref().into_deserializer();
        let value = self.seed.deserialize(read)?;
        self.names.insert(name);
        Ok(value)
    }
}

/// Takes a name, borrowed from the text where it stands there as it is.
struct Text;

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};

    use crate::limits::from_json;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        inner: Vec<Inner>,
        map: BTreeMap<String, BTreeMap<String, u64>>,
        kind: Kind,
        left_out: Option<Inner>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        number: f64,
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Kind {
        Unit,
        Of(u8),
        With { number: u8 },
    }

    fn outer(kind: Kind) -> Outer {
        let map = [("a", 1), ("b\n", 2)].map(|(name, value)| (name.to_owned(), value));
        Outer {
            inner: vec![Inner { number: 0.1 }, Inner { number: -2.0 }],
            map: [("m".to_owned(), map.into())].into(),
            kind,
            left_out: Some(Inner { number: 1e300 }),
        }
    }

    fn refusal<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        from_json::<T>(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_was_written_is_read_as_it_was() {
        for kind in [Kind::Unit, Kind::Of(3), Kind::With { number: 4 }] {
            let one = outer(kind);
            let text = serde_json::to_vec(&one).unwrap();
            assert_eq!(from_json::<Outer>(&text).unwrap(), one);
            let value: serde_json::Value = from_json(&text).unwrap();
            assert_eq!(value, serde_json::to_value(&one).unwrap());
        }
        let by_kind: BTreeMap<Kind, u64> = [(Kind::Unit, 1)].into();
        assert_eq!(from_json::<BTreeMap<Kind, u64>>(br#"{"Unit": 1}"#).unwrap(), by_kind);
        assert_eq!(
            from_json::<Option<(u8, String)>>(br#"[1, "a"]"#).unwrap(),
            Some((1, "a".into()))
        );
    }

    #[test]
    fn an_array_is_no_object_at_any_depth() {
        let text = |inner: &str, kind: &str, left_out: &str| {
            format!(r#"{{"inner":[{inner}],"map":{{}},"kind":{kind},"left_out":{left_out}}}"#)
        };
        let object = r#"{"number":1}"#;
        assert!(from_json::<Outer>(text(object, "\"Unit\"", object).as_bytes()).is_ok());
        for wrong in [
            "[1]".to_owned(),
            r#"[[],{},"Unit",null]"#.to_owned(),
            text("[1]", "\"Unit\"", "null"),
            text(object, r#"{"With":[1]}"#, "null"),
            text(object, "\"Unit\"", "[1]"),
        ] {
            let error = refusal::<Outer>(&wrong);
            assert!(error.contains("invalid type: sequence, expected struct"), "{wrong}: {error}");
            assert!(error.contains("line 1 column"), "{error}");
        }
    }

    #[test]
    fn a_name_stands_once_in_an_object_whatever_it_is_read_as() {
        let map = |of: &str| format!(r#"{{"inner":[],"map":{{"m":{{{of}}}}},"kind":"Unit"}}"#);
        assert!(from_json::<Outer>(map(r#""a":1,"b":1"#).as_bytes()).is_ok());
        for wrong in [map(r#""a":1,"b":2,"a":1"#), map(r#""a":1,"\u0061":2"#)] {
            let error = refusal::<Outer>(&wrong);
            assert!(error.contains("duplicate field `a` at line 1 column"), "{error}");
        }
        let unknown = r#"{"number":1,"unknown":[{"a":1,"a":2}]}"#;
        assert!(refusal::<Inner>(unknown).contains("duplicate field `a`"));
        assert!(
            refusal::<Inner>(r#"{"number":1,"number":1}"#).contains("duplicate field `number`")
        );
        let deep = r#"[0,{"a":[{"b":{"c":1,"d":2,"c":3}}]}]"#;
        assert!(refusal::<serde_json::Value>(deep).contains("duplicate field `c`"));
        assert!(
            refusal::<BTreeMap<Kind, u64>>(r#"{"Unit":1,"Unit":2}"#).contains("duplicate field")
        );
    }
}

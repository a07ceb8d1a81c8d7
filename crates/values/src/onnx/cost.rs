//! What the messages of a file will take of memory, reckoned on the wire before they are made.
//!
//! A message of two bytes becomes a struct of hundreds, and a number of one byte eight. This walk
//! reads keys and lengths as prost does, by the tables of [`super::fields`], and takes from a budget
//! what prost and the decoding after it will allocate at most.

use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use crate::limits::{Budget, TooMuch, growth, string};

/// A message as it lies in memory.
pub(super) struct Message {
    size: usize,
    /// The numbers of those of its fields that hold memory of their own.
    fields: &'static [(u32, Holds)],
}

impl Message {
    pub(super) const fn of<M>(fields: &'static [(u32, Holds)]) -> Self {
        Self { size: size_of::<M>(), fields }
    }
}

/// What a field holds.
pub(super) enum Holds {
    /// A string.
    Text,
    /// Strings.
    Texts,
    /// Slices of the file.
    Slices,
    /// Numbers of so many bytes in memory and on the wire.
    Fixed(usize),
    /// Numbers of so many bytes in memory, and of one or more on the wire.
    Varints(usize),
    /// A message, perhaps in a box.
    One(&'static Message),
    /// Messages.
    Many(&'static Message),
}

/// How deep messages nest in each other at most, as prost has it.
const MAX_DEPTH: usize = 100;

/// Takes what the message in these bytes takes in memory. That of a malformed message is taken up
/// to where prost refuses it.
pub(super) fn charge(bytes: &[u8], message: &Message, budget: &mut Budget) -> Result<(), TooMuch> {
    let mut walk = Walk { rest: bytes, budget };
    match walk.message(message, 0, MAX_DEPTH) {
        Err(Stop::TooMuch(error)) => Err(error),
        Ok(()) | Err(Stop::Malformed) => Ok(()),
    }
}

/// Why the walk ended before the end.
enum Stop {
    Malformed,
    TooMuch(TooMuch),
}

impl From<DecodeError> for Stop {
    fn from(_: DecodeError) -> Self {
        Self::Malformed
    }
}

impl From<TooMuch> for Stop {
    fn from(error: TooMuch) -> Self {
        Self::TooMuch(error)
    }
}

struct Walk<'a> {
    rest: &'a [u8],
    budget: &'a mut Budget,
}

impl<'a> Walk<'a> {
    /// Walks over a message up to where so many bytes remain.
    fn message(&mut self, message: &Message, remain: usize, depth: usize) -> Result<(), Stop> {
        let Some(depth) = depth.checked_sub(1) else { return Err(Stop::Malformed) };
        // Which fields have come up, by their places in the table.
        let mut seen = 0_u64;
        while self.rest.len() > remain {
            let (number, wire_type) = decode_key(&mut self.rest)?;
            let place = message.fields.iter().position(|field| field.0 == number);
            let Some(place) = place else {
                skip_field(wire_type, number, &mut self.rest, DecodeContext::default())?;
                continue;
            };
            let is_first = seen & (1 << place) == 0;
            seen |= 1 << place;
            self.field(&message.fields[place], wire_type, is_first, depth)?;
        }
        if self.rest.len() == remain { Ok(()) } else { Err(Stop::Malformed) }
    }

    fn field(
        &mut self,
        &(number, ref holds): &(u32, Holds),
        wire_type: WireType,
        is_first: bool,
        depth: usize,
    ) -> Result<(), Stop> {
        let is_delimited = wire_type == WireType::LengthDelimited;
        match *holds {
            Holds::Fixed(size) | Holds::Varints(size) if !is_delimited => {
                skip_field(wire_type, number, &mut self.rest, DecodeContext::default())?;
                return Ok(self.budget.take(growth(1, size, is_first))?);
            }
            _ if !is_delimited => return Err(Stop::Malformed),
            _ => {}
        }
        let length = self.length()?;
        let cost = match *holds {
            Holds::Text => string(length),
            Holds::Texts => growth(1, size_of::<String>(), is_first) + string(length),
            Holds::Slices => growth(1, size_of::<bytes::Bytes>(), is_first),
            Holds::Fixed(size) => growth(length / size, size, is_first),
            Holds::Varints(size) => {
                // The last byte of each has the high bit clear.
                let ends = self.rest[..length].iter().filter(|&&byte| byte < 0x80);
                growth(ends.count(), size, is_first)
            }
            Holds::One(inner) => string(inner.size),
            Holds::Many(inner) => growth(1, inner.size, is_first),
        };
        self.budget.take(cost)?;
        let remain = self.rest.len() - length;
        match *holds {
            Holds::One(inner) | Holds::Many(inner) => self.message(inner, remain, depth),
            _ => {
                self.rest = &self.rest[length..];
                Ok(())
            }
        }
    }

    /// The length that stands before a delimited field, where that much is there.
    fn length(&mut self) -> Result<usize, Stop> {
        let length =
            usize::try_from(decode_varint(&mut self.rest)?).map_err(|_| Stop::Malformed)?;
        if length > self.rest.len() { Err(Stop::Malformed) } else { Ok(length) }
    }
}

//! Converts text format to protobuf.

use super::{
    group_name,
    token::{Token, Tokens},
};
use crate::{
    FormatError,
    protobuf::{
        bits::Bits,
        wire::{MAX_DEPTH, put_varint, zigzag},
    },
    schema::{Cardinality, Field, Kind, MessageSchema, WellKnown},
};

pub(super) fn message(schema: MessageSchema<'_>, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut reader = Reader { tokens: Tokens::new(text)? };
    let mut out = Vec::with_capacity(text.len());
    reader.fields(schema, None, 0, &mut out)?;
    Ok(out)
}

/// The meaning of a name.
enum Name<'s> {
    Field(usize, &'s Field),
    /// `[type.googleapis.com/package.Message]` with the indices of the fields for the type's name and the
    /// message.
    Any(String, [usize; 2]),
    /// A reserved name, whose value is skipped.
    Reserved,
}

struct Reader<'t> {
    tokens: Tokens<'t>,
}

impl<'t> Reader<'t> {
    /// Reads fields up to and including `end`, or to the end of the text.
    fn fields(
        &mut self,
        schema: MessageSchema<'_>,
        end: Option<u8>,
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        if depth >= MAX_DEPTH {
            return Err(self.tokens.error("nested more than 100 levels deep"));
        }
        let mut seen = Bits::new(schema.fields().len());
        let mut required = Bits::new(schema.required_count());
        loop {
            match (self.tokens.peek()?, end) {
                (Token::End, None) => break,
                (Token::Sign(sign), Some(end)) if *sign == end => {
                    self.tokens.next()?;
                    break;
                }
                _ => {}
            }
            let (index, field) = match self.name(schema)? {
                Name::Field(index, field) => (index, field),
                Name::Any(url, fields) => {
                    // It sets both fields of the message.
                    if fields.map(|index| seen.insert(index)) != [true; 2] {
                        return Err(self.tokens.error(format!("{} is there twice", schema.full_name())));
                    }
                    self.any(schema, &url, depth, out)?;
                    self.separator()?;
                    continue;
                }
                Name::Reserved => {
                    self.skip(depth)?;
                    self.separator()?;
                    continue;
                }
            };
            if !seen.insert(index) && field.cardinality != Cardinality::Repeated {
                return Err(self.tokens.error(format!("field {} is there twice", field.name)));
            }
            if let Some(bit) = field.required_bit {
                required.insert(usize::from(bit));
            }
            self.values(schema, field, depth, out)?;
            self.separator()?;
        }
        match required.first_missing(schema.required_count()) {
            None => Ok(()),
            Some(bit) => Err(FormatError::MissingRequired(schema.required_name(bit).into())),
        }
    }

    /// Reads `name`, the type name of a group, or `[package.extension]`.
    fn name<'s>(&mut self, schema: MessageSchema<'s>) -> Result<Name<'s>, FormatError> {
        let (name, extension) = match self.tokens.next()? {
            Token::Word(name) => (name.to_owned(), false),
            Token::Sign(b'[') => (self.full_name()?, true),
            _ => return Err(self.tokens.error("expected the name of a field")),
        };
        let is_it = |field: &Field| match (&field.extension, schema.child(field)) {
            (Some(full), _) => extension && **full == *name,
            (None, _) if extension => false,
            (None, Some(child)) if matches!(field.kind, Kind::Group(_)) => {
                group_name(field, child) == name || *field.name == *name
            }
            _ => *field.name == *name,
        };
        let found = schema.fields().iter().enumerate().find(|(_, field)| is_it(field));
        match found {
            Some((index, field)) => Ok(Name::Field(index, field)),
            None if !extension && schema.def().reserved.iter().any(|reserved| **reserved == *name) => {
                Ok(Name::Reserved)
            }
            None => match any_fields(schema) {
                Some(fields) if extension && name.contains('/') => Ok(Name::Any(name, fields)),
                _ => Err(self.tokens.error(format!("{} has no field {name}", schema.full_name()))),
            },
        }
    }

    fn separator(&mut self) -> Result<(), FormatError> {
        if !self.tokens.take(b',')? {
            self.tokens.take(b';')?;
        }
        Ok(())
    }

    /// Reads the fields of the message in an `Any`, whose type must be in the pool.
    fn any(
        &mut self,
        schema: MessageSchema<'_>,
        url: &str,
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let name = url.rsplit('/').next().unwrap_or(url);
        let unknown = || self.tokens.error(format!("unknown type {url}"));
        let message = schema.pool().message(name).ok_or_else(unknown)?;
        self.tokens.take(b':')?;
        let end = self.opening()?;
        let mut inside = Vec::new();
        self.fields(message, Some(end), depth + 1, &mut inside)?;
        for (number, bytes) in [(1, url.as_bytes()), (2, &inside[..])] {
            put_varint(out, number << 3 | 2);
            put_bytes(out, bytes);
        }
        Ok(())
    }

    /// Reads the start of a message, and returns the character that ends it.
    fn opening(&mut self) -> Result<u8, FormatError> {
        match self.tokens.next()? {
            Token::Sign(b'{') => Ok(b'}'),
            Token::Sign(b'<') => Ok(b'>'),
            _ => Err(self.tokens.error("expected `{`")),
        }
    }

    /// Skips the value of a field with a reserved name; the colon may be missing only before messages.
    fn skip(&mut self, depth: u32) -> Result<(), FormatError> {
        let mut open = Vec::new();
        if !self.tokens.take(b':')? && !matches!(self.tokens.peek()?, Token::Sign(b'{' | b'<')) {
            return Err(self.tokens.error("expected `:`"));
        }
        loop {
            let close = match self.tokens.next()? {
                Token::Sign(b'{') => Some(b'}'),
                Token::Sign(b'<') => Some(b'>'),
                Token::Sign(b'[') => Some(b']'),
                Token::Sign(sign @ (b'}' | b'>' | b']')) if open.last() == Some(&sign) => {
                    open.pop();
                    None
                }
                Token::Sign(b'-') if open.is_empty() => continue,
                Token::Sign(b'}' | b'>' | b']') | Token::End => {
                    return Err(self.tokens.error("expected a value"));
                }
                Token::Sign(_) if open.is_empty() => return Err(self.tokens.error("expected a value")),
                _ => None,
            };
            open.extend(close);
            if open.len() + depth as usize >= MAX_DEPTH as usize {
                return Err(self.tokens.error("nested more than 100 levels deep"));
            }
            if open.is_empty() {
                // Adjacent strings form one.
                while matches!(self.tokens.peek()?, Token::Text(_)) {
                    self.tokens.next()?;
                }
                return Ok(());
            }
        }
    }

    fn full_name(&mut self) -> Result<String, FormatError> {
        let mut name = String::new();
        loop {
            match self.tokens.next()? {
                Token::Word(word) => name.push_str(word),
                Token::Sign(sign @ (b'.' | b'/' | b'-')) => name.push(sign as char),
                Token::Sign(b']') => return Ok(name),
                _ => return Err(self.tokens.error("not the name of an extension")),
            }
        }
    }

    /// Reads the part after the name: one value, or several in brackets.
    fn values(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let message = schema.child(field).is_some();
        if !self.tokens.take(b':')? && !message {
            return Err(self.tokens.error("expected `:`"));
        }
        if field.cardinality != Cardinality::Repeated || !self.tokens.take(b'[')? {
            return self.one(schema, field, depth, out);
        }
        if self.tokens.take(b']')? {
            return Ok(());
        }
        loop {
            self.one(schema, field, depth, out)?;
            if !self.tokens.take(b',')? {
                return self.tokens.expect(b']');
            }
        }
    }

    fn one(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        put_varint(out, u64::from(field.number) << 3 | field.kind.wire_type());
        if let Some(child) = schema.child(field) {
            let end = self.opening()?;
            if matches!(field.kind, Kind::Group(_)) {
                self.fields(child, Some(end), depth + 1, out)?;
                put_varint(out, u64::from(field.number) << 3 | 4);
                return Ok(());
            }
            let mut inside = Vec::new();
            self.fields(child, Some(end), depth + 1, &mut inside)?;
            put_bytes(out, &inside);
            return Ok(());
        }
        match field.kind {
            Kind::String | Kind::Bytes => {
                let bytes = self.strings()?;
                if field.kind == Kind::String && field.utf8 && std::str::from_utf8(&bytes).is_err() {
                    return Err(self.tokens.error(format!("{}: not UTF-8", field.name)));
                }
                put_bytes(out, &bytes);
                Ok(())
            }
            _ => self.number(schema, field, out),
        }
    }

    /// Adjacent strings form one.
    fn strings(&mut self) -> Result<Vec<u8>, FormatError> {
        let Token::Text(mut bytes) = self.tokens.next()? else {
            return Err(self.tokens.error("expected a string"));
        };
        while let Token::Text(more) = self.tokens.peek()? {
            bytes.extend_from_slice(more);
            self.tokens.next()?;
        }
        Ok(bytes)
    }

    fn number(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let negative = self.tokens.take(b'-')?;
        let text = match self.tokens.next()? {
            Token::Word(text) | Token::Number(text) => text,
            _ => return Err(self.tokens.error(format!("{}: expected a value", field.name))),
        };
        let misfit =
            || format!("{}: {}{text} is not one of its values", field.name, if negative { "-" } else { "" });
        let signed = |bits: u32| {
            let magnitude = magnitude(text)?;
            let limit = 1 << (bits - 1);
            match negative {
                false if magnitude < limit => Some(magnitude as i64),
                true if magnitude <= limit => Some((magnitude as i64).wrapping_neg()),
                _ => None,
            }
        };
        let unsigned = |most: u64| magnitude(text).filter(|m| *m <= most && (!negative || *m == 0));
        let bits = match field.kind {
            Kind::Int32 | Kind::Sfixed32 => signed(32).map(|v| v as u64),
            Kind::Sint32 => signed(32).map(zigzag),
            Kind::Int64 | Kind::Sfixed64 => signed(64).map(|v| v as u64),
            Kind::Sint64 => signed(64).map(zigzag),
            Kind::Uint32 | Kind::Fixed32 => unsigned(u64::from(u32::MAX)),
            Kind::Uint64 | Kind::Fixed64 => unsigned(u64::MAX),
            Kind::Double => double(text, negative).map(f64::to_bits),
            Kind::Float => double(text, negative).map(|v| u64::from((v as f32).to_bits())),
            Kind::Bool if !negative => match text {
                "true" | "True" | "t" | "1" => Some(1),
                "false" | "False" | "f" | "0" => Some(0),
                _ => None,
            },
            Kind::Enum(index) => {
                let def = schema.enumeration(index);
                let named = def.number_of(text).filter(|_| !negative).map(i64::from);
                let known = |n: &i64| !def.closed || def.name_of(*n as i32).is_some();
                named.or_else(|| signed(32).filter(known)).map(|v| v as u64)
            }
            _ => None,
        };
        let Some(bits) = bits else { return Err(self.tokens.error(misfit())) };
        match field.kind.wire_type() {
            1 => out.extend_from_slice(&bits.to_le_bytes()),
            5 => out.extend_from_slice(&(bits as u32).to_le_bytes()),
            _ => put_varint(out, bits),
        }
        Ok(())
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Parses decimal, `0x` hexadecimal or `0` octal.
fn magnitude(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    match bytes {
        [b'0', b'x' | b'X', ..] => {
            u64::from_str_radix(&text[2..], 16).ok().filter(|_| bytes[2].is_ascii_hexdigit())
        }
        [b'0', _, ..] => u64::from_str_radix(&text[1..], 8).ok(),
        [b'0'..=b'9', ..] => text.parse().ok(),
        _ => None,
    }
}

/// The indices of `type_url` and `value`, if this is a proper `google.protobuf.Any`: descriptors may come
/// from a peer.
fn any_fields(schema: MessageSchema<'_>) -> Option<[usize; 2]> {
    if schema.def().well_known != WellKnown::Any {
        return None;
    }
    let index = |number, kind| {
        let (index, field) = schema.field_by_number(number)?;
        (field.kind == kind && field.cardinality != Cardinality::Repeated).then_some(index)
    };
    Some([index(1, Kind::String)?, index(2, Kind::Bytes)?])
}

fn double(text: &str, negative: bool) -> Option<f64> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    let value = match () {
        () if is("inf") || is("infinity") => f64::INFINITY,
        () if is("nan") => f64::NAN,
        // A leading zero starts an octal number, which a float cannot be.
        () if text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit() => return None,
        () if text.starts_with("0x") || text.starts_with("0X") => return None,
        () if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            text.strip_suffix(['f', 'F']).unwrap_or(text).parse().ok()?
        }
        () => return None,
    };
    Some(if negative { -value } else { value })
}

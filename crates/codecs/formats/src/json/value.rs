//! Converts one value of JSON to one value of a field, and decides which values are skipped.

use super::{
    Style,
    read::{Fit, Reader},
    scalar,
};
use crate::{
    FormatError,
    protobuf::wire::{Open, put_varint, varint_len},
    schema::{EnumDef, Field, Kind, MessageSchema},
};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

impl Reader<'_> {
    /// Reads one value of a field, whose tag is written. A value that does not fit is skipped.
    #[inline]
    pub fn one(&mut self, schema: MessageSchema<'_>, field: &Field, depth: u32) -> Result<Fit, FormatError> {
        let first = self.lexer.peek();
        match field.kind {
            Kind::String => match first {
                Some(b'"') => {
                    let text = self.lexer.string()?;
                    self.put_string(text)?;
                    Ok(Fit::Yes)
                }
                _ => self.pass(depth, "not a string"),
            },
            Kind::Message(_) => {
                let child = schema.child(field).expect("the kind says so");
                let (open, at) = (self.open(), self.lexer.position());
                self.value(child, depth + 1).map_err(|error| self.inside(child, field, at, error))?;
                self.close(open);
                Ok(Fit::Yes)
            }
            Kind::Group(_) => {
                let child = schema.child(field).expect("the kind says so");
                let at = self.lexer.position();
                self.value(child, depth + 1).map_err(|error| self.inside(child, field, at, error))?;
                put_varint(&mut self.out, u64::from(field.number) << 3 | 4);
                Ok(Fit::Yes)
            }
            Kind::Bool => {
                let value = self.lexer.literal("true");
                if value || self.lexer.literal("false") {
                    self.out.push(u8::from(value));
                    return Ok(Fit::Yes);
                }
                self.pass(depth, "not true or false")
            }
            Kind::Double | Kind::Float => self.float(field, first, depth),
            Kind::Bytes => self.bytes(field, first, depth),
            Kind::Enum(index) => self.enumeration(schema.enumeration(index), first, depth),
            _ => self.integer(field.kind, first, depth),
        }
    }

    fn pass(&mut self, depth: u32, what: &'static str) -> Result<Fit, FormatError> {
        self.lexer.skip(depth + 1)?;
        Ok(Fit::No(what))
    }

    #[inline]
    fn integer(&mut self, kind: Kind, first: Option<u8>, depth: u32) -> Result<Fit, FormatError> {
        let canonical = self.style.is_canonical();
        let wide = matches!(kind, Kind::Int64 | Kind::Uint64 | Kind::Sint64 | Kind::Fixed64 | Kind::Sfixed64);
        let bits = match first {
            Some(b'-' | b'0'..=b'9') => {
                let text = self.lexer.number()?;
                scalar::integer(kind, text, canonical)
            }
            // "number or decimal string"; of 32 bits "string refused"
            Some(b'"') if wide || canonical => {
                let text = self.lexer.string()?;
                let text = text.text(&mut self.scratch).map_err(|what| self.lexer.error(what))?;
                match canonical {
                    true => scalar::whole_number(text).and_then(|t| scalar::integer(kind, t, true)),
                    false => scalar::integer(kind, text, false),
                }
            }
            _ => return self.pass(depth, "not an integer"),
        };
        match bits {
            Some(bits) => {
                self.put_bits(kind, bits);
                Ok(Fit::Yes)
            }
            None => Ok(Fit::No("not an integer of its range")),
        }
    }

    fn float(&mut self, field: &Field, first: Option<u8>, depth: u32) -> Result<Fit, FormatError> {
        let (kind, canonical) = (field.kind, self.style.is_canonical());
        let (text, quoted) = match first {
            Some(b'"') => {
                let text = self.lexer.string()?;
                (text.text(&mut self.scratch).map_err(|what| self.lexer.error(what))?, true)
            }
            Some(b'-' | b'0'..=b'9') => (self.lexer.number()?, false),
            _ => return self.pass(depth, "not a number"),
        };
        let special = if quoted { scalar::not_finite(text, !canonical) } else { None };
        let text = match (quoted, special) {
            (true, None) if canonical => scalar::whole_number(text),
            (true, None) => None,
            _ => Some(text),
        };
        let Some(text) = text else { return Ok(Fit::No("not a number")) };
        if special.is_none() && scalar::double(text).is_none() {
            return Err(self.does_not_fit(field, "a number beyond all ranges"));
        }
        if kind == Kind::Double {
            let value = special.or_else(|| scalar::double(text)).unwrap_or_default();
            self.out.extend_from_slice(&value.to_le_bytes());
            return Ok(Fit::Yes);
        }
        match special.map(|v| v as f32).or_else(|| scalar::float(text, canonical)) {
            Some(value) => {
                self.out.extend_from_slice(&value.to_le_bytes());
                Ok(Fit::Yes)
            }
            None => Ok(Fit::No("beyond the range of a float")),
        }
    }

    fn bytes(&mut self, field: &Field, first: Option<u8>, depth: u32) -> Result<Fit, FormatError> {
        if first != Some(b'"') {
            return self.pass(depth, "not a string");
        }
        let text = self.lexer.string()?;
        let engine = match self.style {
            Style::Brpc(options) if !options.bytes_to_base64 => {
                self.put_string(text)?;
                return Ok(Fit::Yes);
            }
            Style::Brpc(_) => &STANDARD,
            Style::Canonical | Style::Strict if text.raw.contains(['-', '_']) => &URL_SAFE,
            Style::Canonical | Style::Strict => &STANDARD,
        };
        let text = text.text(&mut self.scratch).map_err(|what| self.lexer.error(what))?;
        let open = Open { at: self.out.len(), width: varint_len(text.len() as u64 / 4 * 3) };
        self.out.resize(open.at + open.width, 0);
        // Invalid base64 is an error even where a value of the wrong type is not.
        if engine.decode_vec(text, &mut self.out).is_err() {
            return Err(self.does_not_fit(field, "not base64"));
        }
        self.close(open);
        Ok(Fit::Yes)
    }

    fn enumeration(&mut self, def: &EnumDef, first: Option<u8>, depth: u32) -> Result<Fit, FormatError> {
        let canonical = self.style.is_canonical();
        let open = canonical || !def.closed && !self.is_lenient();
        let number = match first {
            Some(b'"') => {
                let name = self.lexer.string()?;
                let name = name.text(&mut self.scratch).map_err(|what| self.lexer.error(what))?;
                match def.number_of(name) {
                    // Unknown names are ignored in requests where unknown fields are.
                    None if self.style == Style::Canonical => return Ok(Fit::Drop),
                    number => number,
                }
            }
            Some(b'-' | b'0'..=b'9') => {
                let text = self.lexer.number()?;
                let bits = scalar::integer(Kind::Int32, text, canonical);
                bits.map(|bits| bits as i32).filter(|n| open || def.name_of(*n).is_some())
            }
            Some(b'n') if canonical && self.lexer.literal("null") => Some(0),
            _ => return self.pass(depth, "not a name or number of its enum"),
        };
        match number {
            Some(number) => {
                put_varint(&mut self.out, i64::from(number) as u64);
                Ok(Fit::Yes)
            }
            None => Ok(Fit::No("not a value of its enum")),
        }
    }
}

const INDIFFERENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
pub(crate) const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, INDIFFERENT);
pub(crate) const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, INDIFFERENT);

//! Converts protobuf to JSON.
//!
//! The bytes of a message are read once to find the positions of its fields ([`Index`]), which are then
//! written in the order of the style.

use super::{MAX_DEPTH, Options, Style, put_string, well_known};
use crate::{
    FormatError,
    protobuf::{
        index::{Index, Slot, each_number},
        utf8,
        wire::unzigzag,
    },
    schema::{Cardinality, Field, FieldDefault, Kind, MessageSchema, WellKnown},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::collections::HashMap;

/// Places of keys that are reserved before the keys were read.
const MOST_PLACES: usize = 1024;

pub(super) fn message(schema: MessageSchema<'_>, wire: &[u8], style: Style) -> Result<Vec<u8>, FormatError> {
    let mut writer = Writer::new(wire, style);
    writer.whole(schema, wire)?;
    Ok(writer.out)
}

/// Writes a message for somebody else: at most `longest` bytes, and nothing that it does not say.
pub(super) fn exactly(
    schema: MessageSchema<'_>,
    wire: &[u8],
    style: Style,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    let mut writer = Writer::limited(wire, style, longest);
    match writer.whole(schema, wire) {
        Err(error) => Err(writer.explained(error)),
        Ok(()) if writer.out.len() > longest => Err(FormatError::TooLarge { limit: longest }),
        Ok(()) if writer.has_replaced => {
            let place = utf8::first_misfit(schema, wire).unwrap_or_else(|| "a string".to_owned());
            Err(FormatError::protobuf(format!("{place} is not UTF-8")))
        }
        Ok(()) => Ok(writer.out),
    }
}

/// The value of one field that stands for the whole reply: all of its items if it is repeated, `null` for an
/// absent message. It has at most `longest` bytes.
pub(super) fn field(
    schema: MessageSchema<'_>,
    index: usize,
    wire: &[u8],
    style: Style,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    let mut writer = match longest {
        usize::MAX => Writer::new(wire, style),
        longest => Writer::limited(wire, style, longest),
    };
    let base = writer.index.begin(schema, wire)?;
    let (field, slot) = (schema.field(index), writer.index.slot(base, index));
    writer.index.end(base);
    let is_message = schema.child(field).is_some() && field.cardinality != Cardinality::Repeated;
    match slot.count {
        0 if is_message => writer.out.extend_from_slice(b"null"),
        _ => writer.field(schema, field, slot, wire, 0)?,
    }
    if writer.out.len() > longest {
        return Err(FormatError::TooLarge { limit: longest });
    }
    Ok(writer.out)
}

/// Writes a part of a message: its required fields may be elsewhere.
pub(super) fn partial(schema: MessageSchema<'_>, wire: &[u8], style: Style) -> Result<Vec<u8>, FormatError> {
    let mut writer = Writer { partial: true, ..Writer::new(wire, style) };
    writer.value(schema, wire, 0)?;
    Ok(writer.out)
}

pub(super) struct Writer {
    pub out: Vec<u8>,
    style: Style,
    options: Options,
    index: Index,
    /// Number of open objects and arrays, for the indentation.
    level: usize,
    /// Required fields may be missing.
    partial: bool,
    /// Where writing stops with an error, at the next member or element.
    longest: usize,
    /// Whether a string was not UTF-8, so that other characters were written.
    has_replaced: bool,
    /// The field in which an error was met, from the message down.
    place: String,
}

impl Writer {
    fn new(wire: &[u8], style: Style) -> Self {
        let options = match style {
            Style::Brpc(options) => options,
            Style::Canonical | Style::Strict => Options::default(),
        };
        let out = Vec::with_capacity(wire.len() + wire.len() / 4 + 32);
        let (index, longest, place) = (Index::new(wire), usize::MAX, String::new());
        Writer { out, style, options, index, level: 0, partial: false, longest, has_replaced: false, place }
    }

    /// For somebody else's message: output and work have limits.
    fn limited(wire: &[u8], style: Style, longest: usize) -> Writer {
        let mut writer = Writer { longest, ..Writer::new(wire, style) };
        writer.index.limit_work(wire);
        writer
    }

    fn whole(&mut self, schema: MessageSchema<'_>, wire: &[u8]) -> Result<(), FormatError> {
        let single =
            matches!(schema.fields(), [field] if field.cardinality == Cardinality::Repeated && !field.map[0]);
        match self.options.single_repeated_to_array && single {
            true => self.only_field(schema, wire, 0, b"[]"),
            false => self.value(schema, wire, 0),
        }
    }

    /// Adds a field to the place of an error inside it.
    #[cold]
    fn inside(&mut self, field: &Field, error: FormatError) -> FormatError {
        if !self.place.is_empty() {
            self.place.insert(0, '.');
        }
        self.place.insert_str(0, &field.name);
        error
    }

    /// An error with its place.
    #[cold]
    fn explained(self, error: FormatError) -> FormatError {
        match error {
            _ if self.place.is_empty() => error,
            FormatError::Json { at, what } => {
                FormatError::Json { at, what: format!("{}: {what}", self.place).into() }
            }
            FormatError::Protobuf(what) => FormatError::protobuf(format!("{}: {what}", self.place)),
            other => other,
        }
    }

    #[cold]
    fn too_long(&self) -> FormatError {
        FormatError::TooLarge { limit: self.longest }
    }

    #[cold]
    pub fn error(&self, what: impl Into<Box<str>>) -> FormatError {
        FormatError::Json { at: self.out.len(), what: what.into() }
    }

    /// Writes a message: an object, or the special form of a well-known type in canonical JSON.
    pub fn value(&mut self, schema: MessageSchema<'_>, wire: &[u8], depth: u32) -> Result<(), FormatError> {
        if depth >= MAX_DEPTH {
            return Err(self.error("nested more than 100 levels deep"));
        }
        if self.style.is_canonical() && schema.def().well_known != WellKnown::No {
            return well_known::write(self, schema, wire, depth);
        }
        self.object(schema, wire, depth)
    }

    pub fn object(&mut self, schema: MessageSchema<'_>, wire: &[u8], depth: u32) -> Result<(), FormatError> {
        self.out.push(b'{');
        self.members(schema, wire, depth, true)
    }

    /// Writes the members of an object and its end. `first`: no member was written yet.
    pub fn members(
        &mut self,
        schema: MessageSchema<'_>,
        wire: &[u8],
        depth: u32,
        mut first: bool,
    ) -> Result<(), FormatError> {
        self.level += 1;
        let base = self.index.begin(schema, wire)?;
        let style = self.style.index();
        for index in &schema.def().output[style] {
            let index = usize::from(*index);
            let (field, slot) = (schema.field(index), self.index.slot(base, index));
            if !self.is_written(schema, field, slot, wire)? {
                continue;
            }
            self.separate(&mut first);
            self.out.extend_from_slice(field.keys[style].as_bytes());
            if self.options.pretty {
                self.out.push(b' ');
            }
            if let Err(error) = self.field(schema, field, slot, wire, depth) {
                return Err(self.inside(field, error));
            }
            if self.out.len() > self.longest {
                return Err(self.too_long());
            }
        }
        self.index.end(base);
        self.level -= 1;
        self.end(first, b'}');
        Ok(())
    }

    #[inline]
    fn is_written(
        &self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
    ) -> Result<bool, FormatError> {
        let message = matches!(field.kind, Kind::Message(_) | Kind::Group(_));
        match (slot.count, field.cardinality) {
            (0, Cardinality::Required) if self.partial => Ok(false),
            (0, Cardinality::Required) => Err(missing(schema, field)),
            (0, Cardinality::Repeated) => Ok(self.options.empty_arrays),
            (0, _) => Ok(self.options.print_defaults && !message && field.oneof.is_none()),
            (_, Cardinality::Implicit) => {
                let raw = slot.last(wire)?;
                Ok(raw.bits != 0 || !raw.payload.is_empty() || self.options.print_defaults)
            }
            _ => Ok(true),
        }
    }

    /// Writes the value of a field, whether or not it is present.
    fn field(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
        depth: u32,
    ) -> Result<(), FormatError> {
        match field.cardinality {
            Cardinality::Repeated if field.map[self.style.index()] => {
                self.map(schema, field, slot, wire, depth)
            }
            Cardinality::Repeated => self.array(schema, field, slot, wire, depth),
            _ if slot.count == 0 => self.default(schema, field, depth),
            _ => match schema.child(field) {
                Some(child) if slot.count > 1 => {
                    let whole = self.index.merge(field, slot, wire)?;
                    self.value(child, &whole, depth + 1)?;
                    self.index.release(&whole);
                    Ok(())
                }
                Some(child) => self.value(child, slot.last(wire)?.payload, depth + 1),
                None => {
                    let raw = slot.last(wire)?;
                    self.scalar(schema, field.kind, raw.bits, raw.payload);
                    Ok(())
                }
            },
        }
    }

    fn default(&mut self, schema: MessageSchema<'_>, field: &Field, depth: u32) -> Result<(), FormatError> {
        match (&field.default, schema.child(field)) {
            (_, Some(child)) => self.value(child, &[], depth + 1),
            (FieldDefault::Bits(bits), _) => {
                self.scalar(schema, field.kind, *bits, &[]);
                Ok(())
            }
            (FieldDefault::Bytes(bytes), _) => {
                self.scalar(schema, field.kind, 0, bytes);
                Ok(())
            }
        }
    }

    fn array(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
        depth: u32,
    ) -> Result<(), FormatError> {
        self.out.push(b'[');
        self.level += 1;
        let mut first = true;
        slot.each(schema, field, wire, |raw| match schema.child(field) {
            _ if self.out.len() > self.longest => Err(self.too_long()),
            Some(child) => {
                self.separate(&mut first);
                self.value(child, raw.payload, depth + 1)
            }
            None if field.kind.wire_type() == 2 => {
                self.separate(&mut first);
                self.scalar(schema, field.kind, 0, raw.payload);
                Ok(())
            }
            None => each_number(schema, field.kind, raw, |bits| {
                // A packed field has no other place to stop at: the error follows behind it.
                if self.out.len() <= self.longest {
                    self.separate(&mut first);
                    self.scalar(schema, field.kind, bits, &[]);
                }
            }),
        })?;
        self.level -= 1;
        self.end(first, b']');
        Ok(())
    }

    fn map(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
        depth: u32,
    ) -> Result<(), FormatError> {
        let entry = schema.child(field).expect("maps have entries");
        if depth + 1 >= MAX_DEPTH {
            return Err(self.error("nested more than 100 levels deep"));
        }
        self.out.push(b'{');
        self.level += 1;
        let mut first = true;
        // Repeated messages that brpc prints as maps keep all their elements.
        let may_repeat = slot.count > 1 && entry.def().map_entry;
        let last = if may_repeat { self.last_of_each_key(schema, field, slot, wire)? } else { None };
        let mut ordinal = 0;
        slot.each(schema, field, wire, |raw| {
            ordinal += 1;
            if self.out.len() > self.longest {
                return Err(self.too_long());
            }
            if last.as_ref().is_some_and(|last| last.binary_search(&ordinal).is_err()) {
                return Ok(());
            }
            let base = self.index.begin(entry, raw.payload)?;
            let (key, value) = (self.index.slot(base, 0), self.index.slot(base, 1));
            for (field, slot) in entry.fields().iter().zip([key, value]) {
                if slot.count == 0 && field.cardinality == Cardinality::Required {
                    return Err(missing(entry, field));
                }
            }
            self.separate(&mut first);
            self.key(entry, key, raw.payload)?;
            self.field(entry, entry.field(1), value, raw.payload, depth + 1)?;
            self.index.end(base);
            Ok(())
        })?;
        self.level -= 1;
        self.end(first, b'}');
        Ok(())
    }

    /// The positions, from 1 and ascending, of the entries to write: if several have the same key, only the
    /// last. `None` if no key is repeated.
    fn last_of_each_key(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
    ) -> Result<Option<Vec<usize>>, FormatError> {
        let entry = schema.child(field).expect("maps have entries");
        // It grows with the keys that differ: an entry takes two bytes, and its place here forty.
        let mut places: HashMap<(u64, &[u8]), usize> = HashMap::with_capacity(slot.count.min(MOST_PLACES));
        let mut ordinal = 0;
        slot.each(schema, field, wire, |raw| {
            ordinal += 1;
            let base = self.index.begin(entry, raw.payload)?;
            let key = self.index.slot(base, 0);
            let key = match key.count {
                0 => (0, &[][..]),
                _ => {
                    key.last(raw.payload).map(|raw| (key_bits(entry.field(0).kind, raw.bits), raw.payload))?
                }
            };
            self.index.end(base);
            places.insert(key, ordinal);
            Ok(())
        })?;
        if places.len() == ordinal {
            return Ok(None);
        }
        let mut places: Vec<usize> = places.into_values().collect();
        places.sort_unstable();
        Ok(Some(places))
    }

    /// Writes the key of a map entry, always a string.
    fn key(&mut self, entry: MessageSchema<'_>, slot: Slot, wire: &[u8]) -> Result<(), FormatError> {
        let kind = entry.field(0).kind;
        let (bits, payload) = match slot.count {
            0 => (0, &[][..]),
            _ => slot.last(wire).map(|raw| (raw.bits, raw.payload))?,
        };
        let quoted_already = kind == Kind::String || (self.style.is_canonical() && is_wide(kind));
        let quote = !quoted_already;
        if quote {
            self.out.push(b'"');
        }
        self.scalar(entry, kind, bits, payload);
        if quote {
            self.out.push(b'"');
        }
        self.out.push(b':');
        if self.options.pretty {
            self.out.push(b' ');
        }
        Ok(())
    }

    /// Writes a scalar.
    #[inline]
    fn scalar(&mut self, schema: MessageSchema<'_>, kind: Kind, bits: u64, payload: &[u8]) {
        match kind {
            Kind::String => self.text(payload),
            Kind::Bool => self.out.extend_from_slice(if bits == 0 { &b"false"[..] } else { b"true" }),
            Kind::Int32 | Kind::Sfixed32 => self.number(bits as i32),
            Kind::Uint32 | Kind::Fixed32 => self.number(bits as u32),
            Kind::Sint32 => self.number(unzigzag(u64::from(bits as u32)) as i32),
            Kind::Int64 | Kind::Sfixed64 => self.wide(bits as i64),
            Kind::Uint64 | Kind::Fixed64 => self.wide(bits),
            Kind::Sint64 => self.wide(unzigzag(bits)),
            Kind::Double => self.double(f64::from_bits(bits)),
            Kind::Float => self.float(f32::from_bits(bits as u32)),
            Kind::Bytes if self.options.bytes_to_base64 => self.base64(payload),
            Kind::Bytes => self.text(payload),
            Kind::Enum(index) => {
                let def = schema.enumeration(index);
                if self.style.is_canonical() && &*def.name == "google.protobuf.NullValue" {
                    return self.out.extend_from_slice(b"null");
                }
                match def.name_of(bits as i32).filter(|_| !self.options.enum_as_number) {
                    Some(name) => put_string(&mut self.out, name),
                    None => self.number(bits as i32),
                }
            }
            Kind::Message(_) | Kind::Group(_) => {}
        }
    }

    /// Strings of proto2 may contain arbitrary bytes, those of JSON must be UTF-8.
    #[inline]
    pub fn text(&mut self, payload: &[u8]) {
        match std::str::from_utf8(payload) {
            Ok(text) => put_string(&mut self.out, text),
            Err(_) => self.replaced(payload),
        }
    }

    #[cold]
    fn replaced(&mut self, payload: &[u8]) {
        self.has_replaced = true;
        put_string(&mut self.out, &String::from_utf8_lossy(payload));
    }

    #[inline]
    fn number(&mut self, value: impl itoa::Integer) {
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// Writes a 64-bit number: a number in brpc's JSON, a string in canonical JSON.
    #[inline]
    fn wide(&mut self, value: impl itoa::Integer) {
        match self.style {
            Style::Brpc(_) => self.number(value),
            Style::Canonical | Style::Strict => {
                self.out.push(b'"');
                self.number(value);
                self.out.push(b'"');
            }
        }
    }

    /// Writes the shortest text that reads as the same double.
    pub fn double(&mut self, value: f64) {
        match not_finite(value) {
            Some(name) => self.out.extend_from_slice(name),
            None => self.out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes()),
        }
    }

    fn float(&mut self, value: f32) {
        match not_finite(f64::from(value)) {
            Some(name) => self.out.extend_from_slice(name),
            None => self.out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes()),
        }
    }

    fn base64(&mut self, payload: &[u8]) {
        self.out.push(b'"');
        let start = self.out.len();
        self.out.resize(start + payload.len().div_ceil(3) * 4, 0);
        STANDARD.encode_slice(payload, &mut self.out[start..]).expect("four bytes for every three");
        self.out.push(b'"');
    }

    /// Writes field 1 of a wrapper, as a plain value.
    pub fn wrapped(&mut self, schema: MessageSchema<'_>, wire: &[u8]) -> Result<(), FormatError> {
        // A foreign schema may say anything: a wrapper of a wrapper of itself would have no end.
        let scalar =
            |field: &Field| schema.child(field).is_none() && field.cardinality != Cardinality::Repeated;
        let Some((index, field)) = schema.field_by_number(1).filter(|(_, field)| scalar(field)) else {
            return Err(self.error("a wrapper without a value"));
        };
        let base = self.index.begin(schema, wire)?;
        let slot = self.index.slot(base, index);
        self.index.end(base);
        self.field(schema, field, slot, wire, 0)
    }

    /// Writes the value of a message's only field in place of the message; `empty` if the field is absent.
    pub fn only_field(
        &mut self,
        schema: MessageSchema<'_>,
        wire: &[u8],
        depth: u32,
        empty: &[u8],
    ) -> Result<(), FormatError> {
        let [field] = schema.fields() else { return Err(self.error("a message with one field has another")) };
        let base = self.index.begin(schema, wire)?;
        let slot = self.index.slot(base, 0);
        self.index.end(base);
        match slot.count {
            0 => self.out.extend_from_slice(empty),
            _ => self.field(schema, field, slot, wire, depth)?,
        }
        Ok(())
    }

    /// Writes the separator between members and elements.
    #[inline]
    fn separate(&mut self, first: &mut bool) {
        if !std::mem::take(first) {
            self.out.push(b',');
        }
        if self.options.pretty {
            self.new_line();
        }
    }

    fn end(&mut self, empty: bool, bracket: u8) {
        if self.options.pretty && !empty {
            self.new_line();
        }
        self.out.push(bracket);
    }

    #[cold]
    fn new_line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 4 * self.level, b' ');
    }
}

#[cold]
fn missing(schema: MessageSchema<'_>, field: &Field) -> FormatError {
    FormatError::MissingRequired(format!("{}.{}", schema.full_name(), field.name).into())
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Int64 | Kind::Sfixed64 | Kind::Uint64 | Kind::Fixed64 | Kind::Sint64)
}

fn not_finite(value: f64) -> Option<&'static [u8]> {
    match value {
        v if v.is_nan() => Some(b"\"NaN\""),
        f64::INFINITY => Some(b"\"Infinity\""),
        f64::NEG_INFINITY => Some(b"\"-Infinity\""),
        _ => None,
    }
}

/// The bits of a key that its type keeps; keys that differ only in other bits are equal.
fn key_bits(kind: Kind, bits: u64) -> u64 {
    match kind {
        Kind::Bool => u64::from(bits != 0),
        Kind::Int32 | Kind::Sfixed32 | Kind::Uint32 | Kind::Fixed32 | Kind::Sint32 => u64::from(bits as u32),
        _ => bits,
    }
}

//! Converts JSON to protobuf in one pass.
//!
//! Members are written to the wire as they are read. The length of an object can only be guessed beforehand:
//! space for its prefix is reserved, and the prefix is written after the object, which moves the content if
//! the guess was too short.
//!
//! A member's field is most often the one after the previous member's; otherwise the name is looked up.

use super::{
    FromText, MAX_DEPTH, MAX_NOTES, MOST_KEY, Options, Style,
    lexer::{Lexer, Quoted},
    scalar, well_known,
};
use crate::{
    FormatError,
    protobuf::{
        bits::Bits,
        wire::{Open, put_bits, put_varint, varint_len},
    },
    schema::{Cardinality, Field, Kind, MessageSchema, WellKnown},
};

pub(super) fn message(schema: MessageSchema<'_>, text: &[u8], style: Style) -> Result<FromText, FormatError> {
    let mut reader = Reader::new(text, style)?;
    match reader.top(schema) {
        Ok(()) => Ok(FromText { wire: reader.out, notes: reader.notes }),
        Err(error) => Err(reader.explained(error)),
    }
}

/// Reads a part of a message: its required fields may be elsewhere.
pub(super) fn partial(schema: MessageSchema<'_>, text: &[u8], style: Style) -> Result<Vec<u8>, FormatError> {
    let mut reader = Reader { partial: true, ..Reader::new(text, style)? };
    match reader.top(schema) {
        Ok(()) => Ok(reader.out),
        Err(error) => Err(reader.explained(error)),
    }
}

/// Reads the value of one field, all of its items if it is repeated; the rest of the message is elsewhere.
pub(super) fn field(
    schema: MessageSchema<'_>,
    field: &Field,
    text: &[u8],
    style: Style,
) -> Result<Vec<u8>, FormatError> {
    let mut reader = Reader { partial: true, ..Reader::new(text, style)? };
    match reader.field(schema, field, 0).and_then(|_| reader.lexer.end()) {
        Ok(()) => Ok(reader.out),
        Err(error) => Err(reader.explained(error)),
    }
}

pub(super) struct Reader<'t> {
    pub lexer: Lexer<'t>,
    pub out: Vec<u8>,
    pub style: Style,
    pub notes: Vec<String>,
    /// For strings with escapes that are inspected before they are written.
    pub scratch: Vec<u8>,
    /// Path of the field whose value does not fit, for the error.
    pub misfit: Option<String>,
    /// Required fields may be missing.
    partial: bool,
}

/// Whether a value fits its field.
pub(super) enum Fit {
    Yes,
    /// The value was skipped; the field's rules decide what follows.
    No(&'static str),
    /// The value is treated as absent.
    Drop,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], style: Style) -> Result<Self, FormatError> {
        Ok(Reader {
            lexer: Lexer::new(text)?,
            out: Vec::with_capacity(text.len().min(64 << 10)),
            style,
            notes: Vec::new(),
            scratch: Vec::new(),
            misfit: None,
            partial: false,
        })
    }

    fn top(&mut self, schema: MessageSchema<'_>) -> Result<(), FormatError> {
        match self.lexer.peek() {
            None => self.complete(schema, &Bits::new(schema.required_count())),
            Some(b'[') if self.is_bare_array(schema) => {
                self.repeated(schema, schema.field(0), 1)?;
                self.lexer.end()
            }
            Some(_) => {
                self.value(schema, 0)?;
                self.lexer.end()
            }
        }
    }

    /// Adds the path of the field to an error, if a field's value did not fit.
    #[cold]
    fn explained(self, error: FormatError) -> FormatError {
        match (error, self.misfit) {
            (FormatError::Json { at, what }, Some(path)) => {
                FormatError::Json { at, what: format!("{path}: {what}").into() }
            }
            (error, _) => error,
        }
    }

    pub fn is_lenient(&self) -> bool {
        matches!(self.style, Style::Brpc(Options { lenient: true, .. }))
    }

    /// The error for a value that does not fit its field.
    #[cold]
    pub fn does_not_fit(&mut self, field: &Field, what: &str) -> FormatError {
        self.misfit = Some(field.name.to_string());
        self.lexer.error(what)
    }

    /// Adds this field to the path of an error in its message, which begins at `at`.
    #[cold]
    pub fn inside(
        &mut self,
        child: MessageSchema<'_>,
        field: &Field,
        at: usize,
        error: FormatError,
    ) -> FormatError {
        if let Some(path) = &mut self.misfit {
            path.insert(0, '.');
            path.insert_str(0, &field.name);
            return error;
        }
        let is_text = matches!(
            child.def().well_known,
            WellKnown::Timestamp | WellKnown::Duration | WellKnown::FieldMask
        );
        if is_text && self.style.is_canonical() {
            self.misfit = Some(field.name.to_string());
            return error;
        }
        self.at_field(field, at, error)
    }

    /// Names this field in an error about the value that begins at `at`: it is of another kind.
    #[cold]
    fn at_field(&mut self, field: &Field, at: usize, error: FormatError) -> FormatError {
        if self.misfit.is_none() && matches!(error, FormatError::Json { at: found, .. } if found == at) {
            self.misfit = Some(field.name.to_string());
        }
        error
    }

    /// Adds an item of this field, by its index, to the path of an error inside it.
    #[cold]
    fn in_item(&mut self, field: &Field, index: usize, error: FormatError) -> FormatError {
        if let Some(path) = &mut self.misfit {
            path.insert_str(field.name.len(), &format!("[{index}]"));
        }
        error
    }

    /// Replaces the value of a map's entry by the map and its key in the path of an error inside it.
    #[cold]
    fn in_entry(&mut self, map: &Field, value: &Field, key: Quoted<'_>, error: FormatError) -> FormatError {
        if let Some(path) = &mut self.misfit {
            let key = key.text(&mut self.scratch).unwrap_or_default();
            let shown: String = key.chars().take(MOST_KEY).collect();
            path.replace_range(..value.name.len(), &format!("{}[{shown:?}]", map.name));
        }
        error
    }

    fn is_bare_array(&self, schema: MessageSchema<'_>) -> bool {
        let Style::Brpc(options) = self.style else { return false };
        let single = matches!(schema.fields(), [field] if field.cardinality == Cardinality::Repeated);
        options.single_repeated_to_array && single
    }

    /// Reads the value of a message: an object, or the special form of a well-known type in canonical JSON.
    pub fn value(&mut self, schema: MessageSchema<'_>, depth: u32) -> Result<(), FormatError> {
        if depth >= MAX_DEPTH {
            return Err(self.lexer.too_deep());
        }
        if self.style.is_canonical() && schema.def().well_known != WellKnown::No {
            return well_known::read(self, schema, depth);
        }
        self.lexer.expect(b'{', "an object")?;
        self.members(schema, depth)
    }

    /// Reads the members of an object, up to and including its end.
    pub fn members(&mut self, schema: MessageSchema<'_>, depth: u32) -> Result<(), FormatError> {
        let mut seen = Bits::new(schema.fields().len());
        let mut required = Bits::new(schema.required_count());
        let mut oneofs = Bits::new(if self.style.is_canonical() { schema.def().oneofs } else { 0 });
        let mut expected = 0;
        let mut more = !self.lexer.take(b'}');
        while more {
            let at = self.lexer.position();
            let name = self.lexer.name()?;
            match self.find(schema, name, expected)? {
                None if self.style == Style::Strict => return Err(self.unknown(name)),
                None => self.lexer.skip(depth + 1)?, // "other names ignored silently"
                Some(index) => {
                    expected = index + 1;
                    let field = schema.field(index);
                    if !seen.insert(index) {
                        self.again(field, at, depth)?;
                    } else if self.field(schema, field, depth)? {
                        if let Some(bit) = field.required_bit {
                            required.insert(usize::from(bit));
                        }
                        self.alone(field, &mut oneofs)?;
                    }
                }
            }
            more = self.lexer.another(b'}')?;
        }
        self.complete(schema, &required)
    }

    #[cold]
    fn unknown(&mut self, name: Quoted<'t>) -> FormatError {
        self.misfit = Some(name.raw.chars().take(128).collect());
        self.lexer.error("no field of that name")
    }

    /// Checks that canonical JSON has only one member of a oneof.
    #[inline]
    fn alone(&self, field: &Field, oneofs: &mut Bits) -> Result<(), FormatError> {
        match field.oneof {
            Some(oneof) if self.style.is_canonical() && !oneofs.insert(usize::from(oneof)) => {
                Err(self.lexer.error(format!("second member of a oneof: {}", field.name)))
            }
            _ => Ok(()),
        }
    }

    fn complete(&self, schema: MessageSchema<'_>, required: &Bits) -> Result<(), FormatError> {
        match required.first_missing(schema.required_count()) {
            None => Ok(()),
            Some(_) if self.partial => Ok(()),
            Some(bit) => Err(FormatError::MissingRequired(schema.required_name(bit).into())),
        }
    }

    #[inline]
    fn find(
        &mut self,
        schema: MessageSchema<'_>,
        name: Quoted<'t>,
        expected: usize,
    ) -> Result<Option<usize>, FormatError> {
        let style = self.style.index();
        if let Some(field) = schema.fields().get(expected) {
            // The key is `"name":`; names that need escapes are looked up.
            if !name.escaped && field.keys[style].get(1..field.keys[style].len() - 2) == Some(name.raw) {
                return Ok(Some(expected));
            }
        }
        let names = &schema.def().names[style];
        let found = name.text(&mut self.scratch).map(|text| names.get(text.as_bytes()));
        found.map_err(|what| self.lexer.error(what))
    }

    /// Handles a member that was there before: brpc keeps the first, canonical JSON refuses it.
    #[cold]
    fn again(&mut self, field: &Field, at: usize, depth: u32) -> Result<(), FormatError> {
        if self.style.is_canonical() {
            let what = format!("member {} is there twice", field.name);
            return Err(FormatError::Json { at, what: what.into() });
        }
        self.lexer.skip(depth + 1)
    }

    /// A member of a known field. Returns whether it sets the field.
    #[inline]
    fn field(&mut self, schema: MessageSchema<'_>, field: &Field, depth: u32) -> Result<bool, FormatError> {
        if self.lexer.peek() == Some(b'n') && !self.takes_null(schema, field) {
            return match self.lexer.literal("null") {
                true => Ok(false),
                false => Err(self.lexer.error("expected a value")),
            };
        }
        if field.cardinality != Cardinality::Repeated {
            return self.singular(schema, field, depth);
        }
        let at = self.lexer.position();
        let is_map =
            field.map[self.style.index()] && (self.style.is_canonical() || self.lexer.peek() == Some(b'{'));
        let read = if is_map { self.map(schema, field, depth) } else { self.repeated(schema, field, depth) };
        read.map_err(|error| self.at_field(field, at, error))?;
        Ok(true)
    }

    /// Whether `null` is a value of the field rather than its absence: canonical `Value` and `NullValue`.
    fn takes_null(&self, schema: MessageSchema<'_>, field: &Field) -> bool {
        if !self.style.is_canonical() || field.cardinality == Cardinality::Repeated {
            return false;
        }
        match field.kind {
            Kind::Enum(index) => &*schema.enumeration(index).name == "google.protobuf.NullValue",
            _ => schema.child(field).is_some_and(|c| c.def().well_known == WellKnown::Value),
        }
    }

    /// Reads an array.
    pub fn repeated(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        depth: u32,
    ) -> Result<(), FormatError> {
        self.lexer.expect(b'[', "an array")?;
        if self.lexer.take(b']') {
            return Ok(());
        }
        let packed = field.packed.then(|| {
            self.out.extend_from_slice(&field.tag);
            self.open()
        });
        for index in 0.. {
            if let Err(error) = self.element(schema, field, depth) {
                return Err(self.in_item(field, index, error));
            }
            if !self.lexer.another(b']')? {
                break;
            }
        }
        if let Some(open) = packed {
            self.close(open);
        }
        Ok(())
    }

    #[inline]
    pub fn element(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        depth: u32,
    ) -> Result<(), FormatError> {
        let start = self.out.len();
        if !field.packed {
            self.out.extend_from_slice(&field.tag);
        }
        match self.one(schema, field, depth)? {
            Fit::Yes => Ok(()),
            Fit::Drop => {
                self.out.truncate(start);
                Ok(())
            }
            Fit::No(what) => Err(self.does_not_fit(field, what)),
        }
    }

    /// Reads an object whose members are the entries.
    pub fn map(&mut self, schema: MessageSchema<'_>, field: &Field, depth: u32) -> Result<(), FormatError> {
        let entry = schema.child(field).expect("maps have entries");
        let (key, value) = (entry.field(0), entry.field(1));
        self.lexer.expect(b'{', "an object")?;
        if self.lexer.take(b'}') {
            return Ok(());
        }
        loop {
            let start = self.out.len();
            self.out.extend_from_slice(&field.tag);
            let open = self.open();
            let name = self.lexer.name()?;
            if let Err(error) = self.map_key(key, name) {
                self.misfit = Some(field.name.to_string());
                return Err(error);
            }
            let null = self.lexer.peek() == Some(b'n') && !self.takes_null(entry, value);
            if null && self.style.is_canonical() {
                return Err(self.lexer.error("a map has no null values"));
            }
            let set =
                if null { self.field(entry, value, depth + 1) } else { self.map_value(entry, value, depth) };
            let set = match set {
                Ok(set) => set,
                Err(error) => return Err(self.in_entry(field, value, name, error)),
            };
            if let (false, Some(bit)) = (set, value.required_bit) {
                return Err(FormatError::MissingRequired(entry.required_name(usize::from(bit)).into()));
            }
            match set || !self.style.is_canonical() {
                true => self.close(open),
                false => self.out.truncate(start), // an unknown enum value: the whole entry is dropped
            }
            if !self.lexer.another(b'}')? {
                return Ok(());
            }
        }
    }

    fn map_value(
        &mut self,
        entry: MessageSchema<'_>,
        value: &Field,
        depth: u32,
    ) -> Result<bool, FormatError> {
        match value.cardinality {
            Cardinality::Repeated => self.field(entry, value, depth + 1),
            _ => self.singular(entry, value, depth + 1),
        }
    }

    fn map_key(&mut self, key: &Field, name: Quoted<'t>) -> Result<(), FormatError> {
        self.out.extend_from_slice(&key.tag);
        if key.kind == Kind::String {
            return self.put_string(name);
        }
        let text = name.text(&mut self.scratch).map_err(|what| self.lexer.error(what))?;
        let bits = match (key.kind, text) {
            (Kind::Bool, "true") => Some(1),
            (Kind::Bool, "false") => Some(0),
            (Kind::Bool, _) => None,
            (kind, text) => scalar::integer(kind, text, false),
        };
        let bits = bits.ok_or_else(|| self.lexer.error(format!("not a key: {text}")))?;
        self.put_bits(key.kind, bits);
        Ok(())
    }

    /// A value of a singular field. Returns whether it sets the field.
    #[inline]
    fn singular(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        depth: u32,
    ) -> Result<bool, FormatError> {
        let start = self.out.len();
        self.out.extend_from_slice(&field.tag);
        match self.one(schema, field, depth)? {
            Fit::Yes => Ok(true),
            Fit::Drop => {
                self.out.truncate(start);
                Ok(false)
            }
            Fit::No(what) => {
                self.out.truncate(start);
                self.misfit(field, what)
            }
        }
    }

    /// Handles a value that does not fit. docs/wire/http.md, section 2: "optional scalar: skipped with a
    /// note; required/repeated, or a non-object for a message field: error", if that is enabled; otherwise an
    /// error that names the field.
    #[cold]
    fn misfit(&mut self, field: &Field, what: &'static str) -> Result<bool, FormatError> {
        if !self.is_lenient() || field.cardinality == Cardinality::Required {
            return Err(self.does_not_fit(field, what));
        }
        if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("{}: {what}", field.name));
        }
        Ok(false)
    }

    #[inline]
    pub fn put_string(&mut self, text: Quoted<'t>) -> Result<(), FormatError> {
        if !text.escaped {
            put_varint(&mut self.out, text.raw.len() as u64);
            self.out.extend_from_slice(text.raw.as_bytes());
            return Ok(());
        }
        // Escapes are longer than the characters they stand for, so the guess is never too short.
        let open = Open { at: self.out.len(), width: varint_len(text.raw.len() as u64) };
        self.out.resize(open.at + open.width, 0);
        text.append_to(&mut self.out).map_err(|what| self.lexer.error(what))?;
        self.close(open);
        Ok(())
    }

    #[inline]
    pub fn put_bits(&mut self, kind: Kind, bits: u64) {
        put_bits(&mut self.out, kind, bits);
    }

    /// Begins a value with a length prefix.
    #[inline]
    pub fn open(&mut self) -> Open {
        Open::begin(&mut self.out, self.lexer.remaining())
    }

    /// Ends it: writes the length.
    #[inline]
    pub fn close(&mut self, open: Open) {
        open.end(&mut self.out);
    }
}

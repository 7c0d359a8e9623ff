//! Schemas: fields, enums and methods, built from descriptors for use on the hot path.
//!
//! [`Pool`] is built once from a `FileDescriptorSet` (generated code embeds one, tools compile or fetch one).
//! [`MessageSchema`] is a copyable view of one message in it. All schema-driven code uses these two: the
//! check for required fields, JSON, text format. No generated code is needed, so they work for generated
//! messages of any library, and for messages known only at run time.
//!
//! Not here: descriptors themselves (crate `buffa-descriptor`); a pool keeps the bytes it was built from for
//! other uses, such as gRPC reflection.

mod bounds;
mod build;
#[cfg(feature = "debug_string")]
mod debug_string;
mod definition;
mod field;
mod idl;
mod names;

#[cfg(test)]
mod tests;

#[cfg(feature = "debug_string")]
pub use debug_string::Definitions;
pub use field::Oneof;
pub(crate) use field::{BRPC, CANONICAL, Default as FieldDefault, EnumDef, MessageDef, WellKnown};
pub use field::{Cardinality, Field, Kind};
pub(crate) use idl::Idl;

use std::{collections::HashMap, fmt};

/// All messages, enums and methods of a descriptor set.
pub struct Pool {
    messages: Vec<MessageDef>,
    enums: Vec<EnumDef>,
    methods: Vec<Method>,
    /// By the name of the service, then of the method.
    method_names: HashMap<Box<str>, HashMap<Box<str>, u32>>,
    message_names: HashMap<Box<str>, u32>,
    descriptor_set: Box<[u8]>,
}

struct Method {
    service: Box<str>,
    name: Box<str>,
    index: u32,
    input: u32,
    output: u32,
    client_streaming: bool,
    server_streaming: bool,
    idempotency: Idempotency,
    http: Box<[u8]>,
}

impl Pool {
    /// Builds a pool from an encoded `google.protobuf.FileDescriptorSet` that contains all its imports.
    ///
    /// # Errors
    /// [`SchemaError`] if the bytes are not a descriptor set, or refer to types that are not in it.
    pub fn from_descriptor_set(bytes: &[u8]) -> Result<Pool, SchemaError> {
        build::pool(bytes, build::MAX_DECODED_BYTES)
    }

    /// Builds a pool from a descriptor set of somebody else, such as the answer of a server: it has at most
    /// 16 MiB, 10 000 files, 100 000 fields and as many other declarations, 1000 extensions and 64 levels of
    /// messages in messages; and all names are identifiers.
    ///
    /// # Errors
    /// Also a set beyond a limit.
    pub fn from_foreign_set(bytes: &[u8]) -> Result<Pool, SchemaError> {
        bounds::check(bytes)?;
        build::pool(bytes, bounds::MOST_DECODED_BYTES)
    }

    /// Marks strings that generated code stores as bytes, by the full names of their fields; those of a map
    /// by its entry (`package.Message.NamesEntry.key`). Names that are not in the pool are ignored.
    pub(crate) fn keep_as_bytes(&mut self, fields: &[&str]) {
        for (message, name) in fields.iter().filter_map(|full_name| full_name.rsplit_once('.')) {
            let Some(index) = self.message_names.get(message) else { continue };
            let fields = self.messages[*index as usize].fields.iter_mut();
            let named = |field: &&mut Field| field.extension.is_none() && *field.name == *name;
            fields.filter(named).for_each(|field| field.as_bytes = true);
        }
    }

    /// The message with this full name, without a leading dot.
    pub fn message(&self, full_name: &str) -> Option<MessageSchema<'_>> {
        self.message_names.get(full_name).map(|index| self.at(*index))
    }

    /// A method by `package.Service/Method` or `package.Service.Method`.
    pub fn method(&self, name: &str) -> Option<MethodSchema<'_>> {
        let name = name.strip_prefix('/').unwrap_or(name);
        let (service, method) = name.rsplit_once(['/', '.'])?;
        self.place_of(service, method).map(|place| self.method_at(place))
    }

    /// The place of a method among [`Pool::methods`].
    pub fn place_of(&self, service: &str, method: &str) -> Option<usize> {
        self.method_names.get(service)?.get(method).map(|place| *place as usize)
    }

    /// The method at this place.
    ///
    /// # Panics
    /// There are fewer.
    pub fn method_at(&self, place: usize) -> MethodSchema<'_> {
        self.described(&self.methods[place])
    }

    /// All methods, services in the order of their files.
    pub fn methods(&self) -> impl Iterator<Item = MethodSchema<'_>> {
        self.methods.iter().map(|method| self.described(method))
    }

    /// Whether a service of this full name has methods.
    pub fn has_service(&self, name: &str) -> bool {
        self.method_names.contains_key(name)
    }

    /// The number of services that have methods.
    pub fn service_count(&self) -> usize {
        self.method_names.len()
    }

    fn described<'p>(&'p self, m: &'p Method) -> MethodSchema<'p> {
        MethodSchema {
            service: &m.service,
            method: &m.name,
            index: m.index,
            input: self.at(m.input),
            output: self.at(m.output),
            client_streaming: m.client_streaming,
            server_streaming: m.server_streaming,
            idempotency: m.idempotency,
            http: &m.http,
        }
    }

    /// The bytes the pool was built from.
    pub fn descriptor_set(&self) -> &[u8] {
        &self.descriptor_set
    }

    fn at(&self, index: u32) -> MessageSchema<'_> {
        MessageSchema { pool: self, def: &self.messages[index as usize] }
    }
}

/// A method as tools call it, without generated code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MethodSchema<'p> {
    /// Full name of the service, `package.Service`.
    pub service: &'p str,
    /// Name of the method alone.
    pub method: &'p str,
    /// Position in the service's definition, from 0.
    pub index: u32,
    pub input: MessageSchema<'p>,
    pub output: MessageSchema<'p>,
    pub client_streaming: bool,
    pub server_streaming: bool,
    pub idempotency: Idempotency,
    /// The option `google.api.http`, encoded: see [`Binding::of_option`](crate::rest::Binding::of_option).
    pub http: &'p [u8],
}

/// What the option `idempotency_level` of a method says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Idempotency {
    /// Nothing.
    #[default]
    Unknown,
    /// Its calls only read.
    NoSideEffects,
    /// Executed twice, a call has the effect of one.
    Idempotent,
}

/// One message of a [`Pool`].
#[derive(Clone, Copy)]
pub struct MessageSchema<'p> {
    pool: &'p Pool,
    def: &'p MessageDef,
}

impl<'p> MessageSchema<'p> {
    /// The full name: `package.Message`, nested ones as `package.Outer.Inner`.
    pub fn full_name(self) -> &'p str {
        &self.def.name
    }

    /// The fields in declaration order, then known extensions.
    pub fn fields(self) -> &'p [Field] {
        &self.def.fields
    }

    /// The message type of a field of this message; `None` for scalars and enums.
    #[inline]
    pub fn child(self, field: &Field) -> Option<MessageSchema<'p>> {
        match field.kind {
            Kind::Message(index) | Kind::Group(index) => Some(self.pool.at(index)),
            _ => None,
        }
    }

    /// Whether this message, or one nested in it, has a `required` field.
    #[inline]
    pub fn has_required(self) -> bool {
        self.def.has_required
    }

    #[inline]
    pub(crate) fn has_required_below(self) -> bool {
        self.def.required_below
    }

    /// Whether generated code may write this message without a required field, because one of them is a
    /// message. Required scalars are always written.
    #[inline]
    pub(crate) fn can_lack_required(self) -> bool {
        self.def.can_lack_required
    }

    pub(crate) fn pool(self) -> &'p Pool {
        self.pool
    }

    #[inline]
    pub(crate) fn def(self) -> &'p MessageDef {
        self.def
    }

    #[inline]
    pub(crate) fn field(self, index: usize) -> &'p Field {
        &self.def.fields[index]
    }

    #[inline]
    pub(crate) fn field_by_number(self, number: u32) -> Option<(usize, &'p Field)> {
        let index = self.def.numbers.get(number)?;
        Some((index, &self.def.fields[index]))
    }

    pub(crate) fn enumeration(self, index: u32) -> &'p EnumDef {
        &self.pool.enums[index as usize]
    }

    #[inline]
    pub(crate) fn required_count(self) -> usize {
        self.def.required.len()
    }

    /// The fields declared inside the message, without extensions.
    pub(crate) fn declared(self) -> &'p [Field] {
        &self.def.fields[..self.def.fields.len() - self.def.extensions]
    }

    /// Full name of the required field with this bit.
    pub(crate) fn required_name(self, bit: usize) -> String {
        format!("{}.{}", self.def.name, self.field(usize::from(self.def.required[bit])).name)
    }

    /// Index and type of the value of a map entry that holds messages.
    pub(crate) fn map_value(self) -> Option<(usize, MessageSchema<'p>)> {
        if !self.def.map_entry {
            return None;
        }
        let (index, field) = self.field_by_number(2)?;
        Some((index, self.child(field)?))
    }
}

impl fmt::Debug for MessageSchema<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageSchema({})", self.def.name)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({} messages, {} methods)", self.messages.len(), self.methods.len())
    }
}

/// The error for an invalid descriptor set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError(Box<str>);

impl SchemaError {
    fn new(what: impl Into<Box<str>>) -> Self {
        SchemaError(what.into())
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad schema: {}", self.0)
    }
}

impl std::error::Error for SchemaError {}

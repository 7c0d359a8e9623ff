//! Paths and types in Rust.

use super::Emit;
use crate::model::module_name;
use polywire_thrift_idl::{Field, Id, Requiredness, Type};

/// How a struct stores a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A value; a message without it is refused.
    Required,
    /// A value; a message without it has the default.
    Plain,
    /// An `Option`.
    Optional,
}

impl Emit<'_> {
    /// The path of an item, from the namespace being written or, `below` it, from a module in it.
    pub fn path(&self, id: Id, below: bool) -> String {
        self.elsewhere(id, below, self.packages.name(id))
    }

    /// The path of an item's companion, such as the module of a service.
    pub fn elsewhere(&self, id: Id, below: bool, name: &str) -> String {
        let namespace = self.packages.namespace(&self.schema.items[id]);
        let here = if below { "super::" } else { "" };
        if namespace == self.namespace {
            return format!("{here}{name}");
        }
        let up = self.namespace.split('.').filter(|part| !part.is_empty()).map(|_| "super::".to_owned());
        let down = namespace.split('.').filter(|part| !part.is_empty());
        let down = down.map(|part| format!("{}::", module_name(part)));
        std::iter::once(here.to_owned()).chain(up).chain(down).chain([name.to_owned()]).collect()
    }

    /// A Rust type. In a key (`ordered`) doubles are ordered ones.
    pub fn kind(&self, kind: &Type, ordered: bool, below: bool) -> String {
        let thrift = self.thrift();
        match kind {
            Type::Bool => "bool".to_owned(),
            Type::I8 => "i8".to_owned(),
            Type::I16 => "i16".to_owned(),
            Type::I32 => "i32".to_owned(),
            Type::I64 => "i64".to_owned(),
            Type::Double if ordered => format!("{thrift}::Double"),
            Type::Double => "f64".to_owned(),
            Type::String => "::std::string::String".to_owned(),
            Type::Binary => format!("{thrift}::Bytes"),
            Type::Uuid => format!("{thrift}::Uuid"),
            Type::List(of) => format!("::std::vec::Vec<{}>", self.kind(of, ordered, below)),
            Type::Set(of) => format!("::std::collections::BTreeSet<{}>", self.kind(of, true, below)),
            Type::Map(key, value) => {
                let (key, value) = (self.kind(key, true, below), self.kind(value, ordered, below));
                format!("::std::collections::BTreeMap<{key}, {value}>")
            }
            // The alias has plain doubles.
            Type::Typedef(_) if ordered && self.facts.has_double(self.schema, kind) => {
                self.kind(self.schema.follow(kind), ordered, below)
            }
            Type::Struct(id) | Type::Enum(id) | Type::Typedef(id) => self.path(*id, below),
        }
    }

    /// The type on the wire, as a value of the runtime's `Type`.
    pub fn wire(&self, kind: &Type) -> String {
        let name = match self.schema.follow(kind) {
            Type::Bool => "Bool",
            Type::I8 => "I8",
            Type::I16 => "I16",
            Type::I32 | Type::Enum(_) => "I32",
            Type::I64 => "I64",
            Type::Double => "Double",
            Type::String | Type::Binary => "Binary",
            Type::Uuid => "Uuid",
            Type::List(_) => "List",
            Type::Set(_) => "Set",
            Type::Map(..) => "Map",
            Type::Struct(_) | Type::Typedef(_) => "Struct",
        };
        format!("{}::Type::{name}", self.thrift())
    }

    /// How a field is stored; `owner` is its struct, if it is not an argument.
    pub fn holds(&self, owner: Option<Id>, field: &Field) -> Holds {
        let has_default = field.default.is_some() || self.facts.has_default(self.schema, &field.kind);
        match field.requiredness {
            Requiredness::Required => Holds::Required,
            Requiredness::Optional => Holds::Optional,
            Requiredness::Default if owner.is_none() => {
                if has_default {
                    Holds::Plain
                } else {
                    Holds::Required
                }
            }
            // What contains itself without an end has no default.
            Requiredness::Default if self.facts.is_recursive(self.schema, owner, &field.kind) => {
                Holds::Optional
            }
            Requiredness::Default => {
                if has_default {
                    Holds::Plain
                } else {
                    Holds::Optional
                }
            }
        }
    }

    /// The type of a field without the `Option` around it, but with its box.
    pub fn inner(&self, owner: Option<Id>, kind: &Type, below: bool) -> String {
        let ordered = owner.is_some_and(|owner| self.facts.keys.contains(&owner));
        let inner = self.kind(kind, ordered, below);
        match self.facts.is_recursive(self.schema, owner, kind) {
            true => format!("::std::boxed::Box<{inner}>"),
            false => inner,
        }
    }

    /// The traits that a struct or union derives beside `Clone` and `Debug`.
    pub fn derives(&self, id: Id) -> &'static str {
        match self.facts.doubles.contains(&id) {
            true => "Clone, Debug, PartialEq",
            false => "Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash",
        }
    }
}

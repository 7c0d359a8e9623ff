//! A resolved schema: names resolved, numbers of fields and enums given, constants evaluated.

pub use crate::ast::{Requiredness, StructKind};
use crate::place::Place;
use std::path::PathBuf;

/// Index of an item among all items of a schema.
pub type Id = usize;

/// The declarations of all files, included ones first.
#[derive(Default)]
pub struct Schema {
    pub files: Vec<File>,
    pub items: Vec<Item>,
}

pub struct File {
    /// The path as the caller gave it, or as it was found for an include.
    pub path: PathBuf,
    /// Language and name of each `namespace`.
    pub namespaces: Vec<(String, String)>,
}

pub struct Item {
    /// Index in [`Schema::files`].
    pub file: usize,
    pub name: String,
    pub place: Place,
    pub comment: String,
    pub what: Kind,
}

pub enum Kind {
    Typedef(Type),
    Const(Type, Value),
    Enum(Vec<Variant>),
    Struct(Struct),
    Service(Service),
}

/// A value of an enum. Several may have one number.
pub struct Variant {
    pub name: String,
    pub number: i32,
    pub comment: String,
}

/// A struct, union or exception.
pub struct Struct {
    pub kind: StructKind,
    pub fields: Vec<Field>,
}

pub struct Field {
    pub name: String,
    pub place: Place,
    /// The number in the file, or from -1 downwards for a field without a number.
    pub id: i16,
    pub requiredness: Requiredness,
    pub kind: Type,
    pub default: Option<Value>,
    pub comment: String,
}

pub struct Service {
    /// The service whose methods it inherits.
    pub extends: Option<Id>,
    pub methods: Vec<Method>,
}

pub struct Method {
    pub name: String,
    pub place: Place,
    /// Whether the method is not answered: it returns nothing and throws nothing.
    pub oneway: bool,
    /// The return type; `None` is `void`.
    pub returns: Option<Type>,
    pub arguments: Vec<Field>,
    /// The declared exceptions, as fields.
    pub throws: Vec<Field>,
    pub comment: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Double,
    String,
    Binary,
    Uuid,
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    /// A struct, union or exception.
    Struct(Id),
    Enum(Id),
    Typedef(Id),
}

/// The value of a constant or default, of the type that it is declared with.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Double(f64),
    String(String),
    Binary(Vec<u8>),
    Uuid([u8; 16]),
    /// The enum and the number.
    Enum(Id, i32),
    /// A list or a set; in a set, values may be repeated.
    List(Vec<Value>),
    /// Keys may be repeated: the last one counts.
    Map(Vec<(Value, Value)>),
    /// The struct, and values of some of its fields, by their index; of exactly one if it is a union.
    Struct(Id, Vec<(usize, Value)>),
}

impl Schema {
    /// Resolves the typedefs in a type.
    pub fn follow<'t>(&'t self, mut kind: &'t Type) -> &'t Type {
        while let Type::Typedef(id) = kind {
            let Kind::Typedef(of) = &self.items[*id].what else { unreachable!("typedefs refer to typedefs") };
            kind = of;
        }
        kind
    }

    /// The struct, union or exception with this id.
    ///
    /// # Panics
    /// If it is something else; [`Type::Struct`] never refers to something else.
    pub fn structure(&self, id: Id) -> &Struct {
        match &self.items[id].what {
            Kind::Struct(of) => of,
            _ => panic!("`{}` is not a struct", self.items[id].name),
        }
    }

    /// The service with this id.
    ///
    /// # Panics
    /// If it is something else; [`Service::extends`] never refers to something else.
    pub fn service(&self, id: Id) -> &Service {
        match &self.items[id].what {
            Kind::Service(of) => of,
            _ => panic!("`{}` is not a service", self.items[id].name),
        }
    }
}

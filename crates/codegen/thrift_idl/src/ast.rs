//! The declarations of one file, as written. Names are not resolved.

use crate::place::Place;

/// A name and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub place: Place,
}

#[derive(Default)]
pub(crate) struct File {
    /// Scope and name of each `namespace`.
    pub namespaces: Vec<(String, Name)>,
    pub includes: Vec<Name>,
    pub declarations: Vec<Declaration>,
}

pub(crate) struct Declaration {
    pub name: Name,
    pub comment: String,
    pub what: What,
}

pub(crate) enum What {
    Typedef(TypeName),
    Const(TypeName, Value),
    Enum(Vec<Variant>),
    Struct(StructKind, Vec<Field>),
    Service(Option<Name>, Vec<Method>),
}

/// The keyword that declared a struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructKind {
    Struct,
    /// A union, which holds one of its fields at a time.
    Union,
    /// An exception, which a method may throw.
    Exception,
}

pub(crate) struct Variant {
    pub name: Name,
    pub value: Option<(Place, i64)>,
    pub comment: String,
}

pub(crate) struct Field {
    pub name: Name,
    /// The number in front of the field.
    pub id: Option<(Place, i64)>,
    pub requiredness: Requiredness,
    pub kind: TypeName,
    pub default: Option<Value>,
    pub comment: String,
}

/// Whether a field has to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requiredness {
    /// Always written; a message without it is refused.
    Required,
    /// May be missing at both sides.
    Optional,
    /// Neither word: always written; a message without it is accepted.
    Default,
}

pub(crate) struct Method {
    pub name: Name,
    pub oneway: bool,
    /// The return type; `None` is `void`.
    pub returns: Option<TypeName>,
    pub arguments: Vec<Field>,
    pub throws: Vec<Field>,
    pub comment: String,
}

pub(crate) struct TypeName {
    pub place: Place,
    pub kind: TypeKind,
}

pub(crate) enum TypeKind {
    Name(String),
    List(Box<TypeName>),
    Set(Box<TypeName>),
    Map(Box<TypeName>, Box<TypeName>),
}

/// The value of a constant or default.
pub(crate) struct Value {
    pub place: Place,
    pub kind: ValueKind,
}

pub(crate) enum ValueKind {
    Int(i64),
    Double(f64),
    Text(String),
    /// `true`, `false`, a constant or a value of an enum.
    Name(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

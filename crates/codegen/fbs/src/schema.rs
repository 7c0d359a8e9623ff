//! A resolved schema: names resolved, fields laid out, numbers checked.

use crate::{Hash, Scalar};
use std::path::PathBuf;

/// Index of an item among all items of a schema.
pub type Place = usize;

/// The declarations, in the order of the files, included ones first.
#[derive(Default)]
pub struct Schema {
    pub items: Vec<Item>,
    /// Paths of all files that were read.
    pub sources: Vec<PathBuf>,
}

pub struct Item {
    pub namespace: String,
    pub name: String,
    pub comment: String,
    /// The file name, as given on the command line or in an include.
    pub file: String,
    pub what: Kind,
}

pub enum Kind {
    Table(Table),
    Struct(Struct),
    Enum(Enum),
    Union(Union),
    Service(Vec<Method>),
}

pub struct Table {
    pub fields: Vec<Field>,
    /// `file_identifier`, if this is the root of its file.
    pub identifier: Option<String>,
}

pub struct Field {
    pub name: String,
    pub comment: String,
    pub kind: Type,
    /// Position in the vtable in bytes. A union's type is in the one before, as are the types of a vector of
    /// unions.
    pub slot: u16,
    pub default: Value,
    pub required: bool,
    pub deprecated: bool,
    /// `key`: vectors of the table are sorted by this field.
    pub key: bool,
    /// `nested_flatbuffer`: the bytes are a message whose root is this table.
    pub nested: Option<Place>,
    /// `force_align` of a vector: its first value is at a multiple of this.
    pub align: Option<usize>,
    /// `hash`: tools may accept a text in place of its hash.
    pub hash: Option<Hash>,
}

/// The default value of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// None: the field is optional.
    Null,
    Integer(i128),
    Float(f64),
    Bool(bool),
    /// The default of a string.
    Text(String),
    /// The default of a vector: an empty one.
    Empty,
}

pub struct Struct {
    pub fields: Vec<Member>,
    pub size: usize,
    pub align: usize,
}

pub struct Member {
    pub name: String,
    pub comment: String,
    pub kind: Type,
    /// `key`: vectors of the struct are sorted by this field.
    pub key: bool,
    /// Offset of the member in its struct.
    pub at: usize,
    pub size: usize,
}

pub struct Enum {
    pub of: Scalar,
    /// `bit_flags`: values are bit flags.
    pub flags: bool,
    /// Name, value and comment.
    pub variants: Vec<(String, i128, String)>,
}

pub struct Union {
    /// The type of the numbers that identify the variants.
    pub of: Scalar,
    pub variants: Vec<Variant>,
}

/// The type of one of a union's variants.
pub struct Variant {
    pub name: String,
    pub number: i128,
    /// A table, a struct or a string.
    pub kind: Type,
}

pub struct Method {
    pub name: String,
    pub comment: String,
    pub request: Place,
    pub response: Place,
    /// The method's `id`, or its position in the service.
    pub number: u32,
    pub client_streaming: bool,
    pub server_streaming: bool,
}

/// The type of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    Scalar(Scalar),
    String,
    Enum(Place),
    Struct(Place),
    Table(Place),
    Union(Place),
    Vector(Box<Type>),
    Array(Box<Type>, usize),
}

impl Type {
    /// Whether a field of this type can be a table's key: scalars, enums and strings can.
    fn is_key(&self) -> bool {
        matches!(self, Type::Scalar(_) | Type::Enum(_) | Type::String)
    }

    /// The union that this is, or that it is a vector of.
    pub fn union(&self) -> Option<Place> {
        match self {
            Type::Union(place) => Some(*place),
            Type::Vector(of) => match **of {
                Type::Union(place) => Some(place),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Table {
    /// The field by which vectors of the table are sorted: a number, an enum or a string. Vectors whose key
    /// is a struct are not sorted here.
    pub fn key(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.key && !field.deprecated && field.kind.is_key())
    }
}

impl Struct {
    /// The field by which vectors of the struct are sorted: a number or an enum.
    pub fn key(&self) -> Option<&Member> {
        self.fields.iter().find(|member| member.key && member.kind.is_key())
    }
}

/// Access to items by index. The index has to come from a [`Type`] or [`Method`] of the same schema.
impl Schema {
    pub fn table(&self, place: Place) -> &Table {
        match &self.items[place].what {
            Kind::Table(table) => table,
            _ => unreachable!("the resolver saw a table"),
        }
    }

    pub fn structure(&self, place: Place) -> &Struct {
        match &self.items[place].what {
            Kind::Struct(structure) => structure,
            _ => unreachable!("the resolver saw a struct"),
        }
    }

    pub fn enumeration(&self, place: Place) -> &Enum {
        match &self.items[place].what {
            Kind::Enum(of) => of,
            _ => unreachable!("the resolver saw an enum"),
        }
    }

    pub fn union(&self, place: Place) -> &Union {
        match &self.items[place].what {
            Kind::Union(union) => union,
            _ => unreachable!("the resolver saw a union"),
        }
    }

    /// The number type of a scalar or an enum.
    pub fn scalar(&self, kind: &Type) -> Scalar {
        match kind {
            Type::Scalar(scalar) => *scalar,
            Type::Enum(place) => self.enumeration(*place).of,
            _ => unreachable!("asked of scalars and enums"),
        }
    }

    /// Size and alignment of a value in a table, a vector or a struct; for a value that is stored elsewhere,
    /// those of its offset.
    pub fn layout(&self, kind: &Type) -> (usize, usize) {
        match kind {
            Type::Scalar(_) | Type::Enum(_) => {
                let size = self.scalar(kind).size;
                (size, size)
            }
            Type::Struct(place) => {
                let structure = self.structure(*place);
                (structure.size, structure.align)
            }
            Type::Array(of, length) => {
                let (size, align) = self.layout(of);
                (size * length, align)
            }
            Type::String | Type::Table(_) | Type::Union(_) | Type::Vector(_) => (4, 4),
        }
    }

    /// The largest alignment that a message of this schema may need.
    pub fn largest_align(&self) -> usize {
        let all = self.items.iter().flat_map(|item| match &item.what {
            Kind::Struct(structure) => vec![structure.align],
            Kind::Table(table) => table.fields.iter().filter_map(|field| field.align).collect(),
            _ => Vec::new(),
        });
        all.fold(size_of::<u64>(), usize::max)
    }

    /// All methods with their services, in the order of the files.
    pub fn methods(&self) -> impl Iterator<Item = (&Item, &Method)> + Clone {
        self.items.iter().flat_map(|item| {
            let methods = if let Kind::Service(methods) = &item.what { &**methods } else { &[] };
            methods.iter().map(move |method| (item, method))
        })
    }
}

impl Item {
    /// The name including its namespace.
    pub fn full_name(&self) -> String {
        joined(&self.namespace, &self.name)
    }
}

pub fn joined(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

//! Converts files to a schema: resolves names, lays out fields, checks numbers.

use crate::{
    Enum, Error, Field, Item, Kind, Member, Method, Scalar, Schema, Struct, Table, Type, Union, Variant,
    attributes, joined,
    lexer::Wrong,
    parse::{self, Attributes, Declaration, TypeName, What},
    read::{Read, located},
    scalar::integer,
};
use std::collections::HashMap;

pub(crate) struct Resolver {
    read: Vec<Read>,
    /// For each full name: its file, its index there and its index among all.
    names: HashMap<String, (usize, usize, usize)>,
    /// Sizes and alignments of structs that were laid out.
    structs: HashMap<usize, (usize, usize)>,
}

pub(crate) type Found<T> = Result<T, Wrong>;

impl Resolver {
    pub fn new(read: Vec<Read>) -> Result<Self, Error> {
        let mut names = HashMap::new();
        for (f, Read { path, file, .. }) in read.iter().enumerate() {
            for (d, declaration) in file.declarations.iter().enumerate() {
                let name = joined(&declaration.namespace, &declaration.name);
                let all = names.len();
                if names.insert(name.clone(), (f, d, all)).is_some() {
                    return Err(located(path, (declaration.line, format!("`{name}` is declared twice"))));
                }
            }
        }
        Ok(Resolver { read, names, structs: HashMap::new() })
    }

    pub fn resolve(mut self) -> Result<Schema, Error> {
        let mut schema = Schema::default();
        for f in 0..self.read.len() {
            for d in 0..self.read[f].file.declarations.len() {
                let what = self.item(f, d).map_err(|wrong| located(&self.read[f].path, wrong))?;
                let Read { path, file, .. } = &self.read[f];
                let Declaration { namespace, name, comment, .. } = &file.declarations[d];
                schema.items.push(Item {
                    namespace: namespace.clone(),
                    name: name.clone(),
                    comment: comment.clone(),
                    file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    what,
                });
            }
        }
        for Read { path, file, .. } in &self.read {
            if let Some((line, namespace, name)) = &file.root {
                let place = self.find(namespace, name, *line).map_err(|wrong| located(path, wrong))?;
                let Kind::Table(table) = &mut schema.items[place].what else {
                    return Err(located(path, (*line, format!("the root_type `{name}` is not a table"))));
                };
                table.identifier = file.identifier.clone();
            }
        }
        schema.sources = self.read.into_iter().map(|read| read.path).collect();
        Ok(schema)
    }

    pub fn declaration(&self, place: usize) -> &Declaration {
        let &(f, d, _) = self.names.values().find(|&&(.., all)| all == place).expect("of `names`");
        &self.read[f].file.declarations[d]
    }

    /// The index of a name, looked up from the innermost namespace outwards.
    fn find(&self, namespace: &str, name: &str, line: usize) -> Found<usize> {
        let mut scope = namespace;
        loop {
            if let Some(&(.., place)) = self.names.get(&joined(scope, name)) {
                return Ok(place);
            }
            if scope.is_empty() {
                return Err((line, format!("`{name}` is not declared")));
            }
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }

    fn table_at(&self, namespace: &str, name: &str, line: usize) -> Found<usize> {
        let place = self.find(namespace, name, line)?;
        match self.declaration(place).what {
            What::Table(_) => Ok(place),
            _ => Err((line, format!("`{name}` is not a table"))),
        }
    }

    fn item(&mut self, f: usize, d: usize) -> Found<Kind> {
        let declaration = &self.read[f].file.declarations[d];
        let (namespace, line) = (&declaration.namespace, declaration.line);
        let aligned = declaration.attributes.has("force_align");
        if aligned && matches!(declaration.what, What::Enum(..) | What::Union(..)) {
            return Err((line, "`force_align` is allowed on structs and vectors only".to_owned()));
        }
        Ok(match &declaration.what {
            What::Table(fields) => Kind::Table(self.table(namespace, &declaration.name, fields)?),
            What::Struct(_) => {
                let place = self.find(namespace, &declaration.name, line)?;
                Kind::Struct(self.structure(place, 0)?)
            }
            What::Enum(base, variants) => {
                Kind::Enum(enumeration(line, base, variants, &declaration.attributes)?)
            }
            What::Union(of, variants) => Kind::Union(self.union(namespace, line, of.as_deref(), variants)?),
            What::Service(methods) => Kind::Service(self.service(namespace, methods)?),
        })
    }

    fn type_of(&self, namespace: &str, name: &TypeName, line: usize) -> Found<Type> {
        Ok(match name {
            TypeName::Name(name) if name == "string" => Type::String,
            TypeName::Name(name) => match Scalar::named(name) {
                Some(scalar) => Type::Scalar(scalar),
                None => {
                    let place = self.find(namespace, name, line)?;
                    match self.declaration(place).what {
                        What::Table(_) => Type::Table(place),
                        What::Struct(_) => Type::Struct(place),
                        What::Enum(..) => Type::Enum(place),
                        What::Union(..) => Type::Union(place),
                        What::Service(_) => return Err((line, format!("`{name}` is a service"))),
                    }
                }
            },
            TypeName::Vector(of) => match self.type_of(namespace, of, line)? {
                Type::Vector(_) | Type::Array(..) => {
                    return Err((line, "a vector of vectors or arrays is not supported".to_owned()));
                }
                of => Type::Vector(Box::new(of)),
            },
            TypeName::Array(of, length) => match self.type_of(namespace, of, line)? {
                of @ (Type::Scalar(_) | Type::Enum(_) | Type::Struct(_)) => {
                    Type::Array(Box::new(of), *length)
                }
                _ => return Err((line, "arrays are of scalars, enums and structs".to_owned())),
            },
        })
    }

    fn table(&self, namespace: &str, name: &str, fields: &[parse::Field]) -> Found<Table> {
        let mut placed: Vec<Field> = Vec::new();
        let numbered = fields.iter().any(|field| field.attributes.has("id"));
        let mut next: u32 = 0;
        for field in fields {
            let line = field.line;
            let kind = self.type_of(namespace, &field.kind, line)?;
            if matches!(kind, Type::Array(..)) {
                return Err((line, "arrays stand in structs only".to_owned()));
            }
            let places = if kind.union().is_some() { 2 } else { 1 };
            let id = match numbered {
                true => {
                    let id = field.attributes.value("id").and_then(|id| id.parse().ok());
                    id.ok_or((line, "either all fields have an `id`, a number, or none has".to_owned()))?
                }
                false => next + places - 1,
            };
            next += places;
            let slot = u16::try_from(4 + 2 * u64::from(id)).ok();
            let slot = slot.filter(|slot| id + 1 >= places && *slot <= LAST_SLOT);
            let slot = slot.ok_or((line, format!("no field can have the id {id}")))?;
            attributes::of_field(field, &kind)?;
            attributes::only_key(field, fields)?;
            let nested = match attributes::nested(field, &kind)? {
                Some(table) => Some(self.table_at(namespace, table, line)?),
                None => None,
            };
            // Vectors are sorted by a string key, so it cannot be absent.
            let key = kind == Type::String && field.attributes.has("key");
            let required = field.attributes.has("required") || key;
            let default = self.default(&kind, field)?;
            placed.push(Field {
                name: field.name.clone(),
                comment: field.comment.clone(),
                slot,
                default,
                required,
                deprecated: field.attributes.has("deprecated"),
                key: field.attributes.has("key"),
                nested,
                align: match &kind {
                    Type::Vector(_) => attributes::align(&field.attributes, line, 1)?,
                    _ => None,
                },
                hash: attributes::hash(&field.attributes, line, &kind)?,
                kind,
            });
        }
        self.check_places(fields, &placed, next)?;
        attributes::names(name, fields, |index| &placed[index].kind)?;
        Ok(Table { fields: placed, identifier: None })
    }

    /// Checks that the ids are all the numbers below their count, each once.
    fn check_places(&self, fields: &[parse::Field], placed: &[Field], places: u32) -> Found<()> {
        let mut taken = vec![false; places as usize];
        for (field, placed) in fields.iter().zip(placed) {
            let last = usize::from(placed.slot - 4) / 2;
            let first = if placed.kind.union().is_some() { last - 1 } else { last };
            for id in first..=last {
                match taken.get_mut(id) {
                    Some(taken) if !*taken => *taken = true,
                    _ => return Err((field.line, format!("the id {id} is taken, or leaves others unused"))),
                }
            }
        }
        Ok(())
    }

    fn structure(&mut self, place: usize, depth: u32) -> Found<Struct> {
        let declaration = self.declaration(place);
        let line = declaration.line;
        if depth > 32 {
            return Err((line, format!("`{}` contains itself, or is nested too deeply", declaration.name)));
        }
        let What::Struct(fields) = &declaration.what else { unreachable!("a struct") };
        if fields.is_empty() {
            return Err((line, "a struct has fields".to_owned()));
        }
        let mut members = Vec::new();
        let mut kinds = Vec::new();
        for field in fields {
            attributes::of_member(field)?;
            attributes::only_key(field, fields)?;
            kinds.push((
                field.line,
                field.name.clone(),
                field.comment.clone(),
                self.type_of(&declaration.namespace, &field.kind, field.line)?,
                field.attributes.has("key"),
            ));
        }
        attributes::names(&declaration.name, fields, |index| &kinds[index].3)?;
        let (mut at, mut align) = (0usize, 1);
        for (line, name, comment, kind, key) in kinds {
            let (size, own) = self.measure(&kind, line, depth)?;
            at = at.next_multiple_of(own);
            align = align.max(own);
            members.push(Member { name, comment, kind, key, at, size });
            at += size;
            if at > LONGEST_STRUCT {
                return Err((line, format!("a struct has at most {LONGEST_STRUCT} bytes")));
            }
        }
        align = attributes::align(&self.declaration(place).attributes, line, align)?.unwrap_or(align);
        let size = at.next_multiple_of(align);
        self.structs.insert(place, (size, align));
        Ok(Struct { fields: members, size, align })
    }

    /// Size and alignment of a type that is allowed in a struct.
    fn measure(&mut self, kind: &Type, line: usize, depth: u32) -> Found<(usize, usize)> {
        Ok(match kind {
            Type::Scalar(scalar) => (scalar.size, scalar.size),
            Type::Enum(place) => {
                let What::Enum(base, _) = &self.declaration(*place).what else { unreachable!("an enum") };
                let size = Scalar::named(base).map_or(1, |scalar| scalar.size);
                (size, size)
            }
            Type::Struct(place) => match self.structs.get(place) {
                Some(&known) => known,
                None => {
                    let inner = self.structure(*place, depth + 1)?;
                    (inner.size, inner.align)
                }
            },
            Type::Array(of, length) => {
                let (size, align) = self.measure(of, line, depth)?;
                (size * length, align) // both have 16 bits
            }
            Type::String | Type::Table(_) | Type::Union(_) | Type::Vector(_) => {
                return Err((line, "a struct holds scalars, enums, structs and arrays".to_owned()));
            }
        })
    }

    fn union(
        &self,
        namespace: &str,
        line: usize,
        of: Option<&str>,
        variants: &[parse::Variant],
    ) -> Found<Union> {
        let of = integer_type(of.unwrap_or("ubyte"), line)?;
        let mut union = Union { of, variants: Vec::new() };
        let mut next: i128 = 1;
        for variant in variants {
            let line = variant.line;
            if variant.name == "NONE" {
                return Err((line, "every union has `NONE` already".to_owned()));
            }
            let kind = match variant.of.as_deref() {
                Some("string") => Type::String,
                of => self.variant_type(namespace, of.unwrap_or(&variant.name), line)?,
            };
            let number = match &variant.value {
                Some(value) => integer(value).ok_or((line, format!("`{value}` is not a number")))?,
                None => next,
            };
            if !of.holds(number) {
                return Err((line, format!("{number} is not a value of the union's type")));
            }
            let name = variant.name.replace('.', "_");
            let taken = |other: &Variant| other.name == name || other.number == number;
            if number == 0 || union.variants.iter().any(taken) {
                return Err((line, format!("`{name}` has the name or number of another")));
            }
            next = number + 1;
            union.variants.push(Variant { name, number, kind });
        }
        Ok(union)
    }

    fn variant_type(&self, namespace: &str, name: &str, line: usize) -> Found<Type> {
        let other = || (line, format!("`{name}` is not a table, a struct or `string`"));
        if Scalar::named(name).is_some() {
            return Err(other());
        }
        let place = self.find(namespace, name, line)?;
        match self.declaration(place).what {
            What::Table(_) => Ok(Type::Table(place)),
            What::Struct(_) => Ok(Type::Struct(place)),
            _ => Err(other()),
        }
    }

    fn service(&self, namespace: &str, methods: &[parse::Method]) -> Found<Vec<Method>> {
        let mut all: Vec<Method> = Vec::new();
        let numbered = methods.iter().any(|method| method.attributes.has("id"));
        for (index, method) in methods.iter().enumerate() {
            let line = method.line;
            let number = match numbered {
                true => method.attributes.value("id").and_then(|id| id.parse::<i32>().ok()),
                false => Some(index as i32),
            };
            let number = number.filter(|number| *number >= 0);
            let number = number
                .ok_or((line, "either all methods have an `id` from 0 to 2147483647, or none".to_owned()))?;
            if all.iter().any(|other| other.number == number as u32 || other.name == method.name) {
                return Err((line, format!("`{}` has the name or id of another", method.name)));
            }
            let streaming = method.attributes.value("streaming").unwrap_or("none");
            if !["none", "client", "server", "bidi"].contains(&streaming) {
                return Err((
                    line,
                    format!("`streaming` is one of none, client, server or bidi, not {streaming}"),
                ));
            }
            all.push(Method {
                name: method.name.clone(),
                comment: method.comment.clone(),
                request: self.table_at(namespace, &method.request, line)?,
                response: self.table_at(namespace, &method.response, line)?,
                number: number as u32,
                client_streaming: ["client", "bidi"].contains(&streaming),
                server_streaming: ["server", "bidi"].contains(&streaming),
            });
        }
        Ok(all)
    }
}

/// The maximum size of a struct in bytes; a table that contains such a struct has no room for further fields.
const LONGEST_STRUCT: usize = u16::MAX as usize;
/// The largest slot: with its own two bytes, the vtable then has the largest length that 16 bits can express.
const LAST_SLOT: u16 = u16::MAX - 3;

/// The type of an enum's or a union's numbers.
fn integer_type(name: &str, line: usize) -> Found<Scalar> {
    let of = Scalar::named(name).filter(|scalar| !scalar.is_float() && scalar.rust != "bool");
    of.ok_or((line, format!("`{name}` is not an integer type")))
}

pub(crate) fn enumeration(
    line: usize,
    base: &str,
    variants: &[parse::Variant],
    attributes: &Attributes,
) -> Found<Enum> {
    let of = integer_type(base, line)?;
    let flags = attributes.has("bit_flags");
    let mut known: Vec<(String, i128, String)> = Vec::new();
    let mut next: i128 = 0;
    for variant in variants {
        let line = variant.line;
        let value = match &variant.value {
            Some(value) => integer(value).ok_or((line, format!("`{value}` is not a number")))?,
            None => next,
        };
        next = value + 1;
        let value = match flags {
            true if (0..8 * of.size as i128).contains(&value) => 1 << value,
            true => return Err((line, format!("`{}` is a bit that its type does not have", variant.name))),
            false => value,
        };
        if !of.holds(value) || known.iter().any(|(other, ..)| *other == variant.name) {
            return Err((line, format!("`{}` is too large, or declared twice", variant.name)));
        }
        if let Some((other, ..)) = known.iter().find(|(_, taken, _)| *taken == value) {
            return Err((line, format!("`{}` has the value of `{other}`", variant.name)));
        }
        known.push((variant.name.clone(), value, variant.comment.clone()));
    }
    if known.is_empty() {
        known.push(("NONE".to_owned(), 0, String::new()));
    }
    Ok(Enum { of, flags, variants: known })
}

//! Files to a schema: includes read, names found, fields placed, numbers checked.

use crate::{
    Enum, Error, Field, Item, Kind, Member, Method, Scalar, Schema, Struct, Table, Type, Union, Value,
    joined,
    lexer::Wrong,
    parse::{self, Attributes, Declaration, Default, TypeName, Variant, What},
    scalar::integer,
};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

impl Schema {
    /// Reads files and all they include: from beside them, or from these directories.
    ///
    /// # Errors
    /// A file that cannot be read, or what is wrong in which line.
    pub fn read(files: &[PathBuf], includes: &[PathBuf]) -> Result<Schema, Error> {
        let mut reader = Reader { includes, read: Vec::new() };
        for file in files {
            reader.file(file)?;
        }
        Resolver::new(reader.read)?.resolve()
    }

    /// Reads a text that includes nothing. `name` is for messages.
    ///
    /// # Errors
    /// What is wrong in which line.
    pub fn parse(name: &str, text: &str) -> Result<Schema, Error> {
        let path = PathBuf::from(name);
        let file = parse::file(text).map_err(|wrong| located(&path, wrong))?;
        if let Some((line, included)) = file.includes.first() {
            return Err(located(&path, (*line, format!("\"{included}\" is not found"))));
        }
        Resolver::new(vec![Read { path, file }])?.resolve()
    }
}

struct Read {
    path: PathBuf,
    file: parse::File,
}

struct Reader<'i> {
    includes: &'i [PathBuf],
    read: Vec<Read>,
}

impl Reader<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Error> {
        if self.read.iter().any(|known| known.path == path) {
            return Ok(());
        }
        let source = fs::read_to_string(path).map_err(|why| Error(format!("{}: {why}", path.display())))?;
        let file = parse::file(&source).map_err(|wrong| located(path, wrong))?;
        // Known before what it includes is read: includes may go in circles.
        let place = self.read.len();
        let includes = file.includes.clone();
        self.read.push(Read { path: path.to_owned(), file });
        for (line, name) in includes {
            let beside = path.parent().unwrap_or(Path::new("")).join(&name);
            let others = self.includes.iter().map(|directory| directory.join(&name));
            let found = std::iter::once(beside).chain(others).find(|candidate| candidate.exists());
            let found = found.ok_or_else(|| located(path, (line, format!("\"{name}\" is not found"))))?;
            self.file(&found)?;
        }
        let own = self.read.remove(place);
        self.read.push(own);
        Ok(())
    }
}

fn located(path: &Path, (line, what): Wrong) -> Error {
    Error(format!("{}:{line}: {what}", path.display()))
}

struct Resolver {
    read: Vec<Read>,
    /// Of each full name its file, its place there and its place among all.
    names: HashMap<String, (usize, usize, usize)>,
    /// Sizes and alignments of structs that were placed.
    structs: HashMap<usize, (usize, usize)>,
}

type Found<T> = Result<T, Wrong>;

impl Resolver {
    fn new(read: Vec<Read>) -> Result<Self, Error> {
        let mut names = HashMap::new();
        for (f, Read { path, file }) in read.iter().enumerate() {
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

    fn resolve(mut self) -> Result<Schema, Error> {
        let mut schema = Schema::default();
        for f in 0..self.read.len() {
            for d in 0..self.read[f].file.declarations.len() {
                let what = self.item(f, d).map_err(|wrong| located(&self.read[f].path, wrong))?;
                let Read { path, file } = &self.read[f];
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
        for Read { path, file } in &self.read {
            if let Some((line, namespace, name)) = &file.root {
                let place = self.find(namespace, name, *line).map_err(|wrong| located(path, wrong))?;
                let Kind::Table(table) = &mut schema.items[place].what else {
                    return Err(located(path, (*line, format!("the root_type `{name}` is no table"))));
                };
                table.identifier = file.identifier.clone();
            }
        }
        schema.sources = self.read.into_iter().map(|read| read.path).collect();
        Ok(schema)
    }

    fn declaration(&self, place: usize) -> &Declaration {
        let &(f, d, _) = self.names.values().find(|&&(.., all)| all == place).expect("of `names`");
        &self.read[f].file.declarations[d]
    }

    /// The place of a name, looked up from the innermost namespace to none.
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
            _ => Err((line, format!("`{name}` is no table"))),
        }
    }

    fn item(&mut self, f: usize, d: usize) -> Found<Kind> {
        let declaration = &self.read[f].file.declarations[d];
        let (namespace, line) = (&declaration.namespace, declaration.line);
        if declaration.attributes.has("force_align") {
            return Err((line, "`force_align` is not supported".to_owned()));
        }
        Ok(match &declaration.what {
            What::Table(fields) => Kind::Table(self.table(namespace, fields)?),
            What::Struct(_) => {
                let place = self.find(namespace, &declaration.name, line)?;
                Kind::Struct(self.structure(place, 0)?)
            }
            What::Enum(base, variants) => {
                Kind::Enum(enumeration(line, base, variants, &declaration.attributes)?)
            }
            What::Union(variants) => Kind::Union(self.union(namespace, variants)?),
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
                        What::Union(_) => Type::Union(place),
                        What::Service(_) => return Err((line, format!("`{name}` is a service"))),
                    }
                }
            },
            TypeName::Vector(of) => match self.type_of(namespace, of, line)? {
                Type::Vector(_) | Type::Array(..) | Type::Union(_) => {
                    return Err((line, "a vector of vectors, arrays or unions is not supported".to_owned()));
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

    fn table(&self, namespace: &str, fields: &[parse::Field]) -> Found<Table> {
        let mut placed: Vec<Field> = Vec::new();
        let numbered = fields.iter().any(|field| field.attributes.has("id"));
        let mut next: u32 = 0;
        for field in fields {
            let line = field.line;
            let kind = self.type_of(namespace, &field.kind, line)?;
            if matches!(kind, Type::Array(..)) {
                return Err((line, "arrays stand in structs only".to_owned()));
            }
            let places = if matches!(kind, Type::Union(_)) { 2 } else { 1 };
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
            let required = field.attributes.has("required");
            let inside = matches!(kind, Type::Scalar(_) | Type::Enum(_));
            if required && inside {
                return Err((line, "scalars cannot be required".to_owned()));
            }
            if field.default.is_some() && !inside {
                return Err((line, "only scalars and enums can have defaults".to_owned()));
            }
            let default = self.default(&kind, field)?;
            placed.push(Field {
                name: field.name.clone(),
                comment: field.comment.clone(),
                slot,
                default,
                required,
                deprecated: field.attributes.has("deprecated"),
                kind,
            });
        }
        self.check_places(fields, &placed, next)?;
        Ok(Table { fields: placed, identifier: None })
    }

    /// Ids are all those below their number, each once; names are different.
    fn check_places(&self, fields: &[parse::Field], placed: &[Field], places: u32) -> Found<()> {
        let mut taken = vec![false; places as usize];
        for (field, placed) in fields.iter().zip(placed) {
            let last = usize::from(placed.slot - 4) / 2;
            let first = if matches!(placed.kind, Type::Union(_)) { last - 1 } else { last };
            for id in first..=last {
                match taken.get_mut(id) {
                    Some(taken) if !*taken => *taken = true,
                    _ => return Err((field.line, format!("the id {id} is taken, or leaves others unused"))),
                }
            }
        }
        for (index, field) in fields.iter().enumerate() {
            if fields[..index].iter().any(|other| other.name == field.name) {
                return Err((field.line, format!("`{}` is declared twice", field.name)));
            }
        }
        Ok(())
    }

    fn default(&self, kind: &Type, field: &parse::Field) -> Found<Value> {
        let line = field.line;
        let wrong = |text: &str| (line, format!("`{text}` is no value of this field"));
        let text = match &field.default {
            Some(Default::Null) => return Ok(Value::Null),
            Some(Default::Value(text)) => text.as_str(),
            None => "0",
        };
        match kind {
            Type::Scalar(scalar) => scalar.parse(text).ok_or_else(|| wrong(text)),
            Type::Enum(place) => {
                let declaration = self.declaration(*place);
                let What::Enum(base, variants) = &declaration.what else { unreachable!("an enum") };
                let known = enumeration(declaration.line, base, variants, &declaration.attributes)?;
                let name = text.rsplit('.').next().unwrap_or(text);
                let named = known.variants.iter().find(|(variant, ..)| variant == name).map(|(_, n, _)| *n);
                let value = named.or_else(|| integer(text)).ok_or_else(|| wrong(text))?;
                let declared = known.flags || known.variants.iter().any(|(_, n, _)| *n == value);
                if declared { Ok(Value::Integer(value)) } else { Err(wrong(text)) }
            }
            _ => Ok(Value::Null),
        }
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
            kinds.push((
                field.line,
                field.name.clone(),
                field.comment.clone(),
                self.type_of(&declaration.namespace, &field.kind, field.line)?,
            ));
        }
        let (mut at, mut align) = (0usize, 1);
        for (line, name, comment, kind) in kinds {
            let (size, own) = self.measure(&kind, line, depth)?;
            at = at.next_multiple_of(own);
            align = align.max(own);
            members.push(Member { name, comment, kind, at, size });
            at += size;
            if at > LONGEST_STRUCT {
                return Err((line, format!("a struct has at most {LONGEST_STRUCT} bytes")));
            }
        }
        let size = at.next_multiple_of(align);
        self.structs.insert(place, (size, align));
        Ok(Struct { fields: members, size, align })
    }

    /// Size and alignment of what may stand in a struct.
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

    fn union(&self, namespace: &str, variants: &[Variant]) -> Found<Union> {
        let mut union = Union { variants: Vec::new() };
        let mut next: i128 = 1;
        for variant in variants {
            let line = variant.line;
            let of = variant.of.as_deref().unwrap_or(&variant.name);
            if of == "NONE" {
                continue;
            }
            let table = self.table_at(namespace, of, line)?;
            let number = match &variant.value {
                Some(value) => integer(value).ok_or((line, format!("`{value}` is no number")))?,
                None => next,
            };
            let number = u8::try_from(number).ok().filter(|&n| n > 0);
            let number = number.ok_or((line, "variants of a union have numbers from 1 to 255".to_owned()))?;
            let name = variant.name.replace('.', "_");
            if union.variants.iter().any(|(other, taken, _)| *other == name || *taken >= number) {
                return Err((
                    line,
                    format!("`{name}` has the name or number of another, or they are out of order"),
                ));
            }
            next = i128::from(number) + 1;
            union.variants.push((name, number, table));
        }
        Ok(union)
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
                return Err((line, format!("`streaming` is none, client, server or bidi, not {streaming}")));
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

/// Bytes: a table that holds it has no more for its fields.
const LONGEST_STRUCT: usize = u16::MAX as usize;
/// With its two bytes a vtable is as long as 16 bits can say.
const LAST_SLOT: u16 = u16::MAX - 3;

fn enumeration(line: usize, base: &str, variants: &[Variant], attributes: &Attributes) -> Found<Enum> {
    let of = Scalar::named(base).filter(|scalar| !scalar.is_float() && scalar.rust != "bool");
    let of = of.ok_or((line, format!("`{base}` is no type of integers")))?;
    let flags = attributes.has("bit_flags");
    let mut known: Vec<(String, i128, String)> = Vec::new();
    let mut next: i128 = 0;
    for variant in variants {
        let line = variant.line;
        let value = match &variant.value {
            Some(value) => integer(value).ok_or((line, format!("`{value}` is no number")))?,
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
        known.push((variant.name.clone(), value, variant.comment.clone()));
    }
    if known.is_empty() {
        return Err((line, "an enum has values".to_owned()));
    }
    Ok(Enum { of, flags, variants: known })
}

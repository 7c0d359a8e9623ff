//! Resolves names to declarations.

use crate::{
    Error,
    ast::{Declaration, Name, TypeKind, TypeName, What},
    place::{Wrong, wrong},
    read::{Read, located},
    schema::{Id, Type},
};
use std::collections::HashMap;

/// All declarations of all files by name.
pub(crate) struct Scopes<'r> {
    pub read: &'r [Read],
    /// File and declaration of each item.
    pub declarations: Vec<(usize, &'r Declaration)>,
    /// Types and services of each file.
    types: Vec<HashMap<&'r str, Id>>,
    constants: Vec<HashMap<&'r str, Id>>,
}

impl<'r> Scopes<'r> {
    /// Refuses names that a file declares twice.
    pub fn new(read: &'r [Read]) -> Result<Self, Error> {
        let mut scopes = Scopes { read, declarations: Vec::new(), types: Vec::new(), constants: Vec::new() };
        for (file, Read { path, file: parsed, .. }) in read.iter().enumerate() {
            let (mut types, mut constants) = (HashMap::new(), HashMap::new());
            for declaration in &parsed.declarations {
                let names = match declaration.what {
                    What::Const(..) => &mut constants,
                    _ => &mut types,
                };
                if let Some(first) = names.insert(declaration.name.text.as_str(), scopes.declarations.len()) {
                    let (_, first) = scopes.declarations[first];
                    let what = format!(
                        "`{}` is declared twice; the first one is in line {}",
                        declaration.name.text, first.name.place.line
                    );
                    return Err(located(path, wrong(declaration.name.place, what)));
                }
                scopes.declarations.push((file, declaration));
            }
            scopes.types.push(types);
            scopes.constants.push(constants);
        }
        Ok(scopes)
    }

    /// A type, as named in this file.
    pub fn kind(&self, file: usize, of: &TypeName) -> Result<Type, Wrong> {
        let boxed = |of: &TypeName| self.kind(file, of).map(Box::new);
        let name = match &of.kind {
            TypeKind::List(of) => return Ok(Type::List(boxed(of)?)),
            TypeKind::Set(of) => return Ok(Type::Set(boxed(of)?)),
            TypeKind::Map(key, value) => return Ok(Type::Map(boxed(key)?, boxed(value)?)),
            TypeKind::Name(name) => name,
        };
        Ok(match name.as_str() {
            "bool" => Type::Bool,
            "byte" | "i8" => Type::I8,
            "i16" => Type::I16,
            "i32" => Type::I32,
            "i64" => Type::I64,
            "double" => Type::Double,
            "string" => Type::String,
            "binary" => Type::Binary,
            "uuid" => Type::Uuid,
            "void" => return Err(wrong(of.place, "only a method can be `void`")),
            _ => {
                let id = self.find(file, &Name { text: name.clone(), place: of.place }, "type")?;
                match self.declarations[id].1.what {
                    What::Typedef(_) => Type::Typedef(id),
                    What::Enum(_) => Type::Enum(id),
                    What::Struct(..) => Type::Struct(id),
                    What::Service(..) | What::Const(..) => {
                        return Err(wrong(of.place, format!("`{name}` is a service, not a type")));
                    }
                }
            }
        })
    }

    pub fn service(&self, file: usize, name: &Name) -> Result<Id, Wrong> {
        let id = self.find(file, name, "service")?;
        match self.declarations[id].1.what {
            What::Service(..) => Ok(id),
            _ => Err(wrong(name.place, format!("`{}` is not a service", name.text))),
        }
    }

    /// A type or service: of this file, or of an included one by its name and a dot.
    fn find(&self, file: usize, name: &Name, of: &str) -> Result<Id, Wrong> {
        let text = name.text.as_str();
        if let Some(id) = self.types[file].get(text) {
            return Ok(*id);
        }
        let Some((prefix, rest)) = text.rsplit_once('.') else {
            let mut what = format!("the {of} `{text}` is not declared");
            if let Some(elsewhere) = self.in_include(file, text) {
                what.push_str(&format!(": write `{elsewhere}.{text}` for that of the included file"));
            }
            return Err(wrong(name.place, what));
        };
        let mut included = self.included(file, prefix).peekable();
        if included.peek().is_none() {
            let what =
                format!("the {of} `{text}` is not declared: no file called `{prefix}.thrift` is included");
            return Err(wrong(name.place, what));
        }
        let found = included.find_map(|file| self.types[file].get(rest));
        found.copied().ok_or_else(|| {
            wrong(
                name.place,
                format!("the {of} `{rest}` is not declared in the included file `{prefix}.thrift`"),
            )
        })
    }

    /// A constant, or a value of an enum and its index, as named in this file.
    pub fn constant(&self, file: usize, name: &str) -> Option<Constant> {
        if let Some(id) = self.constants[file].get(name) {
            return Some(Constant::Const(*id));
        }
        let (before, last) = name.rsplit_once('.')?;
        let variant = |file: usize, of: &str| {
            let id = *self.types[file].get(of)?;
            let What::Enum(variants) = &self.declarations[id].1.what else { return None };
            variants.iter().position(|variant| variant.name.text == last).map(|at| Constant::Variant(id, at))
        };
        if let Some(found) = variant(file, before) {
            return Some(found);
        }
        if let Some(id) = self.included(file, before).find_map(|file| self.constants[file].get(last)) {
            return Some(Constant::Const(*id));
        }
        let (prefix, of) = before.rsplit_once('.')?;
        self.included(file, prefix).find_map(|file| variant(file, of))
    }

    fn included<'s>(&'s self, file: usize, prefix: &'s str) -> impl Iterator<Item = usize> + 's {
        let includes = self.read[file].includes.iter();
        includes.filter(move |(name, _)| name == prefix).map(|(_, file)| *file)
    }

    /// The name of an included file that declares this.
    fn in_include(&self, file: usize, name: &str) -> Option<&str> {
        let mut includes = self.read[file].includes.iter();
        includes.find(|(_, file)| self.types[*file].contains_key(name)).map(|(prefix, _)| prefix.as_str())
    }
}

/// The target of a value's name.
#[derive(Clone, Copy)]
pub(crate) enum Constant {
    Const(Id),
    /// The enum, and the index of its value.
    Variant(Id, usize),
}

//! Declarations to a schema.

use crate::{
    Error,
    ast::{self, What},
    constant::{Constants, numbers},
    fields::{self, Of},
    place::{Wrong, wrong},
    read::{self, Read, located},
    schema::{File, Id, Item, Kind, Method, Schema, Service, Struct, Type, Variant},
    scope::Scopes,
};
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
};

impl Schema {
    /// Reads files and everything they include, from their own directories or from these.
    ///
    /// # Errors
    /// A file that cannot be read, or an error in a file, with its line and column.
    pub fn read(files: &[PathBuf], includes: &[PathBuf]) -> Result<Schema, Error> {
        schema(&read::files(files, includes)?)
    }

    /// Parses a text without includes. `name` is used in messages, and its last part without `.thrift` is
    /// the name of the file in the schema.
    ///
    /// # Errors
    /// An error in a file, with its line and column.
    pub fn parse(name: &str, text: &str) -> Result<Schema, Error> {
        schema(&[read::text(name, text)?])
    }
}

fn schema(read: &[Read]) -> Result<Schema, Error> {
    let scopes = Scopes::new(read)?;
    let mut constants = Constants::new(&scopes);
    let at = |id: Id, wrong: Wrong| located(&read[scopes.declarations[id].0].path, wrong);
    for (id, (file, declaration)) in scopes.declarations.iter().enumerate() {
        match &declaration.what {
            What::Typedef(of) => {
                let kind = scopes.kind(*file, of).map_err(|wrong| at(id, wrong))?;
                constants.typedefs.insert(id, kind);
            }
            What::Enum(variants) => enum_values(variants).map_err(|wrong| at(id, wrong))?,
            _ => {}
        }
    }
    typedefs(&constants).map_err(|(id, wrong)| at(id, wrong))?;
    let mut items = Vec::with_capacity(scopes.declarations.len());
    for (id, (file, declaration)) in scopes.declarations.iter().enumerate() {
        let what = item(&mut constants, id, *file, declaration).map_err(|wrong| at(id, wrong))?;
        items.push(Item {
            file: *file,
            name: declaration.name.text.clone(),
            place: declaration.name.place,
            comment: declaration.comment.clone(),
            what,
        });
    }
    services(&scopes, &items).map_err(|(id, wrong)| at(id, wrong))?;
    let files = read.iter().map(|read| {
        let namespaces = read.file.namespaces.iter();
        File {
            path: read.path.clone(),
            namespaces: namespaces.map(|(scope, name)| (scope.clone(), name.text.clone())).collect(),
        }
    });
    Ok(Schema { files: files.collect(), items })
}

fn item(
    constants: &mut Constants<'_>,
    id: Id,
    file: usize,
    declaration: &ast::Declaration,
) -> Result<Kind, Wrong> {
    Ok(match &declaration.what {
        What::Typedef(_) => Kind::Typedef(constants.typedefs[&id].clone()),
        What::Const(..) => {
            let (kind, value) = constants.constant(id, 0)?;
            Kind::Const(kind, value)
        }
        What::Enum(variants) => {
            let one = |(variant, number): (&ast::Variant, i32)| Variant {
                name: variant.name.text.clone(),
                number,
                comment: variant.comment.clone(),
            };
            Kind::Enum(variants.iter().zip(numbers(variants)?).map(one).collect())
        }
        What::Struct(kind, list) => {
            Kind::Struct(Struct { kind: *kind, fields: fields(constants, file, list, Of::Struct(*kind))? })
        }
        What::Service(extends, list) => {
            let extends = extends.as_ref().map(|name| constants.scopes.service(file, name)).transpose()?;
            let methods = list.iter().map(|method| self::method(constants, file, method));
            Kind::Service(Service { extends, methods: methods.collect::<Result<_, _>>()? })
        }
    })
}

fn fields(
    constants: &mut Constants<'_>,
    file: usize,
    list: &[ast::Field],
    of: Of,
) -> Result<Vec<crate::schema::Field>, Wrong> {
    let mut fields = fields::without_defaults(constants, file, list, of)?;
    for (field, written) in fields.iter_mut().zip(list) {
        field.default = fields::default(constants, file, written, &field.kind)?;
    }
    Ok(fields)
}

fn method(constants: &mut Constants<'_>, file: usize, method: &ast::Method) -> Result<Method, Wrong> {
    let place = method.name.place;
    if method.oneway && (method.returns.is_some() || !method.throws.is_empty()) {
        let what = format!("`{}` is oneway: it returns `void` and throws nothing", method.name.text);
        return Err(wrong(place, what));
    }
    let returns = method.returns.as_ref().map(|kind| constants.scopes.kind(file, kind)).transpose()?;
    let throws = fields(constants, file, &method.throws, Of::Throws)?;
    Ok(Method {
        name: method.name.text.clone(),
        place,
        oneway: method.oneway,
        returns,
        arguments: fields(constants, file, &method.arguments, Of::Arguments)?,
        throws,
        comment: method.comment.clone(),
    })
}

fn enum_values(variants: &[ast::Variant]) -> Result<(), Wrong> {
    let mut names = HashSet::new();
    if let Some(twice) = variants.iter().find(|variant| !names.insert(variant.name.text.as_str())) {
        let what = format!("another value is called `{}`", twice.name.text);
        return Err(wrong(twice.name.place, what));
    }
    numbers(variants).map(drop)
}

/// Refuses typedefs that stand for themselves, also inside of containers.
fn typedefs(constants: &Constants<'_>) -> Result<(), (Id, Wrong)> {
    // Typedefs from which no cycle is reached. Iterative, since chains may be as long as a file.
    let mut done: HashSet<Id> = HashSet::new();
    let mut ids: Vec<Id> = constants.typedefs.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        let (mut path, mut open) = (vec![(id, mentioned(&constants.typedefs[&id]))], HashSet::from([id]));
        while let Some((current, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                done.insert(*current);
                open.remove(current);
                path.pop();
                continue;
            };
            if open.contains(&next) {
                let name = &constants.scopes.declarations[next].1.name;
                return Err((
                    next,
                    wrong(name.place, format!("the typedef `{}` stands for itself", name.text)),
                ));
            }
            if !done.contains(&next) {
                open.insert(next);
                path.push((next, mentioned(&constants.typedefs[&next])));
            }
        }
    }
    depths(constants)
}

/// Refuses typedefs that nest containers too deeply through others.
fn depths(constants: &Constants<'_>) -> Result<(), (Id, Wrong)> {
    let mut ids: Vec<Id> = constants.typedefs.keys().copied().collect();
    ids.sort_unstable();
    let mut depths: HashMap<Id, usize> = HashMap::new();
    for id in ids {
        let mut path = vec![id];
        while let Some(&current) = path.last() {
            let of = &constants.typedefs[&current];
            let unknown: Vec<Id> = mentioned(of).into_iter().filter(|id| !depths.contains_key(id)).collect();
            if !unknown.is_empty() {
                path.extend(unknown);
                continue;
            }
            let depth = depth(of, &depths);
            if depth > crate::parse::MAX_DEPTH {
                let name = &constants.scopes.declarations[current].1.name;
                let what = format!("types are nested more than {} deep", crate::parse::MAX_DEPTH);
                return Err((current, wrong(name.place, what)));
            }
            depths.insert(current, depth);
            path.pop();
        }
    }
    Ok(())
}

/// The nesting of a type, where the depths of its typedefs are known.
fn depth(kind: &Type, depths: &HashMap<Id, usize>) -> usize {
    match kind {
        Type::List(of) | Type::Set(of) => 1 + depth(of, depths),
        Type::Map(key, value) => 1 + depth(key, depths).max(depth(value, depths)),
        // One more, so that chains of typedefs are bounded as well.
        Type::Typedef(id) => 1 + depths[id],
        _ => 0,
    }
}

/// The typedefs that a type mentions.
fn mentioned(kind: &Type) -> Vec<Id> {
    match kind {
        Type::Typedef(id) => vec![*id],
        Type::List(of) | Type::Set(of) => mentioned(of),
        Type::Map(key, value) => [mentioned(key), mentioned(value)].concat(),
        _ => Vec::new(),
    }
}

/// Refuses services that extend themselves, and methods that have the name of another.
fn services(scopes: &Scopes<'_>, items: &[Item]) -> Result<(), (Id, Wrong)> {
    for (id, item) in items.iter().enumerate() {
        let Kind::Service(service) = &item.what else { continue };
        let (mut above, mut inherited, mut seen) = (service.extends, HashSet::new(), HashSet::from([id]));
        while let Some(next) = above {
            let name = &scopes.declarations[id].1.name;
            if !seen.insert(next) {
                return Err((id, wrong(name.place, format!("the service `{}` extends itself", name.text))));
            }
            let Kind::Service(service) = &items[next].what else { break };
            inherited.extend(service.methods.iter().map(|method| method.name.as_str()));
            above = service.extends;
        }
        let mut names = HashSet::new();
        for method in &service.methods {
            if inherited.contains(method.name.as_str()) {
                let what = format!("a service that is extended has the method `{}`, too", method.name);
                return Err((id, wrong(method.place, what)));
            }
            if !names.insert(method.name.as_str()) {
                return Err((id, wrong(method.place, format!("another method is called `{}`", method.name))));
            }
        }
    }
    Ok(())
}

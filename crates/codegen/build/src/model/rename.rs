//! Types that cannot keep their name in Rust.
//!
//! buffa's generator spells types as the `.proto` file does. Where that is not valid Rust, it is given
//! descriptors with other names: `message type` becomes `Type`, since `type` is a keyword; so does `message
//! index` with nested types, whose module is called `index` too; and so does `message Super` with nested
//! types, since `super` has a meaning in paths. The descriptors that programs see keep the names of the file.

use super::{join, names};
use crate::parsed::Parsed;
use buffa_codegen::idents::is_rust_keyword;
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a oneof whose own name would produce a type `Self`.
const ONEOF: &str = "self_value";

/// Full names in Rust that differ, by full name in the `.proto` file: messages and enums, and everything
/// nested in them.
#[derive(Default)]
pub(crate) struct Renamed(BTreeMap<String, String>);

impl Renamed {
    pub fn of(parsed: &Parsed) -> Renamed {
        let mut scopes: BTreeMap<&str, Scope<'_>> = BTreeMap::new();
        for file in parsed.wanted_files() {
            let scope = scopes.entry(file.package.as_deref().unwrap_or_default()).or_default();
            scope.messages.extend(&file.message_type);
            scope.enums.extend(&file.enum_type);
            scope.taken.extend(file.service.iter().filter_map(|service| service.name.clone()));
        }
        let mut renamed = Renamed::default();
        for (package, scope) in scopes {
            renamed.scope(package, package, scope);
        }
        renamed
    }

    /// The name in Rust of a type, without its scope.
    pub fn short<'n>(&'n self, full_name: &str, name: &'n str) -> &'n str {
        let renamed = self.0.get(full_name).map(|full| full.rsplit('.').next().unwrap_or(full));
        renamed.unwrap_or(name)
    }

    /// The full name under which the message generator knows a type.
    pub fn full<'n>(&'n self, full_name: &'n str) -> &'n str {
        self.0.get(full_name).map_or(full_name, String::as_str)
    }

    /// The path of an option, which may refer to something inside a type.
    pub fn path(&self, path: &str) -> String {
        let bare = path.trim_start_matches('.');
        let ends = bare.match_indices('.').map(|(end, _)| end).chain([bare.len()]);
        let longest = ends.rev().find_map(|end| Some((self.0.get(&bare[..end])?, &bare[end..])));
        longest.map_or_else(|| path.to_owned(), |(full, rest)| format!(".{full}{rest}"))
    }

    /// Restores the names of the `.proto` files in the constants of a generated package.
    pub fn restore(&self, package: &str, mut source: String) -> String {
        for (old, new) in &self.0 {
            let Some((old_name, new_name)) = below(old, package).zip(below(new, package)) else { continue };
            source = source.replace(
                &format!("\"type.googleapis.com/{new}\""),
                &format!("\"type.googleapis.com/{old}\""),
            );
            let full_name = |full: &str| format!("const FULL_NAME: &'static str = \"{full}\";");
            let Some(at) = source.find(&full_name(new)) else { continue }; // an enum
            source = source.replacen(&full_name(new), &full_name(old), 1);
            // The name within the package precedes the full one.
            let name = format!("const NAME: &'static str = \"{new_name}\";");
            if let Some(at) = source[..at].rfind(&name) {
                let line = format!("const NAME: &'static str = \"{old_name}\";");
                source.replace_range(at..at + name.len(), &line);
            }
        }
        source
    }

    /// The files with their types renamed.
    pub fn files(&self, files: &[FileDescriptorProto]) -> Vec<FileDescriptorProto> {
        let mut files = files.to_vec();
        for file in &mut files {
            let package = file.package.clone().unwrap_or_default();
            file.enum_type.iter_mut().for_each(|e| self.enumeration(&package, e));
            file.message_type.iter_mut().for_each(|m| self.message(&package, m));
            file.extension.iter_mut().for_each(|f| self.field(f));
        }
        files
    }

    fn message(&self, scope: &str, message: &mut DescriptorProto) {
        let name = message.name.clone().unwrap_or_default();
        let full = join(scope, &name);
        message.name = Some(self.short(&full, &name).to_owned());
        message.enum_type.iter_mut().for_each(|e| self.enumeration(&full, e));
        message.nested_type.iter_mut().for_each(|m| self.message(&full, m));
        message.field.iter_mut().chain(&mut message.extension).for_each(|f| self.field(f));
        let taken: BTreeSet<_> = message.field.iter().filter_map(|f| f.name.clone()).collect();
        for oneof in &mut message.oneof_decl {
            let name = oneof.name.get_or_insert_default();
            if name.trim_matches('_').eq_ignore_ascii_case("self") && !name.starts_with('_') {
                *name = ONEOF.to_owned();
                while taken.contains(name) {
                    name.push('_');
                }
            }
        }
    }

    fn enumeration(&self, scope: &str, of: &mut EnumDescriptorProto) {
        let name = of.name.clone().unwrap_or_default();
        of.name = Some(self.short(&join(scope, &name), &name).to_owned());
    }

    fn field(&self, field: &mut FieldDescriptorProto) {
        for name in [&mut field.type_name, &mut field.extendee].into_iter().flatten() {
            *name = format!(".{}", self.full(name.trim_start_matches('.')));
        }
    }

    /// `rust` is the generator's name for the scope.
    fn scope(&mut self, scope: &str, rust: &str, of: Scope<'_>) {
        let names = of.messages.iter().map(|m| &m.name).chain(of.enums.iter().map(|e| &e.name));
        let mut taken = of.taken;
        taken.extend(names.flatten().cloned());
        for of in of.enums {
            let name = of.name.as_deref().unwrap_or_default();
            self.add(scope, rust, name, is_rust_keyword(name), &mut taken);
        }
        for message in of.messages {
            let name = message.name.as_deref().unwrap_or_default();
            let module = names::module_name(name);
            let unlike = is_rust_keyword(name) || has_module(message) && (module == name || leads_away(name));
            let inner = self.add(scope, rust, name, unlike, &mut taken);
            let nested = Scope {
                messages: message.nested_type.iter().collect(),
                enums: message.enum_type.iter().collect(),
                taken: BTreeSet::new(),
            };
            self.scope(&join(scope, name), &inner, nested);
        }
    }

    /// Chooses the name of a type in Rust, and returns its full name.
    fn add(
        &mut self,
        scope: &str,
        rust: &str,
        name: &str,
        unlike: bool,
        taken: &mut BTreeSet<String>,
    ) -> String {
        let mut new = name.to_owned();
        if unlike {
            new = names::type_name(name);
            if leads_away(&new) {
                new.push('_');
            }
            while !taken.insert(new.clone()) {
                new.push('_');
            }
        }
        let (old, new) = (join(scope, name), join(rust, &new));
        if old != new {
            self.0.insert(old, new.clone());
        }
        new
    }
}

/// The part of a full name below its package.
fn below<'n>(name: &'n str, package: &str) -> Option<&'n str> {
    if package.is_empty() { Some(name) } else { name.strip_prefix(package)?.strip_prefix('.') }
}

/// The types of one scope.
#[derive(Default)]
struct Scope<'p> {
    messages: Vec<&'p DescriptorProto>,
    enums: Vec<&'p EnumDescriptorProto>,
    taken: BTreeSet<String>,
}

/// Whether the module of this type would be called `super`, `crate` or `self`, which have a meaning in paths.
fn leads_away(name: &str) -> bool {
    ["super", "crate", "self"].iter().any(|keyword| name.eq_ignore_ascii_case(keyword))
}

/// Whether something is generated into a module with the message's name.
fn has_module(message: &DescriptorProto) -> bool {
    !(message.nested_type.is_empty()
        && message.enum_type.is_empty()
        && message.oneof_decl.is_empty()
        && message.extension.is_empty())
}

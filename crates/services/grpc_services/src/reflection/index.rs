//! The files of descriptor sets, by their names and by the symbols that they declare.

use polywire_base::SortedMap;
use polywire_formats::generated::{
    self,
    buffa_descriptor::generated::descriptor::{
        DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, ServiceDescriptorProto,
    },
};
use polywire_server::AboutService;
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Default)]
pub(super) struct Index {
    files: Vec<File>,
    by_name: HashMap<String, usize>,
    by_symbol: HashMap<String, usize>,
    /// Files by the full name of the extended message, then by field number.
    extensions: HashMap<String, SortedMap<i32, usize>>,
    services: BTreeSet<&'static str>,
}

struct File {
    /// The file's bytes as in its set, so that unknown fields are kept.
    bytes: Vec<u8>,
    imports: Vec<String>,
}

impl Index {
    /// Indexes the services that have descriptors; the others are left out.
    pub fn of(services: &[AboutService]) -> Self {
        let mut index = Index::default();
        for service in services.iter().filter(|service| !service.descriptors.is_empty()) {
            index.services.insert(service.name);
            files(service.descriptors).for_each(|file| index.add(file));
        }
        index
    }

    /// Adds a descriptor set. Each package's set contains its imports, so most files come several times.
    fn add(&mut self, bytes: &[u8]) {
        let Some(file) = generated::file_descriptor(bytes) else { return };
        let (at, name) = (self.files.len(), file.name.clone().unwrap_or_default());
        if self.by_name.contains_key(&name) {
            return;
        }
        self.by_name.insert(name, at);
        let mut declared = Declared { index: self, file: at };
        let scope = file.package.as_deref().unwrap_or_default();
        file.message_type.iter().for_each(|message| declared.message(scope, message));
        file.enum_type.iter().for_each(|each| declared.enumeration(scope, each));
        file.service.iter().for_each(|service| declared.service(scope, service));
        file.extension.iter().for_each(|extension| declared.extension(scope, extension));
        self.files.push(File { bytes: bytes.to_vec(), imports: file.dependency });
    }

    pub fn file(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The file that declares this full name.
    pub fn symbol(&self, name: &str) -> Option<usize> {
        self.by_symbol.get(name.strip_prefix('.').unwrap_or(name)).copied()
    }

    pub fn extension(&self, message: &str, number: i32) -> Option<usize> {
        self.extensions.get(message)?.get(&number).copied()
    }

    /// Numbers of all extensions; `None`: there is no such message.
    pub fn extensions(&self, message: &str) -> Option<Vec<i32>> {
        let extensions = self.extensions.get(message);
        let numbers = extensions.map(|numbers| numbers.keys().copied().collect());
        numbers.or_else(|| self.symbol(message).map(|_| Vec::new()))
    }

    pub fn services(&self) -> &BTreeSet<&'static str> {
        &self.services
    }

    /// A file, followed by its direct and indirect imports that are not in `sent`.
    pub fn with_imports(&self, file: usize, sent: &mut HashSet<usize>) -> Vec<Vec<u8>> {
        let (mut files, mut next) = (Vec::new(), 0);
        let mut order = vec![file];
        sent.insert(file); // returned even if it was sent: the client asks for it
        while let Some(&at) = order.get(next) {
            files.push(self.files[at].bytes.clone());
            let imports = self.files[at].imports.iter().filter_map(|name| self.file(name));
            order.extend(imports.filter(|import| sent.insert(*import)));
            next += 1;
        }
        files
    }
}

/// Collects the symbols that a file declares.
struct Declared<'i> {
    index: &'i mut Index,
    file: usize,
}

impl Declared<'_> {
    fn symbol(&mut self, scope: &str, name: Option<&str>) -> String {
        let name = name.unwrap_or_default();
        let full = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
        self.index.by_symbol.entry(full.clone()).or_insert(self.file);
        full
    }

    fn message(&mut self, scope: &str, message: &DescriptorProto) {
        let full = self.symbol(scope, message.name.as_deref());
        message.field.iter().for_each(|field| drop(self.symbol(&full, field.name.as_deref())));
        message.oneof_decl.iter().for_each(|oneof| drop(self.symbol(&full, oneof.name.as_deref())));
        message.nested_type.iter().for_each(|nested| self.message(&full, nested));
        message.enum_type.iter().for_each(|nested| self.enumeration(&full, nested));
        message.extension.iter().for_each(|extension| self.extension(&full, extension));
    }

    /// The values of an enum have the scope of the enum itself, not of its name.
    fn enumeration(&mut self, scope: &str, each: &EnumDescriptorProto) {
        self.symbol(scope, each.name.as_deref());
        each.value.iter().for_each(|value| drop(self.symbol(scope, value.name.as_deref())));
    }

    fn service(&mut self, scope: &str, service: &ServiceDescriptorProto) {
        let full = self.symbol(scope, service.name.as_deref());
        service.method.iter().for_each(|method| drop(self.symbol(&full, method.name.as_deref())));
    }

    fn extension(&mut self, scope: &str, extension: &FieldDescriptorProto) {
        self.symbol(scope, extension.name.as_deref());
        let extended = extension.extendee.as_deref().unwrap_or_default().trim_start_matches('.');
        let numbers = self.index.extensions.entry(extended.to_owned()).or_default();
        numbers.insert(extension.number.unwrap_or_default(), self.file);
    }
}

/// The files of an encoded `FileDescriptorSet`: field 1, length-delimited, and nothing else.
fn files(mut set: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let rest = set.strip_prefix(&[0x0a])?;
        let end = rest.iter().take(5).position(|byte| byte & 0x80 == 0)?;
        let (length, rest) = rest.split_at(end + 1);
        let length = length.iter().rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
        let (file, rest) = rest.split_at_checked(length)?;
        set = rest;
        Some(file)
    })
}

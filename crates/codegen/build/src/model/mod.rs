//! The input of the service generator: packages, services, methods, names in Rust.

mod comments;
mod http;
pub(crate) mod names;
pub(crate) mod options;
mod rename;

pub(crate) use comments::tidy;
pub(crate) use http::HttpRule;
pub(crate) use names::module_name;
pub(crate) use options::below;
pub(crate) use rename::Renamed;

use crate::{Config, Error, parsed::Parsed};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, MethodDescriptorProto,
    ServiceDescriptorProto, method_options::IdempotencyLevel,
};
use comments::Comments;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// All packages for which code is generated, by name.
pub(crate) struct Model {
    pub packages: BTreeMap<String, Package>,
}

/// A package, from all its files.
#[derive(Default)]
pub(crate) struct Package {
    /// Names of the package's files.
    pub files: Vec<String>,
    /// The full names of the package's messages, including nested ones, without map entries.
    pub messages: Vec<String>,
    /// Names of the package's types in Rust: messages, enums, services.
    pub types: BTreeSet<String>,
    /// Names of its other modules: those for nested types of messages.
    pub modules: BTreeSet<String>,
    pub services: Vec<Service>,
}

pub(crate) struct Service {
    /// Name of the trait.
    pub name: String,
    /// Name in the `.proto` file.
    pub full_name: String,
    pub client: String,
    /// Module of the marker types of its methods.
    pub module: String,
    pub comment: String,
    pub methods: Vec<Method>,
}

pub(crate) struct Method {
    /// Name in the `.proto` file.
    pub name: String,
    /// Name of the function, escaped.
    pub function: String,
    /// Name of the method's marker type.
    pub marker: String,
    pub kind: Kind,
    /// Whether the method's `option idempotency_level` is `IDEMPOTENT` or `NO_SIDE_EFFECTS`.
    pub idempotent: bool,
    /// Whether the method has `option idempotency_level = NO_SIDE_EFFECTS`.
    pub no_side_effects: bool,
    /// The method's `option (google.api.http)`.
    pub rules: Vec<HttpRule>,
    pub comment: String,
    /// Whether it receives views: [`Config::views`].
    pub views: bool,
    /// Full names of its messages, without a leading dot.
    pub input: String,
    pub output: String,
    /// The number by which protocols without names identify the method, if it is not its position in the
    /// service.
    pub number: Option<u32>,
}

/// The number of messages that a method takes and returns: one or a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Unary,
    ClientStreaming,
    ServerStreaming,
    BidiStreaming,
}

impl Kind {
    fn of(method: &MethodDescriptorProto) -> Kind {
        Kind::streaming(method.client_streaming == Some(true), method.server_streaming == Some(true))
    }

    /// The kind, by whether the caller sends a stream, and whether the answer is one.
    pub fn streaming(client: bool, server: bool) -> Kind {
        match (client, server) {
            (false, false) => Kind::Unary,
            (true, false) => Kind::ClientStreaming,
            (false, true) => Kind::ServerStreaming,
            (true, true) => Kind::BidiStreaming,
        }
    }

    /// Whether the caller sends a stream.
    pub fn takes_stream(self) -> bool {
        matches!(self, Kind::ClientStreaming | Kind::BidiStreaming)
    }

    /// Whether the answer is a stream.
    pub fn answers_stream(self) -> bool {
        matches!(self, Kind::ServerStreaming | Kind::BidiStreaming)
    }
}

impl Model {
    pub fn new(config: &Config, parsed: &Parsed) -> Result<Model, Error> {
        let mut model = Model { packages: BTreeMap::new() };
        let renamed = Renamed::of(parsed);
        for file in parsed.wanted_files() {
            model.add(config, file, &renamed)?;
        }
        let all: Vec<String> = model.packages.keys().cloned().collect();
        for (name, package) in &mut model.packages {
            let below = all.iter().filter_map(|p| p.strip_prefix(&join(name, "")));
            package.modules.extend(below.filter_map(|p| p.split('.').next()).map(names::module_name));
            settle_names(package);
        }
        Ok(model)
    }

    fn add(&mut self, config: &Config, file: &FileDescriptorProto, renamed: &Renamed) -> Result<(), Error> {
        let package_name = file.package.clone().unwrap_or_default();
        let comments = Comments::of(file);
        let package = self.packages.entry(package_name.clone()).or_default();
        package.files.push(file.name.clone().unwrap_or_default());
        file.message_type.iter().for_each(|m| messages(&package_name, m, &mut package.messages));
        let names = file.message_type.iter().map(|m| &m.name).chain(file.enum_type.iter().map(|e| &e.name));
        let in_rust = |name: &String| renamed.short(&join(&package_name, name), name).to_owned();
        package.types.extend(names.flatten().map(in_rust));
        let messages = file.message_type.iter().filter_map(|m| m.name.as_ref());
        package.modules.extend(messages.map(in_rust).map(|name| names::module_name(&name)));
        for (index, service) in (0..).zip(&file.service) {
            package.services.push(self::service(config, &package_name, index, service, &comments)?);
        }
        Ok(())
    }
}

pub(crate) fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// Whether the compiler made the message for a map.
pub(crate) fn is_entry(message: &DescriptorProto) -> bool {
    message.options.as_option().is_some_and(|options| options.map_entry == Some(true))
}

/// Whether a field is a member of a oneof that the file declares; an optional one of proto3 is not.
pub(crate) fn in_oneof(field: &FieldDescriptorProto) -> bool {
    field.oneof_index.is_some() && field.proto3_optional != Some(true)
}

fn messages(scope: &str, message: &DescriptorProto, all: &mut Vec<String>) {
    if is_entry(message) {
        return;
    }
    let name = join(scope, message.name.as_deref().unwrap_or_default());
    all.push(name.clone());
    message.nested_type.iter().for_each(|m| messages(&name, m, all));
}

fn service(
    config: &Config,
    package: &str,
    index: i32,
    service: &ServiceDescriptorProto,
    comments: &Comments<'_>,
) -> Result<Service, Error> {
    let name = service.name.clone().unwrap_or_default();
    let full_name = join(package, &name);
    let (mut methods, mut functions) = (Vec::new(), HashSet::new());
    for (at, method) in (0..).zip(&service.method) {
        let method_name = method.name.clone().unwrap_or_default();
        let function = names::function(&method_name);
        if !functions.insert(function.clone()) {
            let what = format!(
                "{full_name}: two methods are called `{function}` in Rust; {method_name} is the second"
            );
            return Err(Error::Names(what));
        }
        methods.push(Method {
            marker: names::type_name(&method_name),
            function,
            kind: Kind::of(method),
            no_side_effects: method.options.idempotency_level == Some(IdempotencyLevel::NO_SIDE_EFFECTS),
            idempotent: matches!(
                method.options.idempotency_level,
                Some(IdempotencyLevel::NO_SIDE_EFFECTS | IdempotencyLevel::IDEMPOTENT)
            ),
            rules: http::rules(&format!("{full_name}/{method_name}"), method)?,
            comment: comments.method(index, at),
            input: bare(method.input_type.as_deref()),
            output: bare(method.output_type.as_deref()),
            number: None,
            views: options::has_views(config, &join(&full_name, &method_name)),
            name: method_name,
        });
    }
    Ok(Service {
        client: String::new(),
        module: names::module_name(&name),
        comment: comments.service(index),
        name: names::service(&name),
        full_name,
        methods,
    })
}

fn bare(name: Option<&str>) -> String {
    name.unwrap_or_default().trim_start_matches('.').to_owned()
}

/// Chooses names that do not collide. `EchoService` has `EchoClient`, or if that is taken
/// `EchoServiceClient`; and the module `echo_service`. A name that is taken in Rust gets an underscore: the
/// service `index` next to `Index` is `Index_`, the client of `Echo` next to a message `EchoClient` is
/// `EchoClient_`.
pub(crate) fn settle_names(package: &mut Package) {
    // Services that keep their name come first.
    let renamed = |service: &Service| !service.full_name.ends_with(&service.name);
    for last in [false, true] {
        for service in package.services.iter_mut().filter(|service| renamed(service) == last) {
            while !package.types.insert(service.name.clone()) {
                service.name.push('_');
            }
        }
    }
    let stem = |service: &Service| {
        let stem = service.name.strip_suffix("Service").filter(|stem| !stem.is_empty());
        stem.map(str::to_owned)
    };
    // Services with one possible name for their client come first: `KeeperService` leaves `KeeperClient` to
    // `Keeper`, in whichever order they are declared.
    for choice in [false, true] {
        for service in package.services.iter_mut().filter(|service| stem(service).is_some() == choice) {
            let long = format!("{}Client", service.name);
            let short = stem(service).map(|stem| format!("{stem}Client"));
            let mut client = short.filter(|name| !package.types.contains(name)).unwrap_or(long);
            while !package.types.insert(client.clone()) {
                client.push('_');
            }
            service.client = client;
        }
    }
    for service in &mut package.services {
        while !package.modules.insert(service.module.clone()) {
            service.module.push('_');
        }
    }
}

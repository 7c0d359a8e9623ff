//! The methods of a service as types: what runtime, server and client know of them.

use super::{Emit, service::function};
use crate::{emit::Text, model::names};
use polywire_thrift_idl::{Id, Method, Service};
use std::collections::HashSet;

/// The names of a method's types in the module of its service.
pub(super) struct TypeNames {
    pub marker: String,
    pub arguments: String,
    pub result: String,
    pub error: String,
}

impl Emit<'_> {
    /// Type names that differ from those of all other methods: an underscore is appended where they would
    /// not.
    pub fn type_names(&self, service: Id, method: &Method) -> TypeNames {
        let mut taken = HashSet::new();
        for known in &self.schema.service(service).methods {
            let stem = names::type_name(&known.name);
            let mut free = |suffix: &str| {
                let mut name = format!("{stem}{suffix}");
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                name
            };
            let names = TypeNames {
                marker: free(""),
                arguments: free("Args"),
                result: free("Result"),
                error: free("Error"),
            };
            if known.name == method.name {
                return names;
            }
        }
        unreachable!("a method is one of its service")
    }

    pub fn methods(&self, text: &mut Text, id: Id, service: &Service) {
        let (name, thrift) = (self.packages.name(id), self.thrift());
        text.doc(&format!("The methods of [`{name}`], each as a type."));
        text.block(format!("pub mod {}", self.packages.service(id).module), |text| {
            let more = if service.extends.is_some() { ", after those of the service that it extends" } else { "" };
            text.doc(&format!("Adds all methods{more}."));
            text.block(
                format!(
                    "pub fn add_to<Impl: super::{name}>(service: {thrift}::Service, of: &::std::sync::Arc<Impl>) -> {thrift}::Service"
                ),
                |text| {
                    if service.extends.is_none() && service.methods.is_empty() {
                        text.line("let _ = of;");
                    }
                    match service.extends {
                        None => text.line("service"),
                        Some(above) => {
                            let module = &self.packages.service(above).module;
                            text.line(format!("{}::add_to(service, of)", self.elsewhere(above, true, module)));
                        }
                    }
                    for method in &service.methods {
                        let marker = self.type_names(id, method).marker;
                        text.line(format!("    .with::<{marker}, Impl>(of)"));
                    }
                },
            );
            for method in &service.methods {
                self.method(text, id, method);
            }
        });
    }

    fn method(&self, text: &mut Text, id: Id, method: &Method) {
        let (thrift, runtime) = (self.thrift(), &self.config.runtime);
        let names = self.type_names(id, method);
        let (service, thrift_service) = (self.packages.name(id), &self.schema.items[id].name);
        text.line("");
        text.doc(&format!("`{thrift_service}.{}`.", method.name));
        text.line(format!("pub struct {};", names.marker));
        let arguments = match method.arguments.is_empty() {
            true => format!("{thrift}::Nothing"),
            false => {
                text.line("");
                text.doc(&format!("The arguments of `{}`.", method.name));
                text.line("#[derive(Clone, Debug, PartialEq)]");
                text.block(format!("pub struct {}", names.arguments), |text| {
                    for field in &method.arguments {
                        let kind = self.kind(&field.kind, false, true);
                        text.line(format!("pub {}: {kind},", names::variable(&field.name)));
                    }
                });
                self.fields(text, &names.arguments, &method.name, None, &method.arguments, true);
                names.arguments.clone()
            }
        };
        if !method.throws.is_empty() {
            self.thrown(text, &names, method);
        }
        let returns = method.returns.as_ref();
        let success = self.success(returns, true);
        let failure = self.failure(id, method, true);
        let result = match (method.throws.is_empty(), returns) {
            (false, _) => names.result.clone(),
            (true, Some(_)) => format!("{thrift}::Returned<{success}>"),
            (true, None) => format!("{thrift}::Nothing"),
        };
        text.line("");
        text.block(format!("impl {thrift}::Method for {}", names.marker), |text| {
            text.line(format!("const NAME: &'static str = {:?};", method.name));
            if method.oneway {
                text.line("const ONEWAY: bool = true;");
            }
            text.line(format!("type Args = {arguments};"));
            text.line(format!("type Result = {result};"));
            text.line(format!("type Success = {success};"));
            text.line(format!("type Failure = {failure};"));
            text.line("#[inline]");
            text.block(
                format!(
                    "fn into_result(outcome: ::std::result::Result<{success}, {failure}>) -> ::std::result::Result<{result}, {runtime}::Status>"
                ),
                |text| self.result_of_outcome(text, &names, method),
            );
            text.line("#[inline]");
            text.block(
                format!("fn from_result(result: {result}) -> ::std::result::Result<{success}, {failure}>"),
                |text| self.outcome_of_result(text, &names, method),
            );
        });
        text.block(
            format!("impl<Impl: super::{service}> {thrift}::Served<Impl> for {}", names.marker),
            |text| {
                text.line("#[inline]");
                let outcome = self.outcome(id, method, true);
                text.block(
                    format!(
                        "fn call(service: &Impl, cx: &{runtime}::Context, arguments: {arguments}) -> impl ::std::future::Future<Output = {outcome}> + ::std::marker::Send"
                    ),
                    |text| {
                        let given = method.arguments.iter().map(|field| format!(", arguments.{}", names::variable(&field.name)));
                        if method.arguments.is_empty() {
                            text.line("let _ = arguments;");
                        }
                        text.line(format!(
                            "super::{service}::{}(service, cx{})",
                            function(method),
                            given.collect::<String>()
                        ));
                    },
                );
            },
        );
    }
}

//! Services: the trait that servers implement, and the client.

use super::Emit;
use crate::{
    emit::{Text, service::connect},
    model::{self, names},
};
use polywire_thrift_idl::{Field, Id, Method, Service, Type};

/// The functions of clients besides those of the service.
const OWN: [&str; 2] = ["multiplexed", "from_client"];

/// The name of a method's function.
pub(super) fn function(method: &Method) -> String {
    let name = names::function(&method.name);
    if OWN.contains(&name.as_str()) { name + "_" } else { name }
}

/// The name of an argument.
pub(super) fn argument(field: &Field) -> String {
    let name = names::variable(&field.name);
    if name == "cx" { name + "_" } else { name }
}

impl Emit<'_> {
    pub fn service(&self, text: &mut Text, id: Id, comment: &str, service: &Service) {
        text.line("");
        self.server_trait(text, id, comment, service);
        text.line("");
        self.methods(text, id, service);
        text.line("");
        self.client(text, id, comment, service);
    }

    fn server_trait(&self, text: &mut Text, id: Id, comment: &str, service: &Service) {
        let (name, thrift_name) = (self.packages.name(id), &self.schema.items[id].name);
        let (runtime, thrift, module) =
            (&self.config.runtime, self.thrift(), &self.packages.service(id).module);
        documented(text, comment, &format!("Service `{thrift_name}`."));
        let functions: Vec<_> = service.methods.iter().map(|m| format!("`{}`", function(m))).collect();
        let functions = if functions.is_empty() { "none".to_owned() } else { functions.join(", ") };
        text.line("#[diagnostic::on_unimplemented(");
        text.line(format!("    message = \"`{{Self}}` does not implement the service `{thrift_name}`\","));
        text.line(format!("    note = \"write `impl {name} for {{Self}}` with its methods: {functions}\""));
        text.line(")]");
        let above = match service.extends {
            Some(above) => self.path(above, false),
            None => "::std::marker::Send + ::std::marker::Sync + 'static".to_owned(),
        };
        text.block(format!("pub trait {name}: {above}"), |text| {
            for method in &service.methods {
                documented(text, &model::tidy(&method.comment), &about(method));
                let arguments = method.arguments.iter().map(|field| {
                    format!(", {}: {}", argument(field), self.kind(&field.kind, false, false))
                });
                text.line(format!(
                    "fn {}(&self, cx: &{runtime}::Context{}) -> impl ::std::future::Future<Output = {}> + ::std::marker::Send;",
                    function(method),
                    arguments.collect::<String>(),
                    self.outcome(id, method, false)
                ));
                text.line("");
            }
            let more = match service.extends {
                None => String::new(),
                Some(above) => format!(
                    "\n\nThe service that it extends has a function of this name, too:\n`{name}::into_service(handler)` says that this one is meant, and not that of `{}`.",
                    self.packages.name(above)
                ),
            };
            text.doc(&format!("This service, ready for `Server::service`.{more}"));
            text.line(format!("fn into_service(self) -> {thrift}::Service"));
            text.line("where");
            text.line("    Self: ::std::marker::Sized,");
            text.block("", |text| {
                text.line(format!(
                    "{module}::add_to({thrift}::Service::new({thrift_name:?}), &::std::sync::Arc::new(self))"
                ));
            });
        });
    }

    /// `Result<…, …>` of a method.
    pub fn outcome(&self, service: Id, method: &Method, below: bool) -> String {
        let success = self.success(method.returns.as_ref(), below);
        format!("::std::result::Result<{success}, {}>", self.failure(service, method, below))
    }

    pub fn success(&self, returns: Option<&Type>, below: bool) -> String {
        returns.map_or("()".to_owned(), |kind| self.kind(kind, false, below))
    }

    /// The error type of a method: the runtime's status, or an enum that includes its exceptions.
    pub fn failure(&self, service: Id, method: &Method, below: bool) -> String {
        if method.throws.is_empty() {
            return format!("{}::Status", self.config.runtime);
        }
        let error = self.type_names(service, method).error;
        match below {
            true => error,
            false => format!("{}::{error}", self.packages.service(service).module),
        }
    }

    fn client(&self, text: &mut Text, id: Id, comment: &str, service: &Service) {
        let (name, thrift_name) = (&self.packages.service(id).client, &self.schema.items[id].name);
        let (runtime, thrift) = (&self.config.runtime, self.thrift());
        documented(text, comment, &format!("Calls `{thrift_name}` over a channel."));
        text.line("#[derive(Clone)]");
        text.block(format!("pub struct {name}"), |text| text.line(format!("client: {thrift}::Client,")));
        text.line("");
        text.block(format!("impl {name}"), |text| {
            text.doc("A client whose calls go through `channel`.");
            text.block(format!("pub fn new<P>(channel: {runtime}::AnyChannel<P>) -> Self"), |text| {
                text.line(format!("Self {{ client: {thrift}::Client::new(channel) }}"));
            });
            let functions: Vec<_> = self.with_those_above(id, service).flat_map(|(_, of)| &of.methods).map(function).collect();
            connect(text, runtime, "thrift", functions.iter().map(String::as_str));
            text.line("");
            text.doc(&format!(
                "A client for servers with several services: it calls `{thrift_name}:method`, as\nApache's multiplexed protocol does."
            ));
            text.block(format!("pub fn multiplexed<P>(channel: {runtime}::AnyChannel<P>) -> Self"), |text| {
                text.line(format!(
                    "Self {{ client: {thrift}::Client::new(channel).multiplexed({thrift_name:?}) }}"
                ));
            });
            text.line("");
            text.doc("A client with settings of its own.");
            text.block(format!("pub fn from_client(client: {thrift}::Client) -> Self"), |text| {
                text.line("Self { client }");
            });
            for (of, service) in self.with_those_above(id, service) {
                for method in &service.methods {
                    self.stub(text, of, method);
                }
            }
        });
    }

    /// The services that a service extends, followed by itself.
    fn with_those_above<'s>(
        &'s self,
        id: Id,
        service: &'s Service,
    ) -> impl Iterator<Item = (Id, &'s Service)> {
        let mut services = vec![(id, service)];
        while let Some(above) = services.last().and_then(|(_, service)| service.extends) {
            services.push((above, self.schema.service(above)));
        }
        services.into_iter().rev()
    }

    fn stub(&self, text: &mut Text, of: Id, method: &Method) {
        let thrift = self.thrift();
        let module = self.elsewhere(of, false, &self.packages.service(of).module);
        let names = self.type_names(of, method);
        text.line("");
        documented(text, &model::tidy(&method.comment), &about(method));
        text.line("#[inline]");
        let arguments = method
            .arguments
            .iter()
            .map(|field| format!(", {}: {}", argument(field), self.kind(&field.kind, false, false)));
        let signature = format!(
            "pub fn {}(&self{}) -> {thrift}::Call<{module}::{}>",
            function(method),
            arguments.collect::<String>(),
            names.marker
        );
        text.block(signature, |text| {
            let given = match method.arguments.is_empty() {
                true => format!("{thrift}::Nothing"),
                false => {
                    let one = |field: &Field| match (names::variable(&field.name), argument(field)) {
                        (field, argument) if field == argument => field,
                        (field, argument) => format!("{field}: {argument}"),
                    };
                    let fields: Vec<_> = method.arguments.iter().map(one).collect();
                    format!("{module}::{} {{ {} }}", names.arguments, fields.join(", "))
                }
            };
            text.line(format!("self.client.call::<{module}::{}>(&{given})", names.marker));
        });
    }
}

fn about(method: &Method) -> String {
    let more = if method.oneway { ", which is not answered" } else { "" };
    format!("Method `{}`{more}.", method.name)
}

/// Writes the comment of the `.thrift` file, then a line of the generator's own.
pub(super) fn documented(text: &mut Text, comment: &str, ours: &str) {
    text.doc(comment);
    if !comment.is_empty() {
        text.line("///");
    }
    text.doc(ours);
}

//! A service: the trait that servers implement, a type per method, the client.

use super::text::Text;
use crate::{
    Config, Error,
    model::{HttpRule, Kind, Method, Service},
};
use std::collections::BTreeSet;

/// Finds the path of a message's type.
type Types<'t> = dyn Fn(&str) -> Result<String, Error> + 't;

/// The paths by which generated code refers to the prelude: short names, unless the package has a type of the
/// same name.
pub(crate) struct Prelude<'p> {
    /// Names of types in scope.
    pub taken: &'p BTreeSet<String>,
}

impl Prelude<'_> {
    fn name(&self, short: &'static str, long: &'static str) -> &'static str {
        if self.taken.contains(short) { long } else { short }
    }
    fn result(&self) -> &'static str {
        self.name("Result", "::std::result::Result")
    }
    fn send(&self) -> &'static str {
        self.name("Send", "::std::marker::Send")
    }
    fn sync(&self) -> &'static str {
        self.name("Sync", "::std::marker::Sync")
    }
    fn sized(&self) -> &'static str {
        self.name("Sized", "::std::marker::Sized")
    }
    /// Writes the return type of an asynchronous method after its arguments: `) -> …` and `end`.
    fn answer(&self, text: &mut Text, runtime: &str, kind: Kind, output: &str, end: &str) {
        let (result, send) = (self.result(), self.send());
        if !kind.answers_stream() {
            return text.line(format!(
                ") -> impl ::std::future::Future<Output = {result}<{runtime}::Reply<{output}>, {runtime}::Status>> + {send}{end}"
            ));
        }
        text.lines([
            ") -> impl ::std::future::Future<".to_owned(),
            format!("    Output = {result}<"),
            format!("        impl {runtime}::Stream<Item = {result}<{output}, {runtime}::Status>> + {send},"),
            format!("        {runtime}::Status,"),
            "    >,".to_owned(),
            format!("> + {send}{end}"),
        ]);
    }
}

/// Name and type of a method's argument.
fn argument(runtime: &str, kind: Kind, input: &str) -> (&'static str, String) {
    match kind.takes_stream() {
        false => ("request", input.to_owned()),
        true => ("incoming", format!("{runtime}::Streaming<{input}>")),
    }
}

pub(crate) fn emit(
    text: &mut Text,
    config: &Config,
    service: &Service,
    prelude: &Prelude<'_>,
    types: &Types<'_>,
) -> Result<(), Error> {
    let mut resolved = Vec::new();
    for method in &service.methods {
        resolved.push(Resolved { method, input: types(&method.input)?, output: types(&method.output)? });
    }
    let runtime = &config.runtime;
    server_trait(text, runtime, service, prelude, &resolved);
    text.line("");
    method_types(text, runtime, service, &resolved);
    text.line("");
    client(text, runtime, service, &resolved);
    Ok(())
}

/// A method with the paths of its messages.
struct Resolved<'s> {
    method: &'s Method,
    input: String,
    output: String,
}

impl Resolved<'_> {
    /// The type of a received message, given its path.
    fn received(&self, runtime: &str, message: &str) -> String {
        match self.method.views {
            true => format!("{runtime}::View<{message}>"),
            false => message.to_owned(),
        }
    }
}

fn server_trait(
    text: &mut Text,
    runtime: &str,
    service: &Service,
    prelude: &Prelude<'_>,
    methods: &[Resolved<'_>],
) {
    documented(text, &service.comment, &format!("Service `{}`.", service.full_name));
    text.line("#[diagnostic::on_unimplemented(");
    text.line(format!(
        "    message = \"`{{Self}}` does not implement the service `{}`\",",
        service.full_name
    ));
    text.line(format!(
        "    note = \"write `impl {} for {{Self}}` with its methods: {}\"",
        service.name,
        list(methods)
    ));
    text.line(")]");
    let (send, sync, sized) = (prelude.send(), prelude.sync(), prelude.sized());
    text.block(format!("pub trait {}: {send} + {sync} + 'static", service.name), |text| {
        for each in methods {
            let Resolved { method, input, output } = each;
            documented(text, &method.comment, &to_implement(method, output));
            text.line(format!("fn {}(", method.function));
            let (name, taken) = argument(runtime, method.kind, &each.received(runtime, input));
            text.lines([
                "    &self,".to_owned(),
                format!("    cx: &{runtime}::Context,"),
                format!("    {name}: {taken},"),
            ]);
            prelude.answer(text, runtime, method.kind, output, ";");
            text.line("");
        }
        text.doc("This service, ready for `Server::service`.");
        text.line(format!("fn into_service(self) -> {runtime}::Service"));
        text.line("where");
        text.line(format!("    Self: {sized},"));
        text.block("", |text| {
            let new = format!("{runtime}::Service::new(\"{}\", DESCRIPTOR_SET)", service.full_name);
            if methods.is_empty() {
                text.line(new);
                return;
            }
            text.line("let service = ::std::sync::Arc::new(self);");
            text.line(new);
            for Resolved { method, .. } in methods {
                let add = add_function(method.kind);
                text.line(format!("    .{add}::<{}::{}<Self>>(&service)", service.module, method.marker));
                if let Some(number) = method.number {
                    let (service, name) = (&service.full_name, &method.name);
                    let id = format!("{runtime}::generated::method_id(\"{service}\", {number})");
                    text.line(format!("    .method(\"{name}\", |method| method.id({id}))"));
                }
            }
        });
    });
}

/// The method of the runtime's `Service` that adds a method of this kind.
fn add_function(kind: Kind) -> &'static str {
    match kind {
        Kind::Unary => "unary",
        Kind::ClientStreaming => "client_streaming",
        Kind::ServerStreaming => "server_streaming",
        Kind::BidiStreaming => "bidi_streaming",
    }
}

/// The documentation of a method, and how a streaming one is written.
fn to_implement(method: &Method, output: &str) -> String {
    let name = &method.name;
    let answer = match method.kind {
        Kind::Unary => return format!("Method `{name}`."),
        Kind::ClientStreaming => return format!("Method `{name}`, which takes a stream."),
        Kind::ServerStreaming | Kind::BidiStreaming => {
            format!(
                "`async fn {}(…) -> Result<impl Stream<Item = Result<{output}, Status>>, Status>`",
                method.function
            )
        }
    };
    let takes = if method.kind.takes_stream() { "takes and answers" } else { "answers" };
    format!("Method `{name}`, which {takes} with a stream. To be written as\n{answer}.")
}

fn list(methods: &[Resolved<'_>]) -> String {
    let names: Vec<String> = methods.iter().map(|r| format!("`{}`", r.method.function)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn method_types(text: &mut Text, runtime: &str, service: &Service, methods: &[Resolved<'_>]) {
    text.doc(&format!("The methods of [`{}`], each as a type.", service.name));
    let taken = methods.iter().map(|r| r.method.marker.clone()).collect();
    let prelude = Prelude { taken: &taken };
    text.block(format!("pub mod {}", service.module), |text| {
        for (index, each) in methods.iter().enumerate() {
            let Resolved { method, input, output } = each;
            if index > 0 {
                text.line("");
            }
            let (marker, name) = (&method.marker, &service.name);
            text.doc(&format!("`{}/{}`.", service.full_name, method.name));
            text.line(format!("pub struct {marker}<Impl>(::std::marker::PhantomData<fn() -> Impl>);"));
            text.line("");
            let kind = kind_trait(method.kind);
            text.block(
                format!("impl<Impl: super::{name}> {runtime}::generated::{kind} for {marker}<Impl>"),
                |text| {
                    text.line("type Service = Impl;");
                    text.line(format!("type Request = {};", each.received(runtime, &from_below(input))));
                    text.line(format!("type Response = {};", from_below(output)));
                    text.line(format!("const NAME: &'static str = \"{}\";", method.name));
                    if method.no_side_effects && method.kind == Kind::Unary {
                        text.line("const NO_SIDE_EFFECTS: bool = true;");
                    }
                    if !method.rules.is_empty() {
                        let rules = rules(runtime, method);
                        text.line(format!("const HTTP_RULES: &'static [{runtime}::HttpRule] = &["));
                        text.indented(|text| rules.iter().for_each(|rule| text.line(format!("{rule},"))));
                        text.line("];");
                    }
                    text.line("");
                    text.line("#[inline]");
                    text.line("fn call(");
                    let (argument, taken) = argument(runtime, method.kind, "Self::Request");
                    text.lines([
                        "    service: &Impl,".to_owned(),
                        format!("    cx: &{runtime}::Context,"),
                        format!("    {argument}: {taken},"),
                    ]);
                    prelude.answer(text, runtime, method.kind, "Self::Response", " {");
                    text.indented(|text| {
                        text.line(format!("super::{name}::{}(service, cx, {argument})", method.function));
                    });
                    text.line("}");
                },
            );
        }
    });
}

/// The HTTP rules of a method, as expressions.
fn rules(runtime: &str, method: &Method) -> Vec<String> {
    let expression = |rule: &HttpRule| {
        let mut text = format!("{runtime}::HttpRule::new({:?}, {:?})", rule.verb, rule.path);
        if !rule.body.is_empty() {
            text.push_str(&format!(".body({:?})", rule.body));
        }
        if !rule.response_body.is_empty() {
            text.push_str(&format!(".response_body({:?})", rule.response_body));
        }
        text
    };
    method.rules.iter().map(expression).collect()
}

/// The trait of the runtime for a method of this kind.
fn kind_trait(kind: Kind) -> &'static str {
    match kind {
        Kind::Unary => "Unary",
        Kind::ClientStreaming => "ClientStreaming",
        Kind::ServerStreaming => "ServerStreaming",
        Kind::BidiStreaming => "BidiStreaming",
    }
}

/// A path as seen from a module inside the package.
fn from_below(path: &str) -> String {
    let absolute = ["::", "crate::", "()"].iter().any(|start| path.starts_with(start));
    if absolute { path.to_owned() } else { format!("super::{path}") }
}

fn client(text: &mut Text, runtime: &str, service: &Service, methods: &[Resolved<'_>]) {
    documented(text, &service.comment, &format!("Calls `{}` over a channel.", service.full_name));
    text.line("#[derive(Clone)]");
    text.block(format!("pub struct {}", service.client), |text| {
        text.line(format!("channel: {runtime}::Channel,"));
    });
    text.line("");
    text.block(format!("impl {}", service.client), |text| {
        text.doc("A client whose calls go through `channel`.");
        text.block(format!("pub fn new<P>(channel: {runtime}::AnyChannel<P>) -> Self"), |text| {
            text.line("Self { channel: channel.retyped() }")
        });
        connect(text, runtime, "grpc", methods.iter().map(|of| of.method.function.as_str()));
        for (index, each) in (0..).zip(methods) {
            let Resolved { method, input, output } = each;
            text.line("");
            documented(text, &method.comment, &to_call(method));
            text.line("#[inline]");
            let Stub { argument, returns, call, more } =
                stub(runtime, method.kind, input, &each.received(runtime, output));
            text.block(
                format!("pub fn {}(&self{argument}) -> {runtime}::{returns}", method.function),
                |text| {
                    let (service, name) = (&service.full_name, &method.name);
                    let number = method.number.unwrap_or(index);
                    let target = format!("{runtime}::Target::fixed(\"{service}\", \"{name}\").at({number})");
                    let target = if method.idempotent { target + ".idempotent()" } else { target };
                    if method.rules.is_empty() || method.kind.takes_stream() {
                        text.line(format!("{runtime}::generated::{call}(&self.channel, {target}{more})"));
                        return;
                    }
                    let of = format!("{runtime}::generated::HttpRules");
                    text.line(format!("static RULES: {of} = {of}::new(&["));
                    text.indented(|text| {
                        rules(runtime, method).iter().for_each(|rule| text.line(format!("{rule},")));
                    });
                    text.line("]);");
                    text.line(format!(
                        "{runtime}::generated::{call}_by_rule(&self.channel, {target}, request, &RULES)"
                    ));
                },
            );
        }
    });
}

/// Writes the function that makes a client and its channel, unless a method has its name. Code for our own
/// crates, which have no set of protocols, is made without.
pub(crate) fn connect<'m>(
    text: &mut Text,
    runtime: &str,
    scheme: &str,
    mut functions: impl Iterator<Item = &'m str>,
) {
    if runtime == "crate" || functions.any(|function| function == "connect") {
        return;
    }
    text.line("");
    text.doc(&format!(
        "A client of the server at an address whose scheme may name the protocol, such as `{scheme}://127.0.0.1:8000`,\n\
         over a channel with all defaults. Connects once to check that the server can be reached.\n\n\
         # Errors\nThe address is wrong, or the connection could not be made."
    ));
    text.line("pub async fn connect(");
    text.line("    address: impl ::std::convert::Into<::std::string::String>,");
    text.block(format!(") -> ::std::result::Result<Self, {runtime}::ChannelError>"), |text| {
        text.line(format!("{runtime}::Channel::connect(address).await.map(Self::new)"))
    });
}

/// A function of the generated client.
struct Stub {
    argument: String,
    returns: String,
    /// The function of the runtime that makes the call, and its last argument.
    call: &'static str,
    more: &'static str,
}

fn stub(runtime: &str, kind: Kind, input: &str, output: &str) -> Stub {
    let streaming = |shape: String| format!("StreamingCall<{runtime}::{shape}>");
    let returns = match kind {
        Kind::Unary => format!("Call<{output}>"),
        Kind::ServerStreaming => streaming(format!("Streaming<{output}>")),
        Kind::ClientStreaming => streaming(format!("Upload<{input}, {output}>")),
        Kind::BidiStreaming => streaming(format!("Duplex<{input}, {output}>")),
    };
    let call = match kind {
        Kind::Unary => "unary",
        Kind::ServerStreaming => "server_streaming",
        Kind::ClientStreaming | Kind::BidiStreaming => "streaming",
    };
    match kind.takes_stream() {
        true => Stub { argument: String::new(), returns, call, more: "" },
        false => Stub { argument: format!(", request: {input}"), returns, call, more: ", request" },
    }
}

/// The documentation of the call that a client's function returns.
fn to_call(method: &Method) -> String {
    let what = match method.kind {
        Kind::Unary => "",
        Kind::ServerStreaming => ": awaited, it is the stream of its answers",
        Kind::ClientStreaming => ": awaited, it takes messages; `finish` gets the reply",
        Kind::BidiStreaming => ": awaited, it is a stream each way",
    };
    format!("Method `{}`{what}.", method.name)
}

/// Writes the comment of the `.proto` file, then a line of the generator's own.
fn documented(text: &mut Text, comment: &str, ours: &str) {
    text.doc(comment);
    if !comment.is_empty() {
        text.line("///");
    }
    text.doc(ours);
}

//! A service: the trait that servers implement, a type per method, the client.

use super::text::Text;
use crate::{
    Config, Error,
    model::{Method, Service},
};
use std::collections::BTreeSet;

/// Finds the path of a message's type.
type Types<'t> = dyn Fn(&str) -> Result<&'t str, Error> + 't;

/// How generated code spells the prelude: short, unless the package has a type of that name.
pub(super) struct Prelude<'p> {
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
    /// What an asynchronous method returns.
    fn answer(&self, runtime: &str, output: &str) -> String {
        let (result, send) = (self.result(), self.send());
        format!(
            "impl ::std::future::Future<Output = {result}<{runtime}::Reply<{output}>, {runtime}::Status>> + {send}"
        )
    }
}

pub(super) fn emit(
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
    input: &'s str,
    output: &'s str,
}

fn server_trait(
    text: &mut Text,
    runtime: &str,
    service: &Service,
    prelude: &Prelude<'_>,
    methods: &[Resolved<'_>],
) {
    documented(text, &service.comment, &format!("Service `{}`.", service.full_name));
    if !service.streaming.is_empty() {
        let names: Vec<String> = service.streaming.iter().map(|n| format!("`{n}`")).collect();
        text.line("///");
        text.doc(&format!("Not here, since they stream: {}. Callers get UNIMPLEMENTED.", names.join(", ")));
    }
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
        for Resolved { method, input, output } in methods {
            documented(text, &method.comment, &format!("Method `{}`.", method.name));
            text.line(format!("fn {}(", method.function));
            text.lines([
                "    &self,".to_owned(),
                format!("    cx: &{runtime}::Context,"),
                format!("    request: {input},"),
                format!(") -> {};", prelude.answer(runtime, output)),
            ]);
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
                text.line(format!("    .unary::<{}::{}<Self>>(&service)", service.module, method.marker));
            }
        });
    });
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
        for (index, Resolved { method, input, output }) in methods.iter().enumerate() {
            if index > 0 {
                text.line("");
            }
            let (marker, name) = (&method.marker, &service.name);
            text.doc(&format!("`{}/{}`.", service.full_name, method.name));
            text.line(format!("pub struct {marker}<Impl>(::std::marker::PhantomData<fn() -> Impl>);"));
            text.line("");
            text.block(
                format!("impl<Impl: super::{name}> {runtime}::generated::Unary for {marker}<Impl>"),
                |text| {
                    text.line("type Service = Impl;");
                    text.line(format!("type Request = {};", from_below(input)));
                    text.line(format!("type Response = {};", from_below(output)));
                    text.line(format!("const NAME: &'static str = \"{}\";", method.name));
                    text.line("");
                    text.line("#[inline]");
                    text.line("fn call(");
                    text.lines([
                        "    service: &Impl,".to_owned(),
                        format!("    cx: &{runtime}::Context,"),
                        "    request: Self::Request,".to_owned(),
                    ]);
                    text.block(format!(") -> {}", prelude.answer(runtime, "Self::Response")), |text| {
                        text.line(format!("super::{name}::{}(service, cx, request)", method.function));
                    });
                },
            );
        }
    });
}

/// A path seen from a module of the package.
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
        text.block(format!("pub fn new(channel: {runtime}::Channel) -> Self"), |text| {
            text.line("Self { channel }")
        });
        for Resolved { method, input, output } in methods {
            text.line("");
            documented(text, &method.comment, &format!("Method `{}`.", method.name));
            text.line("#[inline]");
            let signature =
                format!("pub fn {}(&self, request: {input}) -> {runtime}::Call<{output}>", method.function);
            text.block(signature, |text| {
                let target =
                    format!("{runtime}::Target::fixed(\"{}\", \"{}\")", service.full_name, method.name);
                text.line(format!("{runtime}::generated::unary(&self.channel, {target}, request)"));
            });
        }
    });
}

/// The comment of the `.proto` file, then a line of ours.
fn documented(text: &mut Text, comment: &str, ours: &str) {
    text.doc(comment);
    if !comment.is_empty() {
        text.line("///");
    }
    text.doc(ours);
}

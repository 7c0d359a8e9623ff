//! `/list` and `/protobufs/NAME`: services and their messages, from the descriptors of generated code.
//!
//! Source: brpc's `/list` ("JSON form of the service descriptors") and `/protobufs` ("all messages and
//!         services; or one definition in .proto syntax").

use crate::{asked::Asked, facts::ServerFacts};
use polywire_base::Sort;
use polywire_call::{Status, brpc};
use polywire_console::{Column, Section, Table, View};
use polywire_formats::schema::{Kind, MessageSchema, MethodSchema, Pool};
use polywire_server::AboutService;
use std::{
    fmt::Write,
    sync::{Arc, OnceLock},
};

/// The schemas of a server's services, read when they are first asked for.
pub(crate) struct Schemas {
    services: Arc<[AboutService]>,
    pools: OnceLock<Vec<Arc<Pool>>>,
}

impl Schemas {
    pub fn new(services: Arc<[AboutService]>) -> Self {
        Schemas { services, pools: OnceLock::new() }
    }

    /// One for each file of descriptors, which several services may share.
    pub fn pools(&self) -> &[Arc<Pool>] {
        self.pools.get_or_init(|| {
            let mut sets: Vec<&'static [u8]> = self.services.iter().map(|one| one.descriptors).collect();
            sets.retain(|set| !set.is_empty());
            sets.order_by_key(|set| set.as_ptr());
            sets.dedup_by_key(|set| set.as_ptr());
            // What a schema of generated code lacks is not shown; calls do not depend on it.
            sets.into_iter().filter_map(|set| Pool::from_descriptor_set(set).ok().map(Arc::new)).collect()
        })
    }

    /// The methods of the services that the server has, in the order of their services.
    pub fn methods(&self) -> Vec<MethodSchema<'_>> {
        let of = |service: &AboutService| {
            let all = self.pools().iter().flat_map(|pool| pool.methods());
            let mut own: Vec<_> = all.filter(|method| method.service == service.name).collect();
            own.order_by_key(|method| method.index);
            own.dedup_by_key(|method| method.index);
            own
        };
        self.services.iter().flat_map(of).collect()
    }

    /// A method of the server, by `package.Service/Method`.
    pub fn method(&self, name: &str) -> Option<MethodSchema<'_>> {
        let (service, method) = name.split_once('/')?;
        self.methods().into_iter().find(|one| one.service == service && one.method == method)
    }

    fn message(&self, name: &str) -> Option<MessageSchema<'_>> {
        self.pools().iter().find_map(|pool| pool.message(name))
    }
}

/// `/list`.
pub(crate) fn list(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let columns = [
        Column::new("method").to("try/"),
        Column::new("request"),
        Column::new("reply"),
        Column::new("kind").hint("who sends a stream of messages"),
    ];
    let mut table = Table::new("methods", columns)
        .empty("No service has a schema: those of generated code have one, raw handlers do not.");
    let (mut text, mut last) = (String::new(), None);
    for method in facts.schemas.methods() {
        let (input, output) = (method.input.full_name(), method.output.full_name());
        let name = format!("{}/{}", method.service, method.method);
        let cells =
            [name.clone().into(), input.to_owned().into(), output.to_owned().into(), kind(&method).into()];
        table.push(name, Default::default(), cells);
        // Names of a schema are letters, digits, points and lines: JSON needs no escapes for them.
        match last == Some(method.service) {
            true => text.push(','),
            false => {
                text.push_str(if last.is_some() { "]}\n" } else { "" });
                let _ = write!(text, "{{\"name\":\"{}\",\"method\":[", method.service); // writing to a string does not fail
            }
        }
        last = Some(method.service);
        let _ = write!(
            text,
            "{{\"name\":\"{}\",\"input_type\":\".{input}\",\"output_type\":\".{output}\"}}",
            method.method
        );
    }
    text.push_str(if last.is_some() { "]}\n" } else { "" });
    Ok(View::new("Services").table(table).plain(text))
}

/// Who sends a stream of messages.
pub(crate) fn kind(method: &MethodSchema<'_>) -> &'static str {
    match (method.client_streaming, method.server_streaming) {
        (false, false) => "one message each",
        (false, true) => "the server streams",
        (true, false) => "the client streams",
        (true, true) => "both stream",
    }
}

/// `/protobufs` and `/protobufs/NAME`.
pub(crate) fn protobufs(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    if asked.rest.is_empty() {
        return Ok(all(facts));
    }
    if let Some(message) = facts.schemas.message(&asked.rest) {
        return Ok(of_message(message));
    }
    let pools = facts.schemas.pools();
    if let Some(text) = pools.iter().find_map(|pool| pool.enum_definition(&asked.rest)) {
        return Ok(View::new("Enum").section(Section::Lines("definition".into(), text.clone())).plain(text));
    }
    let methods = facts.schemas.methods();
    let own: Vec<_> = methods.iter().filter(|method| method.service == asked.rest).collect();
    if own.is_empty() {
        let text = "no message, enum or service has this full name: /protobufs lists all";
        return Err(brpc::status(brpc::ENOMETHOD, text));
    }
    let mut text = format!("service {} {{\n", asked.rest);
    for method in own {
        let stream = |yes: bool| if yes { "stream " } else { "" };
        // writing to a string does not fail
        let _ = writeln!(
            text,
            "  rpc {}({}{}) returns ({}{});",
            method.method,
            stream(method.client_streaming),
            method.input.full_name(),
            stream(method.server_streaming),
            method.output.full_name()
        );
    }
    text.push_str("}\n");
    Ok(View::new("Service").section(Section::Lines("definition".into(), text.clone())).plain(text))
}

fn all(facts: &ServerFacts) -> View {
    let columns = [Column::new("name").to("protobufs/"), Column::new("kind"), Column::new("fields")];
    let mut table = Table::new("protobufs", columns)
        .empty("No service has a schema: those of generated code have one, raw handlers do not.");
    let mut names: Vec<(String, &'static str, Option<usize>)> = Vec::new();
    for method in facts.schemas.methods() {
        if names.last().is_none_or(|(name, ..)| name != method.service) {
            names.push((method.service.to_owned(), "service", None));
        }
    }
    for message in facts.schemas.pools().iter().flat_map(|pool| pool.messages()) {
        names.push((message.full_name().to_owned(), "message", Some(message.declared_fields().len())));
    }
    for name in facts.schemas.pools().iter().flat_map(|pool| pool.enums()) {
        names.push((name.to_owned(), "enum", None));
    }
    names.order();
    names.dedup();
    let mut text = String::new();
    for (name, kind, fields) in names {
        text.push_str(&name);
        text.push('\n');
        let fields = polywire_console::Value::or_unknown(fields, Into::into);
        table.push(name.clone(), Default::default(), [name.into(), kind.into(), fields]);
    }
    View::new("Protobufs").table(table).plain(text)
}

fn of_message(message: MessageSchema<'_>) -> View {
    let text = message.definition();
    let columns = [Column::new("type").to("protobufs/"), Column::new("kind")];
    let mut table = Table::new("types", columns).empty("Its fields have no types of their own.");
    let mut known = Vec::new();
    for field in message.declared_fields() {
        let (name, kind) = match (message.map_entry(field), message.child(field)) {
            (Some((_, value)), Some(entry)) => (entry.type_name(value), value.kind),
            _ => (message.type_name(field), field.kind),
        };
        let kind = match kind {
            Kind::Enum(_) => "enum",
            Kind::Message(_) | Kind::Group(_) => "message",
            _ => continue,
        };
        if !known.contains(&name) {
            known.push(name.clone());
            table.push(name.clone(), Default::default(), [name.into(), kind.into()]);
        }
    }
    let view =
        View::new(message.full_name().to_owned()).section(Section::Lines("definition".into(), text.clone()));
    let view = if known.is_empty() { view } else { view.table(table) };
    view.plain(text)
}

//! `/openapi.json`: what the server answers over HTTP, as a document of OpenAPI 3.1.
//!
//! ```text
//!  descriptors --> notes.rs --+
//!  schemas of messages -------+--> schemas.rs ----+
//!  mapping of JSON ---------------> dialect.rs ---+
//!  rules and paths of HTTP ------> template.rs ---+--> operation.rs --> paths.rs --> document.rs --> JSON
//! ```
//!
//! It is made when it is asked for and kept nowhere. The same server has the same bytes each time: paths are
//! in the order of services and their methods, components in that of their names.
//!
//! Source: spec.openapis.org/oas/v3.1.0; docs/openapi.md has what is described, and how.
//!
//! Not here: methods whose clients stream, which plain HTTP does not carry; paths with brpc's star.

mod dialect;
mod document;
mod notes;
mod object;
mod operation;
mod paths;
mod schemas;
mod template;

#[cfg(test)]
mod tests;

use crate::{asked::Asked, facts::ServerFacts};
use document::{Credentials, Served, ServedMethod, Way};
use notes::Notes;
use polywire_call::{Status, brpc};
use polywire_console::View;
use schemas::Oneofs;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let server = facts.server()?;
    let (methods, ways) = (server.methods(), server.http_ways());
    let notes = Notes::of(facts.schemas.pools());
    let served = facts.schemas.methods().into_iter().filter_map(|schema| {
        let is_it = |one: &&polywire_server::facts::SharedMethod| {
            one.service == schema.service && one.method.name() == schema.method
        };
        let at = methods.iter().position(|one| is_it(&one))?;
        let own = ways.iter().filter(|way| way.method == at);
        Some(ServedMethod {
            schema,
            ways: own.map(|way| Way { verbs: way.verbs.clone(), rule: way.rule }).collect(),
            by_name: methods[at].has_default_url(),
            open_to_all: methods[at].is_open_to_all(),
        })
    });
    let served = Served {
        title: facts.version.clone(),
        methods: served.collect(),
        notes: &notes,
        json: server.json(),
        credentials: Credentials {
            authenticator: facts.has_authenticator,
            guard: facts.guards_http,
            certificate: facts.needs_certificates,
        },
    };
    let service = asked.query.get("service");
    if let Some(name) = service
        && !served.methods.iter().any(|one| one.schema.service == name)
    {
        let text = "no service with a schema has this full name: /list has all";
        return Err(brpc::status(brpc::ENOMETHOD, text));
    }
    let oneofs = match asked.query.get("oneofs") {
        None => Oneofs::Said,
        Some("checked") => Oneofs::Checked,
        Some(_) => return Err(Status::invalid_argument("oneofs is checked, or not there")),
    };
    let mut view = View::new("OpenAPI");
    view.plain = Some(("application/json", document::document(&served, service, oneofs)));
    Ok(view)
}

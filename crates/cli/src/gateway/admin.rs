//! Where the operator looks: the pages, which show all listeners as one server.
//!
//! They answer there and nowhere else. Who is not on this machine needs the token or a certificate.

use super::{
    document::{Document, Place, Placed, Table},
    listener::{Tls, check_addresses},
};
use crate::failure::Failure;
use polywire::{Engine, Lifecycle, Pages, Running, Server, console};
use std::{fs, path::PathBuf};

/// Bytes of a token and what is around it in its file.
const LONGEST_TOKEN: usize = 4096;

#[derive(Clone)]
pub struct Admin {
    pub place: Place,
    pub settings: Settings,
}

#[derive(Clone, PartialEq, Default)]
pub struct Settings {
    pub listen: Vec<String>,
    /// The file with the token.
    token: Option<PathBuf>,
    tls: Option<Tls>,
}

impl Admin {
    /// Pages at these addresses of this machine.
    pub fn plain(listen: Vec<String>) -> Admin {
        Admin { place: Place::default(), settings: Settings { listen, ..Settings::default() } }
    }

    /// Reads `[admin]`. `taken`: the addresses of all listeners, and where they are.
    pub fn read(table: &Table<'_>, document: &Document<'_>, taken: &mut Vec<Placed<String>>) -> Admin {
        let listen = table.texts("listen").unwrap_or_default();
        let token = table.text("token");
        let tls = table.table("tls").and_then(|tls| Tls::read(&tls));
        table.finish();
        if listen.is_empty() && table.is_well() {
            table.missing("listen", "an address such as \"127.0.0.1:9900\", or a list of them");
        }
        let is_guarded = token.is_some() || tls.as_ref().is_some_and(Tls::knows_callers);
        let advice = "`token` or `tls.client_ca` says who reads the pages";
        check_addresses(&listen, taken, (!is_guarded).then_some(advice), (table, document));
        let token = token.map(|token| {
            let path = PathBuf::from(token.value);
            if let Err(wrong) = read_token(&path) {
                table.wrong(token.at, "token", wrong);
            }
            path
        });
        if let Some(Err(wrong)) = tls.as_ref().map(|tls| tls.options().check()) {
            table.wrong(table.at_key("tls"), "tls", crate::failure::of_options(wrong.to_string()));
        }
        let listen = listen.into_iter().map(|text| text.value).collect();
        Admin { place: document.place(table.at()), settings: Settings { listen, token, tls } }
    }

    /// Begins to answer with these pages.
    ///
    /// # Errors
    /// The addresses cannot be listened on, or the token cannot be used.
    pub fn start(&self, engine: &Engine, mut pages: Pages, lifecycle: Lifecycle) -> Result<Running, Failure> {
        let Settings { listen, token, tls } = &self.settings;
        if let Some(token) = token {
            pages = pages.token(read_token(token).map_err(|wrong| Failure::Usage(self.wrong(wrong)))?);
        }
        if tls.as_ref().is_some_and(Tls::knows_callers) {
            // Without a certificate there is no connection.
            pages = pages.auth(|_| console::Access::Act);
        }
        let server = Server::new().engine(engine).lifecycle(lifecycle).protocols(["http", "h2"]).pages(pages);
        let mut server = listen.iter().fold(server, Server::listen);
        if let Some(tls) = tls {
            server = server.tls(tls.options());
        }
        server.start().map_err(|wrong| match Failure::from(wrong) {
            Failure::Usage(text) => Failure::Usage(self.wrong(text)),
            other => Failure::Failed(self.wrong(other)),
        })
    }

    /// The address of the first page, for readers.
    pub fn url(&self, running: &Running) -> String {
        let scheme = if self.settings.tls.is_some() { "https" } else { "http" };
        match running.addresses() {
            [address, ..] => format!("{scheme}://{address}/gateway"),
            [] => String::new(),
        }
    }

    /// A failure of these pages, with its place; without a file there is none.
    pub fn wrong(&self, failure: impl std::fmt::Display) -> String {
        match self.place.file.is_empty() {
            true => failure.to_string(),
            false => format!("{}: admin: {failure}", self.place),
        }
    }
}

/// # Errors
/// The file cannot be read, or its text is too long or too short for a token.
fn read_token(path: &PathBuf) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|wrong| format!("{}: {wrong}", path.display()))?;
    let token = text.trim();
    if text.len() > LONGEST_TOKEN || token.len() < 16 {
        return Err(format!(
            "{}: a token has at least 16 characters, and is alone in its file",
            path.display()
        ));
    }
    Ok(token.to_owned())
}

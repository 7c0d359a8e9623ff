//! A note that some may read and some may write, and the authenticator that identifies callers.

#![forbid(unsafe_code)]

use notes::{Empty, Note, Notes};
use polywire::{Caller, Context, Identity, Reply, Server, Status};
use std::sync::Mutex;

polywire::include!("notes"); // mod notes { Note, Empty, Notes, NotesClient }

/// The owner of a token: a name and the roles of that user. A real program asks a database or verifies a
/// signature here; it may await meanwhile.
async fn user_of(token: &str) -> Result<Identity, Status> {
    let (name, roles): (_, &[&str]) = match token {
        "reader-token" => ("ada", &["reader"]),
        "writer-token" => ("grace", &["reader", "writer"]),
        _ => return Err(Status::unauthenticated("no such token")),
    };
    let roles = roles.iter().map(|role| Box::from(*role)).collect();
    Ok(Identity { roles, ..Identity::named(name) })
}

/// HTTP and gRPC show a bearer token with each request, baidu_std a credential with the first one of a
/// connection.
async fn identify(caller: Caller) -> Result<Identity, Status> {
    match caller.bearer().or(caller.credential_str()) {
        Some(token) => user_of(token).await,
        None => Err(Status::unauthenticated("a token is needed")),
    }
}

#[derive(Default)]
struct Board {
    note: Mutex<String>,
}

/// Lets a handler continue if the caller has this role, over every protocol: the authenticator identifies the
/// caller, and this decides what the caller may do.
fn needs_role(cx: &Context, role: &str) -> Result<(), Status> {
    let roles = cx.identity().map(|identity| identity.roles.clone()).unwrap_or_default();
    match roles.iter().any(|has| **has == *role) {
        true => Ok(()),
        false => Err(Status::permission_denied(format!("needs the role {role}"))),
    }
}

impl Notes for Board {
    async fn read(&self, cx: &Context, _: Empty) -> Result<Reply<Note>, Status> {
        needs_role(cx, "reader")?;
        Ok(Note { text: self.note.lock().expect("nobody panics under it").clone() }.into())
    }

    async fn write(&self, cx: &Context, note: Note) -> Result<Reply<Empty>, Status> {
        needs_role(cx, "writer")?;
        let name = cx.identity().map(|identity| identity.name.clone()).unwrap_or_default();
        *self.note.lock().expect("nobody panics under it") = format!("{} ({name})", note.text);
        Ok(Empty {}.into())
    }

    async fn version(&self, _: &Context, _: Empty) -> Result<Reply<Note>, Status> {
        Ok(Note { text: "1.0".into() }.into())
    }
}

/// The server, without an address yet.
pub fn server() -> Server {
    let service = Board::default().into_service().method("Version", |version| version.open_to_all());
    Server::new().service(service).authenticate(identify)
}

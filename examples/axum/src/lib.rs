//! One service and one router, which can be combined in two ways.

#![forbid(unsafe_code)]

use axum::{Router, response::Html, routing};
use notes::{Count, Note, Notes};
use polywire::{Context, Reply, Status};
use std::sync::{Arc, Mutex};

polywire::include!("notes"); // mod notes { Note, Count, Notes, NotesClient }

/// The notes, shared by the service and the page.
#[derive(Clone, Default)]
pub struct Board {
    notes: Arc<Mutex<Vec<String>>>,
}

impl Notes for Board {
    async fn add(&self, _: &Context, note: Note) -> Result<Reply<Count>, Status> {
        if note.text.is_empty() {
            return Err(Status::invalid_argument("an empty note"));
        }
        let mut notes = self.notes.lock().expect("nobody panics with it");
        notes.push(note.text);
        Ok(Count { notes: notes.len() as u32 }.into())
    }
}

impl Board {
    /// A page with all notes, as an axum router.
    pub fn page(&self) -> Router {
        let notes = self.notes.clone();
        let page = move || async move {
            let notes = notes.lock().expect("nobody panics with it").join("\n");
            Html(notes.replace('&', "&amp;").replace('<', "&lt;"))
        };
        Router::new().route("/", routing::get(page))
    }
}

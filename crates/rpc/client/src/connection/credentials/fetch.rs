//! One fetch of a token.

use super::Token;
use polywire_base::caught_future;
use std::{fmt::Display, future::Future, pin::Pin, time::Duration};

/// Bytes of a source's error that are kept.
const MOST_TEXT: usize = 200;

type Fetching = Pin<Box<dyn Future<Output = Result<Token, String>> + Send>>;

/// The function that fetches a token.
pub(crate) struct Fetch(Box<dyn Fn() -> Fetching + Send + Sync>);

impl Fetch {
    pub fn new<F, T, E>(fetch: F) -> Self
    where
        F: Fn() -> T + Send + Sync + 'static,
        T: Future<Output = Result<Token, E>> + Send + 'static,
        E: Display,
    {
        Fetch(Box::new(move || {
            let fetching = fetch();
            Box::pin(async move { fetching.await.map_err(|error| cut(&error.to_string())) })
        }))
    }

    /// Fetches a token that may be sent.
    ///
    /// # Errors
    /// The error of the fetch.
    pub async fn run(&self, limit: Duration) -> Result<Token, String> {
        let fetched = tokio::time::timeout(limit, caught_future(|| (self.0)())).await;
        let fetched = fetched.map_err(|_| format!("no answer within {limit:?}"))?;
        let token = fetched.map_err(panicked)??;
        token.check().map(|()| token).map_err(str::to_owned)
    }
}

/// Without the panic's text, which may be a `Debug` of secrets.
fn panicked(_: String) -> String {
    "it panicked".to_owned()
}

/// Shortens a text to one line of limited length.
fn cut(text: &str) -> String {
    text.chars().take(MOST_TEXT).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

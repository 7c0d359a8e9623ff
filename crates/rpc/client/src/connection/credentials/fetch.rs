//! One fetch of a token.

use super::Token;
use std::{
    fmt::Display,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

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
        let Ok(fetching) = catch_unwind(AssertUnwindSafe(|| (self.0)())) else { return Err(panicked()) };
        let fetched = tokio::time::timeout(limit, Guarded(fetching)).await;
        let token = fetched.unwrap_or_else(|_| Err(format!("no answer within {limit:?}")))?;
        token.check().map(|()| token).map_err(str::to_owned)
    }
}

fn panicked() -> String {
    "it panicked".to_owned()
}

/// Shortens a text to one line of limited length.
fn cut(text: &str) -> String {
    text.chars().take(MOST_TEXT).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A panic of the future is its error.
struct Guarded(Fetching);

impl Future for Guarded {
    type Output = Result<Token, String>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx)))
            .unwrap_or_else(|_| Poll::Ready(Err(panicked())))
    }
}

//! Sources made from functions.

use crate::{Server, Source, SourceError, Updates, Watching};
use std::{future::Future, time::Duration};

/// A source made from a function that reports whole sets as they change.
///
/// The function is called like [`Source::watch`]: it may return `Ok` once the set will never change, and is
/// called again, after a pause, when it fails. `name` is the name of the source in messages.
///
/// ```
/// use polywire_naming::{Server, SourceError, source_fn};
/// # type Registry = tokio::sync::mpsc::Receiver<Vec<String>>;
/// # async fn connect() -> Result<Registry, SourceError> { unimplemented!() }
///
/// let source = source_fn("registry://echo", |updates| async move {
///     let mut registry = connect().await?;
///     while let Some(addresses) = registry.recv().await {
///         updates.set(addresses.into_iter().map(Server::new).collect());
///     }
///     Err(SourceError::new("the registry closed the connection"))
/// });
/// ```
pub fn source_fn<F, R>(name: impl Into<String>, watch: F) -> impl Source
where
    F: Fn(Updates) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), SourceError>> + Send + 'static,
{
    Function { name: name.into(), watch }
}

/// A source made from a function that returns the whole set. It is called at each `interval`, up to 20 %
/// earlier or later at random, and when none of the servers can be reached.
///
/// ```
/// use polywire_naming::{Server, source_every};
/// use std::time::Duration;
/// # use polywire_naming::SourceError;
/// # async fn query() -> Result<Vec<(String, u32)>, SourceError> { unimplemented!() }
///
/// let source = source_every("table://servers", Duration::from_secs(5), || async {
///     let rows = query().await?;
///     Ok(rows.into_iter().map(|(address, weight)| Server::new(address).weight(weight)).collect())
/// });
/// ```
pub fn source_every<F, R>(name: impl Into<String>, interval: Duration, servers: F) -> impl Source
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = Result<Vec<Server>, SourceError>> + Send + 'static,
{
    Periodic { name: name.into(), interval, servers }
}

struct Function<F> {
    name: String,
    watch: F,
}

impl<F, R> Source for Function<F>
where
    F: Fn(Updates) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), SourceError>> + Send + 'static,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin((self.watch)(updates.clone()))
    }
}

struct Periodic<F> {
    name: String,
    interval: Duration,
    servers: F,
}

impl<F, R> Source for Periodic<F>
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = Result<Vec<Server>, SourceError>> + Send + 'static,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                updates.set((self.servers)().await?);
                updates.wanted_or(self.interval).await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch;
    use std::sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    };
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn a_function_is_asked_in_intervals_and_when_servers_are_wanted() {
        let asked = Arc::new(AtomicU16::new(0));
        let counts = asked.clone();
        let source = source_every("test://", Duration::from_secs(60), move || {
            let port = counts.fetch_add(1, Ordering::Relaxed) + 1;
            async move { Ok(vec![Server::new(format!("a:{port}"))]) }
        });
        let (mut watched, work) = watch(Box::new(source));
        tokio::spawn(work);
        watched.changed().await;
        let begun = Instant::now();
        watched.changed().await;
        let interval = begun.elapsed().as_secs_f64();
        assert!((48.0..=72.1).contains(&interval), "{interval}");
        tokio::time::sleep(Duration::from_secs(5)).await;
        let begun = Instant::now();
        watched.want();
        watched.changed().await;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!(&watched.set().unwrap()[0].address, "a:3");
    }
}

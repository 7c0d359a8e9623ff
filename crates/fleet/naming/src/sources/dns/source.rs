//! The source of `dns://`.

use super::{
    hickory,
    look::{Last, look},
    records::{Failure, Resolver},
    target::{Records, Target},
};
use crate::{Source, SourceError, Updates, Watching};
use polywire_call::ConfigError;
use std::{net::SocketAddr, sync::Arc, time::Duration};

/// Names are looked up again when the time-to-live of their records is over, not before, since DNS servers
/// answer from their cache until then. This is the minimum interval, brpc's; some names have a time-to-live
/// of 0.
pub(super) const SHORTEST: Duration = Duration::from_secs(5);
/// The greatest interval: some names have a time to live of hours, and a change should be seen sooner.
pub(super) const LONGEST: Duration = Duration::from_secs(300);

/// Makes a resolver for DNS servers, again for each watch: the system's settings may have changed.
pub(super) type Open = fn(&[SocketAddr]) -> Result<Arc<dyn Resolver>, Failure>;

pub(super) struct Dns<O = Open> {
    pub text: String,
    pub target: Target,
    pub resolver: O,
}

pub(super) fn open(rest: &str) -> Result<Box<dyn Source>, ConfigError> {
    let url = || format!("dns://{rest}");
    let wrong = |why: String| ConfigError::new("address", format!("{:?} {why}", url())).with_value(url());
    let target = Target::parse(rest).map_err(wrong)?;
    Ok(Box::new(Dns { text: rest.to_owned(), target, resolver: hickory::resolver as Open }))
}

impl<O> Source for Dns<O>
where
    O: Fn(&[SocketAddr]) -> Result<Arc<dyn Resolver>, Failure> + Send + Sync + 'static,
{
    fn name(&self) -> String {
        format!("dns://{}", self.text)
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            let resolver =
                (self.resolver)(&self.target.servers).map_err(|why| SourceError::new(why.to_string()))?;
            let mut last = Last::new();
            loop {
                let found = look(&resolver, &self.target, &mut last, updates).await?;
                updates.set(found.records);
                if matches!(self.target.records, Records::Literal(_)) {
                    return Ok(());
                }
                // 20 % more or less of this: never before the time is over, half of it late at most.
                updates.wanted_or(found.ttl.clamp(SHORTEST, LONGEST).mul_f64(1.25)).await;
            }
        })
    }
}

#[cfg(test)]
mod tests;

//! Makes a channel from a combination.

use crate::{
    call::retry::INHERITED,
    channel::{Channel, ChannelError},
    connection::spec::ConnectSpec,
    core::{Combination, Core, Defaults, SharedCore},
    pool::new_id,
    servers::Servers,
};
use polywire_call::ConfigError;
use polywire_engine::clock;
use polywire_wire::{Content, Longest};
use std::{sync::Arc, time::Duration};

/// The default time limit of calls on combinations.
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);

/// A channel whose calls are made by a combination of other channels. `kind`: its kind in errors. `timeout`:
/// the time limit of its calls.
///
/// # Errors
/// There is no channel, or their requests are not encoded alike.
pub(super) fn channel<P>(
    kind: &str,
    channels: &[SharedCore],
    timeout: Option<Duration>,
    retries: u32,
    combination: Arc<dyn Combination>,
) -> Result<Channel<P>, ChannelError> {
    let Some(first) = channels.first() else {
        return Err(ConfigError::new("channel", format!("{kind} of no channels: add at least one")).into());
    };
    if timeout == Some(Duration::ZERO) {
        let text = "timeout is zero: None lets calls take as long as they do";
        return Err(ConfigError::new("timeout", text).with_value("0").into());
    }
    check_alike(kind, first, channels)?;
    let like = Like {
        name: format!("{kind} of {} channels", channels.len()),
        spec: first.servers.spec(),
        content: first.content,
        longest: channels
            .iter()
            .map(|channel| channel.longest)
            .max_by_key(|one| one.message)
            .unwrap_or(first.longest),
        http_rules: channels.iter().all(|channel| channel.uses_rules()),
    };
    Ok(like.channel(timeout, retries, combination))
}

/// The settings that calls on a combination share with the calls of its channels.
pub(super) struct Like<'a> {
    pub name: String,
    pub spec: &'a ConnectSpec,
    pub content: Content,
    pub longest: Longest,
    pub http_rules: bool,
}

impl Like<'_> {
    pub fn channel<P>(
        self,
        timeout: Option<Duration>,
        retries: u32,
        combination: Arc<dyn Combination>,
    ) -> Channel<P> {
        let defaults = Defaults {
            timeout,
            retries,
            retries_after_loss: false, // each combination that makes tries says it
            wait_for_ready: false,
            http_rules: self.http_rules,
            replay_bytes: 0,
        };
        Channel::new(Core {
            id: new_id(),
            since: clock::now(),
            kind: polywire_wire::Connections::Single,
            servers: Servers::Combined(Arc::new(self.spec.of_combination(self.name))),
            combination: Some(combination),
            content: self.content,
            defaults,
            longest: self.longest,
            service_config: None,
            hedging: None,
            retry_policy: None,
            retry_budget: None,
            further: Default::default(),
            interceptors: Arc::new([]),
            try_interceptors: Arc::new([]),
            watches_tries: false,
            tracing: None,
        })
    }
}

/// # Errors
/// The channels differ in the encoding of requests: a request is encoded once, for all channels.
pub(super) fn check_alike(kind: &str, first: &Core, channels: &[SharedCore]) -> Result<(), ConfigError> {
    let Some(other) = channels.iter().find(|channel| channel.content != first.content) else { return Ok(()) };
    let name = |core: &Core| format!("{} ({})", core.servers.spec().address, core.protocol().name);
    let text = format!(
        "{kind}: requests are {:?} on {}, and {:?} on {}: give both the same Builder::content(..)",
        first.content,
        name(first),
        other.content,
        name(other)
    );
    Err(ConfigError::new("content", text))
}

/// Like [`channel`], for calls without retries of their own.
pub(super) fn channel_without_retries<P>(
    kind: &str,
    channels: &[SharedCore],
    timeout: Option<Duration>,
    combination: Arc<dyn Combination>,
) -> Result<Channel<P>, ChannelError> {
    channel(kind, channels, timeout, INHERITED, combination)
}

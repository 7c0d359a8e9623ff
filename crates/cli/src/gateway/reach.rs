//! Whether the messages of a route's callers have a form at its clusters.

use super::{
    cluster::{Cluster, Messages},
    listener::{Listener, sent},
};
use polywire_wire::Content;

/// Clusters of a route that need schemas for the callers of these listeners and have none, each with a
/// protocol of such callers.
pub fn untranslated<'c>(
    listeners: &[&'c Listener],
    to: impl Iterator<Item = &'c Cluster>,
) -> Vec<(&'c Cluster, &'c str)> {
    let spoken = || listeners.iter().flat_map(|listener| &listener.settings.protocols);
    let lacking = to.filter(|cluster| cluster.source.is_none()).filter_map(|cluster| {
        let protocol = spoken().find(|name| {
            sent(name).is_some_and(|(_, sent)| cluster.messages(sent, ("", "")) == Messages::Refused)
        })?;
        Some((cluster, &**protocol))
    });
    lacking.collect()
}

/// Clusters of a route to which no protocol of these listeners leads.
pub fn unreached<'c>(
    listeners: &[&Listener],
    to: impl Iterator<Item = &'c Cluster>,
) -> impl Iterator<Item = &'c Cluster> {
    let spoken = listeners.iter().flat_map(|listener| &listener.settings.protocols);
    let forms: Vec<_> = spoken.filter_map(|name| sent(name).map(|(_, sent)| sent)).collect();
    to.filter(move |cluster| {
        let is_foreign = |form: &Content| cluster.messages(*form, ("", "")) == Messages::Foreign;
        !forms.is_empty() && forms.iter().all(is_foreign)
    })
}

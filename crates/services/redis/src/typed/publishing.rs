//! Publishing; [`Subscriber`](crate::Subscriber) receives.

use crate::execute::builtin;

builtin! {
    /// Publishes a message; returns how many subscribers of this server it was given to.
    fn publish(channel: one, message: one) -> i64 = "PUBLISH";
    /// Publishes a message to the shard of a cluster that its channel belongs to.
    fn spublish(channel: key, message: one) -> i64 = "SPUBLISH";
}

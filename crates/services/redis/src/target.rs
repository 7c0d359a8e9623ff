//! The target that commands have in calls.

use polywire_client::Target;

/// The target of all calls: the body contains everything else.
pub(crate) const TARGET: Target = Target::fixed("", "");

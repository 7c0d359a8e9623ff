//! The options of a channel, in groups.
//!
//! | file | what it is |
//! | --- | --- |
//! | `pooling` | connections: how many there are, how calls share them, when they close |
//! | `resilience` | what happens when servers or calls fail: balancing, retries, hedging, ejection |
//! | `fleet` | which of several servers are used, and what differs from server to server |
//! | `several` | the checked options of a channel with several servers |

mod fleet;
mod pooling;
mod resilience;
mod several;

pub use fleet::Fleet;
pub use pooling::Pooling;
pub use resilience::{Balancer, Resilience};
pub(crate) use several::Place;

use polywire_call::ConfigError;

/// The error for an option that must not be zero. `options`: for each, whether it is zero, and the text of
/// the error.
pub(crate) fn no_zeros(options: &[(bool, &'static str)]) -> Result<(), ConfigError> {
    let Some(&(_, text)) = options.iter().find(|(zero, _)| *zero) else { return Ok(()) };
    let option = text.split([' ', ':']).next().unwrap_or(text);
    Err(ConfigError::new(option, text).with_value("0"))
}

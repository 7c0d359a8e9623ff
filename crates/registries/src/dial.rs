//! How the channels to a registry are made.

use polywire_call::ConfigError;
use polywire_client::{Builder, Channel, ChannelError};
use polywire_protocols::Builtin;
use std::{fmt, sync::Arc};

/// Makes channels to the addresses of a registry. The default connects to them, through TLS if they begin with `https://`.
#[derive(Clone)]
pub struct Dial(Arc<dyn Fn(&str) -> Builder<Builtin> + Send + Sync>);

impl Dial {
    /// Channels with options of your own, such as certificates.
    pub fn new(builder: impl Fn(&str) -> Builder<Builtin> + Send + Sync + 'static) -> Self {
        Dial(Arc::new(builder))
    }

    /// A channel to each address. Nothing is connected yet.
    pub(crate) fn channels(
        &self,
        addresses: &[String],
        options: impl Fn(Builder<Builtin>) -> Builder<Builtin>,
    ) -> Result<Vec<Channel<Builtin>>, ConfigError> {
        let make = |address: &String| {
            options((self.0)(address)).build().map_err(|error| match error {
                ChannelError::Config(wrong) => wrong,
                other => ConfigError::new("address", other.to_string()).with_value(address),
            })
        };
        addresses.iter().map(make).collect()
    }
}

impl Default for Dial {
    fn default() -> Self {
        Dial::new(|address| Channel::builder(address))
    }
}

impl fmt::Debug for Dial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dial")
    }
}

//! How the channels to a registry are made.

use polywire_call::ConfigError;
use polywire_client::{Builder, Channel, ChannelError, NoProtocols};
use std::{fmt, sync::Arc};

/// Makes channels to the addresses of a registry. The default connects to them, through TLS if they begin with `https://`.
#[derive(Clone)]
pub struct Dial(Arc<dyn Fn(Builder) -> Builder + Send + Sync>);

impl Dial {
    /// Channels with options of your own, such as certificates: `options` is given the builder of a channel to an address of the
    /// registry.
    pub fn new(options: impl Fn(Builder) -> Builder + Send + Sync + 'static) -> Self {
        Dial(Arc::new(options))
    }

    /// A channel to each address. Nothing is connected yet.
    pub(crate) fn channels(
        &self,
        addresses: &[String],
        options: impl Fn(Builder) -> Builder,
    ) -> Result<Vec<Channel>, ConfigError> {
        let builder = |address: &String| {
            Channel::<NoProtocols>::builder(address).registry(polywire_protocols::builtin())
        };
        let make = |address: &String| {
            options((self.0)(builder(address))).build().map_err(|error| match error {
                ChannelError::Config(wrong) => wrong,
                other => ConfigError::new("address", other.to_string()).with_value(address),
            })
        };
        addresses.iter().map(make).collect()
    }
}

impl Default for Dial {
    fn default() -> Self {
        Dial::new(|builder| builder)
    }
}

impl fmt::Debug for Dial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dial")
    }
}

//! Makes the channels to a registry.

#[cfg(feature = "zookeeper")]
use crate::bounds::CONNECT_TIMEOUT;
use polywire_call::ConfigError;
#[cfg(feature = "zookeeper")]
use polywire_client::ByteStreams;
use polywire_client::{Builder, Channel, NoProtocols};
use std::{fmt, sync::Arc};

/// Makes channels to the addresses of a registry. The default connects to them, with TLS if they begin with
/// `https://`.
#[derive(Clone)]
pub struct Dial(Arc<dyn Fn(Builder) -> Builder + Send + Sync>);

impl Dial {
    /// Channels with options of your own, such as certificates: `options` is given the builder of a channel
    /// to an address of the registry.
    pub fn new(options: impl Fn(Builder) -> Builder + Send + Sync + 'static) -> Self {
        Dial(Arc::new(options))
    }

    /// A channel to each address, not connected yet.
    pub(crate) fn channels(
        &self,
        addresses: &[String],
        options: impl Fn(Builder) -> Builder,
    ) -> Result<Vec<Channel>, ConfigError> {
        let make = |address| options(self.builder(address)).build().map_err(ConfigError::from);
        addresses.iter().map(make).collect()
    }

    /// Byte streams to each address, for a registry whose protocol has no calls.
    #[cfg(feature = "zookeeper")]
    pub(crate) fn byte_streams(&self, addresses: &[String]) -> Result<Vec<ByteStreams>, ConfigError> {
        let make = |address| {
            let builder = self.builder(address).connect_timeout(CONNECT_TIMEOUT);
            builder.byte_streams().map_err(ConfigError::from)
        };
        addresses.iter().map(make).collect()
    }

    fn builder(&self, address: &String) -> Builder {
        (self.0)(Channel::<NoProtocols>::builder(address).protocol_set(polywire_protocols::builtin()))
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

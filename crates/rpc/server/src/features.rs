//! Options whose feature is off. The compiler then names the feature, rather than reporting an unknown
//! method.

#[allow(unused_imports, reason = "with all features there is none")]
use crate::Server;

/// A trait that no type implements.
#[cfg(not(feature = "tower"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Server::fallback` needs the feature `tower` of `polywire`",
    label = "enable the feature `tower` in Cargo.toml"
)]
pub trait NeedsTower {}

#[cfg(not(feature = "tower"))]
impl<P> Server<P> {
    /// Needs the feature `tower`.
    #[doc(hidden)]
    pub fn fallback(self, _: impl NeedsTower) -> Self {
        self
    }
}

/// A trait that no type implements.
#[cfg(not(feature = "__tls"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Server::tls` needs the feature `tls` or `tls-aws-lc` of `polywire`",
    label = "enable one of these features in Cargo.toml"
)]
pub trait NeedsTls {}

#[cfg(not(feature = "__tls"))]
impl<P> Server<P> {
    /// Needs the feature `tls`.
    #[doc(hidden)]
    pub fn tls(self, _: impl NeedsTls) -> Self {
        self
    }
}

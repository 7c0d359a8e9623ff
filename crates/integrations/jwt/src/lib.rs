//! Who calls a server, by bearer tokens: JSON Web Tokens and lists of hashed tokens, as its authenticator.
//!
//! ```text
//!  caller's token ─► Jwt ── hash known, not expired, same keys ──────────────► identity
//!                     │└─── token.rs: parts ─► issuer.rs: which one, its rules ─► identity, kept until `exp`
//!                     │                           └─ Keys ─► KeySet: signature
//!                     │                                └─ a key is not known: fetched once, at most each minute
//!                     `──── Tokens: the hash is in a list
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `jwt.rs` | [`Jwt`], the authenticator |
//! | `issuer.rs` | [`Issuer`]: whose tokens are taken, by which rules |
//! | `token.rs` | the parts of a token, unverified |
//! | `claims.rs` | [`Claims`], for handlers |
//! | `verdicts.rs` | tokens that were verified already |
//! | `algorithm.rs`, `key.rs`, `key_set.rs` | signatures, and the keys of a JWKS |
//! | `keys.rs`, `fetch.rs`, `reload.rs` | where keys come from, and how they are read again |
//! | `shown.rs` | what a caller shows: `Bearer`, `Basic`, a bare token |
//! | `tokens.rs` | [`Tokens`]: a list of hashed tokens |
//! | `refusal.rs` | why a token is refused |
//!
//! Source:     RFC 7515, 7517, 7518, 7519, 8037, 8725; docs/authentication.md.
//! Invariants: a token without a verified signature by a key of its issuer gives no identity; `none` and HMAC
//!             do not exist here; private and symmetric keys of a JWKS are not read.
//! Limits:     token 8 KiB; JWKS 256 KiB and 64 keys; 10 000 verdicts; a list 1 MiB and 10 000 tokens.
//! Not here:   what a caller may do (crate `authorization`); tokens that are encrypted (JWE).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod algorithm;
mod claims;
mod fetch;
#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod internals;
mod issuer;
mod jwt;
mod key;
mod key_set;
mod keys;
mod refusal;
mod reload;
mod shown;
#[cfg(test)]
mod tests;
mod token;
mod tokens;
mod verdicts;

pub use algorithm::Algorithm;
pub use claims::Claims;
pub use issuer::Issuer;
pub use jwt::Jwt;
pub use keys::Keys;
pub use tokens::Tokens;

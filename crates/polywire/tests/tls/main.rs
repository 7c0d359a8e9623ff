//! TLS as users see it: servers and channels over connections in memory, certificates made here.

mod authority;
mod clients;
mod listeners;
mod names;
mod reload;
mod support;

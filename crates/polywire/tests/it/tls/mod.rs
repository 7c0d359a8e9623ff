//! TLS as users see it: servers and channels over connections in memory, certificates made here.

mod authority;
mod clients;
mod clusters;
mod endpoints;
mod listeners;
mod names;
mod reload;
mod sharing;
mod support;

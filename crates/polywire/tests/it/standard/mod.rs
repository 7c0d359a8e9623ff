//! The services that every server has, over the lab's protocol in memory.

mod health;
mod reflection;

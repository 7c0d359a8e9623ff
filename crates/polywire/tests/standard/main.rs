//! The services that every server has, over the lab's protocol in memory.

#[path = "../streams/support.rs"]
mod support;
#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../build/tests/golden/talk.rs");
}

mod channelz;
mod health;
mod reflection;

//! An authenticator that takes its time, over every protocol; in virtual time.

#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../build/tests/golden/talk.rs");
}

mod doorman;
mod guards;
mod pending;
mod requests;
mod several;

//! An authenticator that takes its time, over every protocol; in virtual time.

mod doorman;
mod guards;
mod pending;
mod requests;
mod several;

//! Servers, from the side of their peers and of their handlers.

mod catch_all;
mod common;
mod connections;
mod overload;
mod registration;
mod streams;
mod unary;

//! Runs the program: its output, its exit codes, its signals.

mod call;
mod cluster;
mod demo;
mod fleet;
mod gateway;
mod mongo;
mod press;
mod replay;
mod restart;
mod serve;
mod streams;
mod support;
mod tls;
mod view;
mod websocket;
mod wrong_use;

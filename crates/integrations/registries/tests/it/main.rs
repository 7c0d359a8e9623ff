//! Each registry against one in the test's own memory, in virtual time. That of etcd is tested where its
//! messages are.

mod common;
mod consul;
mod k8s;
mod nacos;
mod remotefile;
mod zookeeper;

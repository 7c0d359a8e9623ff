//! The protobuf wire format, as far as schema-driven code needs it.
//!
//! Generated messages are read and written by generated code. This module works on bytes and a
//! [schema](crate::schema): the bounded [`wire::Reader`], the writers, [`index`], which finds fields for text
//! formats, [`required`], the check that generated code does not make, and [`utf8`], which finds the string
//! that is not UTF-8.

pub(crate) mod bits;
pub(crate) mod index;
pub(crate) mod owned;
pub(crate) mod required;
pub(crate) mod utf8;
pub(crate) mod wire;

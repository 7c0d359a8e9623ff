//! The protobuf wire format, as far as the schema-driven parts need it.
//!
//! Generated messages are read and written by their own code. Here is what works on bytes and a [schema](crate::schema):
//! the bounded [`wire::Reader`], the writers,
//! [`index`], which finds fields for texts, [`required`], the check that generated code leaves out, and [`utf8`], which says what it does not.

pub(crate) mod bits;
pub(crate) mod index;
pub(crate) mod owned;
pub(crate) mod required;
pub(crate) mod utf8;
pub(crate) mod wire;

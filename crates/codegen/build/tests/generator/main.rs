//! What the generator makes of files, compared with files that people have read, and what it says of files
//! that are wrong.
//!
//! `POLYWIRE_GOLDEN=write cargo test -p polywire-build --test generator` writes the golden files anew; read
//! the difference before committing it.

mod compare;
mod flatbuffers;
#[cfg(feature = "parser")]
mod outline;
#[cfg(feature = "parser")]
mod protobuf;
#[allow(dead_code)] // some are only compiled
mod samples;
mod thrift;
#[cfg(not(feature = "parser"))]
mod with_protoc;

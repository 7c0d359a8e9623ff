// Made by polywire-build from edition_next.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Later {
    pub number: i32,
    pub name: ::std::option::Option<::std::string::String>,
    pub kind: ::polywire::EnumValue<later::Kind>,
}
pub mod later {
    pub enum Kind {
        KIND_UNSPECIFIED = 0i32,
        KIND_SOME = 1i32,
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("edition.next.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Later, "edition.next.Later", POOL, buffers { one name; });

// Made by polywire-build from common.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Colour {
    pub rgb: u32,
    pub under: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("common.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Colour, "common.Colour", POOL);

// Made by polywire-build from common.proto; changes are lost.
#[derive(Clone, PartialEq, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Colour {
    #[prost(uint32, required, tag = "1")]
    pub rgb: u32,
    #[prost(message, optional, boxed, tag = "2")]
    pub under: ::core::option::Option<
        ::polywire::generated::prost::alloc::boxed::Box<Colour>,
    >,
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("common.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::prost_message!(Colour, "common.Colour", POOL);

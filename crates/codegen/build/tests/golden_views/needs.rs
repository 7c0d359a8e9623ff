// Made by polywire-build from needs.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Must {
    pub id: ::std::string::String,
    pub state: ::std::option::Option<must::State>,
    pub inner: ::polywire::MessageField<must::Inner>,
}
pub mod must {
    pub enum State {
        OFF = 0i32,
        ON = 1i32,
    }
    pub struct Inner {
        pub text: ::std::option::Option<::std::string::String>,
    }
}
pub mod __buffa {
    pub mod view {
        pub struct MustView<'a> {
            pub id: &'a str,
            pub state: ::std::option::Option<super::super::must::State>,
            pub inner: ::polywire::generated::buffa::MessageFieldView<
                super::super::__buffa::view::must::InnerView<'a>,
            >,
            pub __buffa_required_seen_0: u64,
        }
        pub mod must {
            pub struct InnerView<'a> {
                pub text: ::std::option::Option<&'a str>,
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("needs.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Must, "needs.Must", POOL, buffers { one id; });
::polywire::generated::viewed!(Must, __buffa::view::MustView);
::polywire::generated::message!(must::Inner, "needs.Must.Inner", POOL, buffers { one text; });
::polywire::generated::viewed!(must::Inner, __buffa::view::must::InnerView);

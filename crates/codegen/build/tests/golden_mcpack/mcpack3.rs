// Made by polywire-build from mcpack3.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Implicit {
    pub i: i32,
    pub b: bool,
    pub f: f32,
    pub d: f64,
    pub s: ::std::string::String,
    pub y: ::std::vec::Vec<u8>,
    pub size: ::polywire::EnumValue<implicit::Size>,
    pub sizes: ::std::vec::Vec<::polywire::EnumValue<implicit::Size>>,
    pub there: ::std::option::Option<u64>,
    pub rows: ::std::vec::Vec<Self>,
    pub named: ::polywire::Map<
        ::std::string::String,
        ::polywire::EnumValue<implicit::Size>,
    >,
}
pub mod implicit {
    pub enum Size {
        SMALL = 0i32,
        LARGE = 7i32,
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("mcpack3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Implicit, "mcpack3.Implicit", POOL, packed, buffers { one s; one y; each rows; });
::polywire::generated::packed!(Implicit, required 0b0, by_name [1, 3, 2, 0, 4, 5, 9, 6, 10, 7, 8], {
    0: "i" i [0 false false];
    1: "b" b [0 false false];
    2: "f" f [0 false false];
    3: "d" d [0 false false];
    4: "s" s [0 false false];
    5: "y" y [0 false false];
    6: "size" size [0 false false];
    7: "sizes" sizes [0 false false];
    8: "there" there [0 false false];
    9: "rows" rows [0 false false];
    10: "named" named [0 false false];
});

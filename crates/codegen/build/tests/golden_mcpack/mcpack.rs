// Made by polywire-build from mcpack.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum IdlType {
    AUTO = 0i32,
    INT8 = 1i32,
    INT16 = 2i32,
    UINT32 = 7i32,
    FLOAT = 10i32,
    DOUBLE = 11i32,
    BINARY = 12i32,
    STRING = 13i32,
}
pub struct Item {
    pub k: ::std::option::Option<::std::string::String>,
    pub v: ::std::option::Option<i32>,
    pub tags: ::std::vec::Vec<i64>,
}
pub struct Main {
    pub message: ::std::option::Option<::std::string::String>,
    pub code: ::std::option::Option<i32>,
    pub big: ::std::option::Option<u64>,
    pub flag: ::std::option::Option<bool>,
    pub d: ::std::option::Option<f64>,
    pub bin: ::std::option::Option<::std::vec::Vec<u8>>,
    pub nums: ::std::vec::Vec<i32>,
    pub strs: ::std::vec::Vec<::std::string::String>,
    pub items: ::std::vec::Vec<Item>,
    pub one: ::polywire::MessageField<Item>,
    pub on: ::std::vec::Vec<i32>,
}
pub struct All {
    pub r#type: ::std::option::Option<i32>,
    pub i64: ::std::option::Option<i64>,
    pub u32: ::std::option::Option<u32>,
    pub u64: ::std::option::Option<u64>,
    pub s32: ::std::option::Option<i32>,
    pub s64: ::std::option::Option<i64>,
    pub f32: ::std::option::Option<u32>,
    pub sf64: ::std::option::Option<i64>,
    pub b: ::std::option::Option<bool>,
    pub f: ::std::option::Option<f32>,
    pub d: ::std::option::Option<f64>,
    pub s: ::std::option::Option<::std::string::String>,
    pub y: ::std::option::Option<::polywire::generated::Bytes>,
    pub colour: ::std::option::Option<all::Colour>,
    pub all: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub group: ::polywire::MessageField<all::Group>,
    pub ri32: ::std::vec::Vec<i32>,
    pub rs64: ::std::vec::Vec<i64>,
    pub ru32: ::std::vec::Vec<u32>,
    pub ru64: ::std::vec::Vec<u64>,
    pub rb: ::std::vec::Vec<bool>,
    pub rf: ::std::vec::Vec<f32>,
    pub rd: ::std::vec::Vec<f64>,
    pub rs: ::std::vec::Vec<::std::string::String>,
    pub ry: ::std::vec::Vec<::polywire::generated::Bytes>,
    pub rc: ::std::vec::Vec<all::Colour>,
    pub ra: ::std::vec::Vec<Self>,
    pub ms: ::polywire::Map<::std::string::String, i32>,
    pub my: ::polywire::Map<
        ::std::string::String,
        ::std::vec::Vec<u8>,
    >,
    pub mi: ::polywire::Map<i32, ::std::string::String>,
    pub mb: ::polywire::Map<bool, All>,
    pub ma: ::polywire::Map<::std::string::String, All>,
    pub mc: ::polywire::Map<::std::string::String, all::Colour>,
    pub narrow: ::std::option::Option<i64>,
    pub text: ::std::option::Option<::std::vec::Vec<u8>>,
    pub on: ::std::option::Option<i32>,
    pub wide: ::std::vec::Vec<f32>,
    pub less: ::std::option::Option<f64>,
    pub short: ::std::vec::Vec<i32>,
    pub none: ::std::vec::Vec<Self>,
    pub mon: ::polywire::Map<i32, i32>,
    pub implicit: ::polywire::MessageField<super::mcpack3::Implicit>,
    pub needs: ::polywire::MessageField<Needs>,
    pub twice: ::std::option::Option<::std::string::String>,
}
pub mod all {
    pub enum Colour {
        RED = 0i32,
        GREEN = 1i32,
        BLUE = -3i32,
    }
    pub struct Group {
        pub inside: ::std::option::Option<i32>,
    }
}
pub struct Needs {
    pub id: i32,
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub more: ::std::vec::Vec<Self>,
    pub text: ::std::string::String,
}
pub struct Must {
    pub needs: ::polywire::MessageField<Needs>,
}
pub struct Pair {
    pub key: ::std::option::Option<::std::string::String>,
    pub value: ::std::option::Option<::std::vec::Vec<u8>>,
}
pub struct Pairs {
    pub pairs: ::std::vec::Vec<Pair>,
}
pub struct Choice {
    pub choice: ::std::option::Option<__buffa::oneof::choice::Choice>,
}
pub mod choice {
}
pub struct Chosen {
    pub choice: ::polywire::MessageField<Choice>,
}
pub struct Blob {
    pub text: ::std::option::Option<::std::string::String>,
    pub blob: ::std::option::Option<__buffa::oneof::blob::Blob>,
}
pub mod blob {
}
pub struct Match {
    pub super_: ::polywire::MessageField<r#match::Self_, ::std::boxed::Box<r#match::Self_>>,
    pub r#use: ::std::option::Option<r#match::Use>,
}
pub mod r#match {
    pub enum Use {
        NONE = 0i32,
        SOME = 1i32,
    }
    pub struct Self_ {
        pub self_: ::polywire::MessageField<super::Match, ::std::boxed::Box<super::Match>>,
    }
}
pub struct Index {
    pub self_: ::polywire::MessageField<index::index>,
}
pub mod index {
    pub struct index {
        pub r#const: ::std::option::Option<super::r#match::Use>,
    }
}
pub mod __buffa {
    pub mod oneof {
        pub mod choice {
            pub enum Choice {
                Number(i32),
                Text(::std::string::String),
            }
        }
        pub mod blob {
            pub enum Blob {
                Data(::polywire::generated::Bytes),
            }
        }
    }
    pub mod ext {
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("mcpack.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Item, "mcpack.Item", POOL, packed, buffers { one k; });
::polywire::generated::packed!(Item, required 0b0, by_name [0, 1, 2], {
    0: "k" k [0 false false];
    1: "v" v [0 false false];
    2: "tags" tags [0 false false];
});
::polywire::generated::message!(Main, "mcpack.Main", POOL, packed, buffers { one message; one bin; each strs; each items; one one; });
::polywire::generated::packed!(Main, required 0b0, by_name [4, 10, 2, 5, 9, 1, 3, 6, 7, 8, 0], {
    0: "message" message [0 false false];
    1: "code" code [0 false false];
    2: "big" big [7 false false];
    3: "flag" flag [0 false false];
    4: "d" d [0 false false];
    5: "bin" bin [0 false false];
    6: "nums" nums [0 false false];
    7: "strs" strs [0 false false];
    8: "items" items [0 false false];
    9: "uno" one [0 false false];
    10: "on" on [0 true false];
});
::polywire::generated::message!(All, "mcpack.All", POOL, packed, buffers { one s; one y; one all; each rs; each ry; each ra; one text; each none; one implicit; one needs; one twice; }, shared);
::polywire::generated::packed!(All, required 0b0, by_name [8, 10, 9, 11, 12, 31, 30, 32, 29, 27, 28, 35, 26, 20, 25, 22, 21, 23, 24, 14, 6, 1, 40, 4, 5, 2, 3, 37, 39, 16, 17, 18, 19, 7, 34, 0, 36, 15, 42, 38, 13, 33, 41], {
    0: "type" r#type [0 false false];
    1: "i64" i64 [0 false false];
    2: "u32" u32 [0 false false];
    3: "u64" u64 [0 false false];
    4: "s32" s32 [0 false false];
    5: "s64" s64 [0 false false];
    6: "f32" f32 [0 false false];
    7: "sf64" sf64 [0 false false];
    8: "b" b [0 false false];
    9: "f" f [0 false false];
    10: "d" d [0 false false];
    11: "s" s [0 false false];
    12: "y" y [0 false false];
    13: "colour" colour [0 false false];
    14: "all" all [0 false false];
    15: "group" group [0 false false];
    16: "ri32" ri32 [0 false false];
    17: "rs64" rs64 [0 false false];
    18: "ru32" ru32 [0 false false];
    19: "ru64" ru64 [0 false false];
    20: "rb" rb [0 false false];
    21: "rf" rf [0 false false];
    22: "rd" rd [0 false false];
    23: "rs" rs [0 false false];
    24: "ry" ry [0 false false];
    25: "rc" rc [0 false false];
    26: "ra" ra [0 false false];
    27: "ms" ms [0 false false];
    28: "my" my [0 false false];
    29: "mi" mi [0 false false];
    30: "mb" mb [0 false false];
    31: "ma" ma [0 false false];
    32: "mc" mc [0 false false];
    33: "narrow" narrow [1 false false];
    34: "text" text [13 false false];
    35: "on" on [0 true false];
    36: "wide" wide [11 false false];
    37: "less" less [10 false false];
    38: "short" short [2 false false];
    39: "none" none [0 true false];
    40: "mon" mon [0 true false];
    41: "implicit" implicit [0 false false];
    42: "needs" needs [0 false false];
    43: "s" twice [0 false false];
});
::polywire::generated::message!(all::Group, "mcpack.All.Group", POOL, packed);
::polywire::generated::packed!(all::Group, required 0b0, by_name [0], {
    0: "inside" inside [0 false false];
});
::polywire::generated::message!(Needs, "mcpack.Needs", POOL, packed, buffers { one below; each more; one text; });
::polywire::generated::packed!(Needs, required 0b1001, by_name [0, 2, 3, 1], {
    0: "id" id [0 false true];
    1: "below" below [0 false false];
    2: "more" more [0 false false];
    3: "text" text [0 false true];
});
::polywire::generated::message!(Must, "mcpack.Must", POOL, packed, buffers { one needs; });
::polywire::generated::packed!(Must, required 0b1, by_name [0], {
    0: "needs" needs [0 false true];
});
::polywire::generated::message!(Pair, "mcpack.Pair", POOL, packed, buffers { one key; one value; });
::polywire::generated::packed!(Pair, required 0b0, by_name [0, 1], {
    0: "key" key [0 false false];
    1: "value" value [0 false false];
});
::polywire::generated::message!(Pairs, "mcpack.Pairs", POOL, buffers { each pairs; });
::polywire::generated::message!(Choice, "mcpack.Choice", POOL);
::polywire::generated::message!(Chosen, "mcpack.Chosen", POOL);
::polywire::generated::message!(Blob, "mcpack.Blob", POOL, buffers { one text; }, shared);
::polywire::generated::message!(Match, "mcpack.Match", POOL, packed);
::polywire::generated::packed!(Match, required 0b0, by_name [1, 0], {
    0: "super" super_ [0 false false];
    1: "use" r#use [0 false false];
});
::polywire::generated::message!(r#match::Self_, "mcpack.Match.self", POOL, packed);
::polywire::generated::packed!(r#match::Self_, required 0b0, by_name [0], {
    0: "self" self_ [0 false false];
});
::polywire::generated::message!(Index, "mcpack.index", POOL, packed);
::polywire::generated::packed!(Index, required 0b0, by_name [0], {
    0: "self" self_ [0 false false];
});
::polywire::generated::message!(index::index, "mcpack.index.index", POOL, packed);
::polywire::generated::packed!(index::index, required 0b0, by_name [0], {
    0: "const" r#const [0 false false];
});
::polywire::generated::packed_enum!(IdlType);
::polywire::generated::packed_enum!(all::Colour);
::polywire::generated::packed_enum!(r#match::Use);

//! The items that generated code refers to. Not for use by hand: they change with the generator.

pub use polywire_client::stub::{
    HttpRules, server_streaming, server_streaming_by_rule, streaming, unary, unary_by_rule,
};
pub use polywire_formats::generated::*;
#[cfg(feature = "flatbuffers")]
pub use polywire_protocols::fb_rpc::method_id;
pub use polywire_server::{BidiStreaming, ClientStreaming, ServerStreaming, Unary};

/// Brings generated code in: modules named like the packages, with messages, services and clients.
///
/// ```text
/// polywire::include!("echo"); // mod echo { … }, from `package echo;`
/// polywire::include!(); // every package that build.rs compiled
/// ```
///
/// Messages without a package are included with `"_"`, and their items come without a module.
///
/// Packages that use each other's messages must be included together: by their common prefix, or all packages
/// at once.
#[macro_export]
macro_rules! include {
    () => {
        ::core::include!(::core::concat!(
            ::core::env!(
                "OUT_DIR",
                "there is no build.rs that calls polywire_build to make the code included here"
            ),
            "/polywire/all.rs"
        ));
    };
    ($package:literal) => {
        ::core::include!(::core::env!(
            ::core::concat!("POLYWIRE_PACKAGE_", $package),
            ::core::concat!(
                "build.rs makes no package `",
                $package,
                "`; it makes ",
                ::core::env!(
                    "POLYWIRE_PACKAGES",
                    "there is no build.rs that calls polywire_build to make the code included here"
                )
            )
        ));
    };
}

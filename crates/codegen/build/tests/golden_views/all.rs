// Made by polywire-build; changes are lost.
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod needs {
    include!("./needs.rs");
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod views {
    include!("./views.rs");
}

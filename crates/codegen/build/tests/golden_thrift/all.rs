// Made by polywire-build; changes are lost.
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod zoo {
    include!("./zoo.rs");
    #[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
    pub mod shared {
        include!("./zoo.shared.rs");
    }
}

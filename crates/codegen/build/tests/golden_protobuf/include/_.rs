// Made by polywire-build; changes are lost.
include!("../_.rs");
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod awkward {
    include!("../awkward.rs");
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod common {
    include!("../common.rs");
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod example {
    include!("../example.rs");
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod keywords {
    include!("../keywords.rs");
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod shapes {
    #[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
    pub mod v1 {
        include!("../shapes.v1.rs");
    }
}
#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, unused_qualifications, rustdoc::all)]
pub mod talk {
    include!("../talk.rs");
}

//! `.thrift` files: a text is read or refused, in bounded time and memory. What is read has types and values
//! that can be followed.

use polywire_thrift_idl::{Kind, Schema};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Schema::parse("fuzz.thrift", text) {
        Ok(schema) => {
            for item in &schema.items {
                if let Kind::Struct(of) = &item.what {
                    of.fields.iter().for_each(|field| {
                        let _ = schema.follow(&field.kind);
                    });
                }
            }
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz.thrift:"), "{error}"),
    }
}

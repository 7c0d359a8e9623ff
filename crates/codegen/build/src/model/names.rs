//! Converts names of protobuf to Rust's spelling.

use buffa_codegen::idents::{escape_mod_ident, is_rust_keyword};

/// Names that generated traits and clients define themselves.
const RESERVED: [&str; 2] = ["into_service", "new"];

/// The type parameter of generated code for the implementation of a service.
const TYPE_PARAMETER: &str = "Impl";

/// `SayHello` to `say_hello`; keywords are escaped, reserved names get an underscore.
pub(crate) fn function(name: &str) -> String {
    let snake = snake_case(name);
    if RESERVED.contains(&snake.as_str()) {
        return snake + "_";
    }
    escape_mod_ident(&snake)
}

/// The module name for `name`.
pub(crate) fn module_name(name: &str) -> String {
    escape_mod_ident(&snake_case(name))
}

/// The name of a service's trait. One that begins with a lower-case letter, like those of brpc's own pages,
/// is spelled as a Rust type: its module has the lower-case name.
pub(crate) fn service(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_rust_keyword(name) {
        return name.to_owned();
    }
    type_name(name)
}

/// The function that reads a field of a FlatBuffer.
pub(crate) fn field(name: &str) -> String {
    let snake = snake_case(name);
    if ["create", "unpack"].contains(&snake.as_str()) { snake + "_" } else { escape_mod_ident(&snake) }
}

/// A field of a struct, or an argument, of Thrift.
pub(crate) fn variable(name: &str) -> String {
    match snake_case(name) {
        snake if snake.bytes().all(|byte| byte == b'_') => snake + "_",
        snake => escape_mod_ident(&snake),
    }
}

/// A constant of Thrift: `maxSize` and `MAX_SIZE` to `MAX_SIZE`.
pub(crate) fn upper_constant(name: &str) -> String {
    match snake_case(name).to_ascii_uppercase() {
        upper if upper.bytes().all(|byte| byte == b'_') => upper + "_",
        upper => upper,
    }
}

/// A value of an enum, spelled as in the schema.
pub(crate) fn constant(name: &str) -> String {
    escape_mod_ident(name)
}

/// `sayHello` and `say_hello` to `SayHello`.
pub(crate) fn type_name(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for word in name.split('_').filter(|w| !w.is_empty()) {
        let mut chars = word.chars();
        camel.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        camel.extend(chars);
    }
    if camel.starts_with(|c: char| c.is_ascii_digit()) {
        camel.insert(0, '_');
    }
    if is_rust_keyword(&camel) || camel.is_empty() || camel == TYPE_PARAMETER {
        camel.push('_');
    }
    camel
}

/// Words begin at capitals that follow a lower-case letter or a digit, and at the last capital of a run
/// before a lower-case letter: `HTTPGetV2` is `http_get_v2`.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (i, c) in chars.iter().enumerate() {
        if c.is_ascii_uppercase() && i > 0 && chars[i - 1] != '_' {
            let after_small = !chars[i - 1].is_ascii_uppercase();
            let before_small = chars.get(i + 1).is_some_and(char::is_ascii_lowercase);
            if after_small || before_small {
                snake.push('_');
            }
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_snake_case_and_never_keywords() {
        for (proto, rust) in [
            ("Echo", "echo"),
            ("SayHello", "say_hello"),
            ("sayHello", "say_hello"),
            ("HTTPGetV2", "http_get_v2"),
            ("GetURL", "get_url"),
            ("Get_Item", "get_item"),
            ("Type", "r#type"),
            ("Self", "self_"),
            ("New", "new_"),
            ("IntoService", "into_service_"),
        ] {
            assert_eq!(function(proto), rust);
        }
    }

    #[test]
    fn types_are_camel_case_and_never_keywords() {
        for (proto, rust) in [
            ("Echo", "Echo"),
            ("say_hello", "SayHello"),
            ("Self", "Self_"),
            ("self", "Self_"),
            ("impl", "Impl_"),
        ] {
            assert_eq!(type_name(proto), rust);
        }
    }
}

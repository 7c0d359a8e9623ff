//! Redirects the paths in generated messages to our runtime.
//!
//! buffa's generator writes `::buffa::…`, but users depend on `polywire` alone; and some fields use types of
//! `polywire`.

/// Generated source with its paths replaced. Comments are unchanged.
pub(super) fn through_runtime(source: &str, runtime: &str) -> String {
    let (mut out, mut code) = (String::with_capacity(source.len()), String::new());
    for line in source.split_inclusive('\n') {
        if !line.trim_start().starts_with("//") {
            code.push_str(line);
            continue;
        }
        out.push_str(&paths(&std::mem::take(&mut code), runtime));
        if !line.starts_with("// @generated") {
            out.push_str(line);
        }
    }
    out + &paths(&code, runtime)
}

fn paths(code: &str, runtime: &str) -> String {
    let mut code = enums(&messages(&message_fields(code, runtime), runtime), runtime);
    for (path, ours) in [
        ("::buffa::alloc::", "::std::".to_owned()),
        ("::core::", "::std::".to_owned()),
        ("::buffa::EnumValue::Known(", format!("{runtime}::EnumValue::from(")),
        ("::buffa::EnumValue", format!("{runtime}::EnumValue")),
        ("::buffa::MessageField::", format!("{runtime}::MessageField::")),
        ("::buffa::bytes::Bytes", format!("{runtime}::generated::Bytes")),
        ("::buffa_descriptor::", format!("{runtime}::generated::buffa_descriptor::")),
        ("::buffa::", format!("{runtime}::generated::buffa::")),
    ] {
        code = replaced(&code, path, &ours);
    }
    code
}

/// Replaces an absolute path. The same words within a longer path are part of a package's name:
/// `super::core::v3::Node`.
fn replaced(code: &str, path: &str, ours: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, after)) = rest.split_once(path) {
        out.push_str(before);
        let is_absolute = !out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        out.push_str(if is_absolute { ours } else { path });
        rest = after;
    }
    out + rest
}

/// How the type is written in types, and in expressions.
const FIELDS: [&str; 2] = ["::buffa::MessageField<", "::buffa::MessageField::<"];

/// Types of message fields: buffa's keep the message in a box unless `Inline` is given, ours unless `Box` is
/// not given.
fn message_fields(source: &str, runtime: &str) -> String {
    FIELDS.iter().fold(source.to_owned(), |source, field| message_fields_as(field, &source, runtime))
}

fn message_fields_as(spelling: &str, source: &str, runtime: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, field)) = rest.split_once(spelling) {
        out.push_str(before);
        let Some(arguments) = arguments(field) else {
            out.push_str(spelling);
            rest = field;
            continue;
        };
        let mut each = arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty());
        let message = each.next().unwrap_or_default();
        let ours = spelling.replace("::buffa", runtime);
        match each.next() {
            Some(_) => out.push_str(&format!("{ours}{message}>")),
            None => out.push_str(&format!("{ours}{message}, ::std::boxed::Box<{message}>>")),
        }
        rest = &field[arguments.len() + 1..];
    }
    out.push_str(rest);
    out
}

const MESSAGE: &str = "::buffa::impl_default_instance!(";

/// Messages get polywire's trait beside buffa's, so that the public API has no bound on a trait of buffa's.
fn messages(source: &str, runtime: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, name)) = rest.split_once(MESSAGE) {
        let name = &name[..name.find(')').unwrap_or(name.len())];
        let indent = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        let ours = format!("impl {runtime}::generated::FieldMessage for {name} {{}}");
        out.push_str(&format!("{before}{ours}\n{indent}{MESSAGE}"));
        rest = &rest[before.len() + MESSAGE.len()..];
    }
    out.push_str(rest);
    out
}

const ENUM: &str = "impl ::buffa::Enumeration for ";
const OPEN_ENUM: &str = "::buffa::map_codec::OpenEnum<";
const MAP_FUNCTION: &str = "::buffa::map_codec::";

/// Enums get polywire's trait beside buffa's, and maps of open enums use polywire's functions, since buffa's
/// only support its own `EnumValue`.
fn enums(source: &str, runtime: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, name)) = rest.split_once(ENUM) {
        let end = name.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(name.len());
        let indent = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        let ours = format!("impl {runtime}::generated::FieldEnum for {} {{}}", &name[..end]);
        out.push_str(&format!("{before}{ours}\n{indent}{ENUM}"));
        rest = name;
    }
    out.push_str(rest);
    // `::buffa::map_codec::merge_entry::<::buffa::map_codec::Str, ::buffa::map_codec::OpenEnum<_>, _>(..)`
    let mut from = 0;
    while let Some(at) = out[from..].find(OPEN_ENUM).map(|at| from + at) {
        let ours = format!("{runtime}::generated::enum_map::");
        out.replace_range(at..at + MAP_FUNCTION.len(), &ours);
        let function = out[..at].rfind("::<").and_then(|call| out[..call].rfind(MAP_FUNCTION));
        if let Some(function) = function {
            out.replace_range(function..function + MAP_FUNCTION.len(), &ours);
        }
        from = at + ours.len();
    }
    out
}

/// The text before the `>` that closes a list of arguments. Messages have no arguments themselves, so a comma
/// always separates two.
fn arguments(source: &str) -> Option<&str> {
    let mut depth = 0;
    let end = source.find(|c| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        depth < 0
    })?;
    Some(&source[..end])
}

#[cfg(test)]
mod tests {
    use super::through_runtime;

    #[test]
    fn fields_have_types_of_the_runtime() {
        for (made, expected) in [
            ("pub a: ::buffa::MessageField<A, ::buffa::Inline<A>>,", "pub a: ::r::MessageField<A>,"),
            (
                "pub a: ::buffa::MessageField<\n    super::A,\n    ::buffa::Inline<super::A>,\n>,",
                "pub a: ::r::MessageField<super::A>,",
            ),
            ("pub a: ::buffa::MessageField<A>,", "pub a: ::r::MessageField<A, ::std::boxed::Box<A>>,"),
            ("self.a = ::buffa::MessageField::none();", "self.a = ::r::MessageField::none();"),
            ("pub e: ::buffa::EnumValue<E>,", "pub e: ::r::EnumValue<E>,"),
            ("State: ::buffa::EnumValue::Known(E::On),", "State: ::r::EnumValue::from(E::On),"),
            (
                "impl ::buffa::Enumeration for E {",
                "impl ::r::generated::FieldEnum for E {}\nimpl ::r::generated::buffa::Enumeration for E {",
            ),
            (
                "::buffa::map_codec::field_len::<\n    ::buffa::map_codec::Str,\n    ::buffa::map_codec::OpenEnum<_>,\n    _,\n>(&self.a, 1u64);",
                "::r::generated::enum_map::field_len::<\n    ::r::generated::buffa::map_codec::Str,\n    ::r::generated::enum_map::OpenEnum<_>,\n    _,\n>(&self.a, 1u64);",
            ),
            (
                "::buffa::map_codec::merge_entry::<::buffa::map_codec::Str, ::buffa::map_codec::Int32, _>(",
                "::r::generated::buffa::map_codec::merge_entry::<::r::generated::buffa::map_codec::Str, \
                 ::r::generated::buffa::map_codec::Int32, _>(",
            ),
            ("::buffa::Message::merge(", "::r::generated::buffa::Message::merge("),
            (
                "/// Like `::buffa::MessageField<A>`.\nB: ::buffa::B",
                "/// Like `::buffa::MessageField<A>`.\nB: ::r::generated::buffa::B",
            ),
        ] {
            assert_eq!(through_runtime(made, "::r"), expected);
        }
    }

    #[test]
    fn packages_may_be_called_as_crates_are() {
        let code = "a: super::super::core::v3::Node, b: ::core::option::Option<x::buffa::Y>, c: ::buffa::Z";
        let expected = "a: super::super::core::v3::Node, b: ::std::option::Option<x::buffa::Y>, c: p::generated::buffa::Z";
        assert_eq!(through_runtime(code, "p"), expected);
    }
}

//! Redirects the paths in generated messages to our runtime.
//!
//! buffa's generator writes `::buffa::…`, but users depend on `polywire` alone; and fields use types of ours.

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
    message_fields(code, runtime)
        .replace("::buffa::alloc::", "::std::")
        .replace("::core::", "::std::")
        .replace("::buffa::EnumValue", &format!("{runtime}::EnumValue"))
        .replace("::buffa::MessageField::", &format!("{runtime}::MessageField::"))
        .replace("::buffa::bytes::Bytes", &format!("{runtime}::generated::Bytes"))
        .replace("::buffa_descriptor::", &format!("{runtime}::generated::buffa_descriptor::"))
        .replace("::buffa::", &format!("{runtime}::generated::buffa::"))
}

const FIELD: &str = "::buffa::MessageField<";

/// Types of message fields: buffa's keep the message in a box unless `Inline` is given, ours unless `Box` is
/// not given.
fn message_fields(source: &str, runtime: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, field)) = rest.split_once(FIELD) {
        out.push_str(before);
        let Some(arguments) = arguments(field) else {
            out.push_str(FIELD);
            rest = field;
            continue;
        };
        let mut each = arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty());
        let message = each.next().unwrap_or_default();
        match each.next() {
            Some(_) => out.push_str(&format!("{runtime}::MessageField<{message}>")),
            None => {
                out.push_str(&format!("{runtime}::MessageField<{message}, ::std::boxed::Box<{message}>>"))
            }
        }
        rest = &field[arguments.len() + 1..];
    }
    out.push_str(rest);
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
            ("::buffa::Message::merge(", "::r::generated::buffa::Message::merge("),
            (
                "/// Like `::buffa::MessageField<A>`.\nB: ::buffa::B",
                "/// Like `::buffa::MessageField<A>`.\nB: ::r::generated::buffa::B",
            ),
        ] {
            assert_eq!(through_runtime(made, "::r"), expected);
        }
    }
}

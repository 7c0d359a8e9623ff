//! Default values of fields.

use crate::{
    Type, Value, joined,
    parse::{self, Default, What},
    resolve::{Found, Resolver, enumeration},
    scalar::integer,
};

impl Resolver {
    pub(crate) fn default(&self, kind: &Type, field: &parse::Field) -> Found<Value> {
        let line = field.line;
        let wrong = |text: &str| (line, format!("`{text}` is not a valid value of this field"));
        if !matches!(kind, Type::Scalar(_) | Type::Enum(_)) {
            let Some(default) = &field.default else { return Ok(Value::Null) };
            let what = "only numbers, enums and strings can have defaults, and vectors that of `[]`";
            return elsewhere(kind, default).ok_or((line, what.to_owned()));
        }
        let (text, quoted) = match &field.default {
            Some(Default::Null) => return Ok(Value::Null),
            Some(Default::Value(text)) => (text.as_str(), false),
            Some(Default::Text(text)) => (text.as_str(), true),
            Some(Default::Empty) => return Err(wrong("[]")),
            None => ("0", false),
        };
        let Type::Enum(place) = kind else {
            let Type::Scalar(scalar) = kind else { unreachable!("a scalar or an enum") };
            return scalar.parse(text).ok_or_else(|| wrong(text));
        };
        let declaration = self.declaration(*place);
        let What::Enum(base, variants) = &declaration.what else { unreachable!("an enum") };
        let known = enumeration(declaration.line, base, variants, &declaration.attributes)?;
        let full = joined(&declaration.namespace, &declaration.name);
        let named = |word: &str| {
            let own =
                word.rsplit_once('.').filter(|(of, _)| !quoted && (*of == full || *of == declaration.name));
            let name = own.map_or(word, |(_, name)| name);
            known.variants.iter().find(|(variant, ..)| variant == name).map(|(_, n, _)| *n)
        };
        // Several bit flags are in quotes, separated by spaces.
        let bits = || {
            let words = text.split_ascii_whitespace().map(named);
            (quoted && known.flags).then(|| words.reduce(|all, bit| Some(all? | bit?)))??
        };
        let value = named(text).or_else(bits).or_else(|| integer(text)).ok_or_else(|| wrong(text))?;
        let declared = known.flags || known.variants.iter().any(|(_, n, _)| *n == value);
        if declared && known.of.holds(value) { Ok(Value::Integer(value)) } else { Err(wrong(text)) }
    }
}

/// The default of a field whose value is stored elsewhere; `None` if it cannot have this default.
fn elsewhere(kind: &Type, default: &Default) -> Option<Value> {
    match (kind, default) {
        (Type::String, Default::Text(text)) => Some(Value::Text(text.clone())),
        (Type::Vector(_), Default::Empty) => Some(Value::Empty),
        _ => None,
    }
}

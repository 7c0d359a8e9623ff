//! Parses tokens into the declarations of one file.

use crate::{
    ast::{
        Declaration, Field, File, Method, Name, Requiredness, StructKind, TypeKind, TypeName, Value,
        ValueKind, Variant, What,
    },
    lexer::{Kind, Token, tokens},
    place::{Place, Wrong, wrong},
};

/// The maximum nesting of types and constants.
pub(crate) const MAX_DEPTH: usize = 64;

/// Words of the language, none of which can be the name of a declaration.
pub(crate) const KEYWORDS: [&str; 36] = [
    "namespace",
    "cpp_include",
    "cpp_type",
    "xsd_all",
    "xsd_optional",
    "xsd_nillable",
    "xsd_attrs",
    "include",
    "void",
    "bool",
    "byte",
    "i8",
    "i16",
    "i32",
    "i64",
    "double",
    "string",
    "binary",
    "uuid",
    "map",
    "list",
    "set",
    "oneway",
    "async",
    "typedef",
    "struct",
    "union",
    "exception",
    "extends",
    "throws",
    "service",
    "enum",
    "const",
    "required",
    "optional",
    "true",
];

pub(crate) fn file(source: &str) -> Result<File, Wrong> {
    let mut parser = Parser { tokens: tokens(source)?, at: 0 };
    let mut file = File::default();
    while parser.peek().kind != Kind::End {
        parser.top(&mut file)?;
    }
    Ok(file)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn place(&self) -> Place {
        self.peek().place
    }

    /// The comment in front of the next token.
    fn comment(&self) -> String {
        self.peek().doc.clone().unwrap_or_default()
    }

    fn is_sign(&self, sign: char) -> bool {
        self.peek().kind == Kind::Sign(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, Kind::Name(name) if name == word)
    }

    /// Consumes a character if it is the next token.
    fn takes(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn expected<T>(&self, what: &str) -> Result<T, Wrong> {
        Err(wrong(self.place(), format!("expected {what}, found {}", shown(&self.peek().kind))))
    }

    fn sign(&mut self, sign: char) -> Result<(), Wrong> {
        if self.takes(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    /// Skips a `,` or `;`, which may be left out.
    fn separator(&mut self) {
        if !self.takes(',') {
            self.takes(';');
        }
    }

    fn name(&mut self, of: &str) -> Result<Name, Wrong> {
        match &self.peek().kind {
            Kind::Name(_) => {}
            _ => return self.expected(of),
        }
        let Token { kind: Kind::Name(text), place, .. } = self.next() else { return self.expected(of) };
        Ok(Name { text, place })
    }

    /// A name without dots.
    fn simple(&mut self, of: &str) -> Result<Name, Wrong> {
        let name = self.name(of)?;
        match name.text.contains('.') {
            true => Err(wrong(name.place, format!("`{}`: {of} has no dots", name.text))),
            false => Ok(name),
        }
    }

    /// The name of a declaration: neither with dots nor a word of the language.
    fn declared(&mut self, of: &str) -> Result<Name, Wrong> {
        let name = self.simple(of)?;
        match KEYWORDS.contains(&name.text.as_str()) || name.text == "false" {
            true => Err(wrong(name.place, format!("`{}` is a word of Thrift and cannot be {of}", name.text))),
            false => Ok(name),
        }
    }

    fn text(&mut self, of: &str) -> Result<Name, Wrong> {
        match self.peek().kind.clone() {
            Kind::Text(text) => Ok(Name { text, place: self.next().place }),
            _ => self.expected(of),
        }
    }

    fn int(&mut self, of: &str) -> Result<(Place, i64), Wrong> {
        match self.peek().kind {
            Kind::Int(value) => Ok((self.next().place, value)),
            _ => self.expected(of),
        }
    }

    fn top(&mut self, file: &mut File) -> Result<(), Wrong> {
        let comment = self.comment();
        let keyword = self.name("a declaration, such as `struct` or `service`")?;
        let is_header = matches!(keyword.text.as_str(), "namespace" | "include" | "cpp_include");
        if is_header && !file.declarations.is_empty() {
            let what = format!("`{}` stands in front of all declarations: move it up", keyword.text);
            return Err(wrong(keyword.place, what));
        }
        let (name, what) = match keyword.text.as_str() {
            "namespace" => {
                let scope = if self.takes('*') { "*".to_owned() } else { self.name("a language")?.text };
                let name = self.name("the name of a namespace")?;
                file.namespaces.push((scope, name));
                self.annotations()?;
                self.separator();
                return Ok(());
            }
            "include" | "cpp_include" => {
                let path = self.text("the path of a file, in quotes")?;
                if keyword.text == "include" {
                    file.includes.push(path);
                }
                self.separator();
                return Ok(());
            }
            "typedef" => {
                let kind = self.type_name(0)?;
                (self.declared("the name of a type")?, What::Typedef(kind))
            }
            "const" => {
                let kind = self.type_name(0)?;
                let name = self.declared("the name of a constant")?;
                self.sign('=')?;
                (name, What::Const(kind, self.value(0)?))
            }
            "enum" => {
                let name = self.declared("the name of an enum")?;
                (name, What::Enum(self.list('{', '}', Self::variant)?))
            }
            "struct" | "union" | "exception" => {
                let kind = match keyword.text.as_str() {
                    "struct" => StructKind::Struct,
                    "union" => StructKind::Union,
                    _ => StructKind::Exception,
                };
                let name = self.declared("the name of a type")?;
                self.takes_word("xsd_all");
                (name, What::Struct(kind, self.list('{', '}', Self::field)?))
            }
            "service" => {
                let name = self.declared("the name of a service")?;
                let extends = match self.takes_word("extends") {
                    true => Some(self.name("the name of a service")?),
                    false => None,
                };
                (name, What::Service(extends, self.list('{', '}', Self::method)?))
            }
            other => {
                let known = "namespace, include, typedef, const, enum, struct, union, exception or service";
                return Err(wrong(keyword.place, format!("`{other}` begins no declaration; {known} do")));
            }
        };
        self.annotations()?;
        self.separator();
        file.declarations.push(Declaration { name, comment, what });
        Ok(())
    }

    fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut one: impl FnMut(&mut Self) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        self.sign(open)?;
        let mut all = Vec::new();
        while !self.takes(close) {
            if self.peek().kind == Kind::End {
                return self.expected(&format!("`{close}`"));
            }
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn variant(&mut self) -> Result<Variant, Wrong> {
        let comment = self.comment();
        let name = self.simple("the name of a value")?;
        let value = if self.takes('=') { Some(self.int("a number")?) } else { None };
        self.annotations()?;
        self.separator();
        Ok(Variant { name, value, comment })
    }

    fn field(&mut self) -> Result<Field, Wrong> {
        let comment = self.comment();
        let id = match self.peek().kind {
            Kind::Int(_) => {
                let id = self.int("the number of a field")?;
                self.sign(':')?;
                Some(id)
            }
            _ => None,
        };
        let requiredness = match &self.peek().kind {
            Kind::Name(word) if word == "required" => Requiredness::Required,
            Kind::Name(word) if word == "optional" => Requiredness::Optional,
            _ => Requiredness::Default,
        };
        if requiredness != Requiredness::Default {
            self.next();
        }
        let kind = self.type_name(0)?;
        self.takes('&');
        let name = self.simple("the name of a field")?;
        let default = if self.takes('=') { Some(self.value(0)?) } else { None };
        self.takes_word("xsd_optional");
        self.takes_word("xsd_nillable");
        if self.takes_word("xsd_attrs") {
            // Attributes of an XML element, which is never written: their fields cannot have more of them.
            self.list('{', '}', |parser| match parser.is_word("xsd_attrs") {
                true => parser.expected("a field"),
                false => parser.plain_field(),
            })?;
        }
        self.annotations()?;
        self.separator();
        Ok(Field { name, id, requiredness, kind, default, comment })
    }

    /// Reads a field of `xsd_attrs`, which has no effect.
    fn plain_field(&mut self) -> Result<(), Wrong> {
        if let Kind::Int(_) = self.peek().kind {
            self.next();
            self.sign(':')?;
        }
        if !self.takes_word("required") {
            self.takes_word("optional");
        }
        self.type_name(0)?;
        self.simple("the name of a field")?;
        if self.takes('=') {
            self.value(0)?;
        }
        self.annotations()?;
        self.separator();
        Ok(())
    }

    fn method(&mut self) -> Result<Method, Wrong> {
        let comment = self.comment();
        let oneway = self.takes_word("oneway") || self.takes_word("async");
        let returns = if self.takes_word("void") { None } else { Some(self.type_name(0)?) };
        let name = self.simple("the name of a method")?;
        let arguments = self.list('(', ')', Self::field)?;
        let throws = match self.takes_word("throws") {
            true => self.list('(', ')', Self::field)?,
            false => Vec::new(),
        };
        self.annotations()?;
        self.separator();
        Ok(Method { name, oneway, returns, arguments, throws, comment })
    }

    fn type_name(&mut self, depth: usize) -> Result<TypeName, Wrong> {
        let place = self.place();
        if depth > MAX_DEPTH {
            return Err(wrong(place, format!("types are nested more than {MAX_DEPTH} deep")));
        }
        let name = self.name("a type")?.text;
        let kind = match name.as_str() {
            "list" | "set" | "map" => {
                self.cpp_type()?;
                self.sign('<')?;
                let first = Box::new(self.type_name(depth + 1)?);
                let kind = match name.as_str() {
                    "list" => TypeKind::List(first),
                    "set" => TypeKind::Set(first),
                    _ => {
                        self.sign(',')?;
                        TypeKind::Map(first, Box::new(self.type_name(depth + 1)?))
                    }
                };
                self.sign('>')?;
                self.cpp_type()?;
                kind
            }
            _ => TypeKind::Name(name),
        };
        self.annotations()?;
        Ok(TypeName { place, kind })
    }

    fn cpp_type(&mut self) -> Result<(), Wrong> {
        if self.takes_word("cpp_type") {
            self.text("a type of C++, in quotes")?;
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, Wrong> {
        let place = self.place();
        if depth > MAX_DEPTH {
            return Err(wrong(place, format!("values are nested more than {MAX_DEPTH} deep")));
        }
        let kind = match self.peek().kind.clone() {
            Kind::Int(value) => ValueKind::Int(value),
            Kind::Double(value) => ValueKind::Double(value),
            Kind::Text(text) => ValueKind::Text(text),
            Kind::Name(name) => ValueKind::Name(name),
            Kind::Sign('[') => {
                let of = |parser: &mut Self| {
                    let value = parser.value(depth + 1)?;
                    parser.separator();
                    Ok(value)
                };
                return Ok(Value { place, kind: ValueKind::List(self.list('[', ']', of)?) });
            }
            Kind::Sign('{') => {
                let of = |parser: &mut Self| {
                    let key = parser.value(depth + 1)?;
                    parser.sign(':')?;
                    let value = parser.value(depth + 1)?;
                    parser.separator();
                    Ok((key, value))
                };
                return Ok(Value { place, kind: ValueKind::Map(self.list('{', '}', of)?) });
            }
            _ => return self.expected("a value"),
        };
        self.next();
        Ok(Value { place, kind })
    }

    /// Reads annotations, `(name = "text", …)`, which have no effect.
    fn annotations(&mut self) -> Result<(), Wrong> {
        if self.is_sign('(') {
            self.list('(', ')', |parser| {
                parser.name("an annotation")?;
                if parser.takes('=') {
                    parser.text("a text")?;
                }
                parser.separator();
                Ok(())
            })?;
        }
        Ok(())
    }
}

fn shown(kind: &Kind) -> String {
    match kind {
        Kind::Name(text) => format!("`{text}`"),
        Kind::Int(value) => format!("`{value}`"),
        Kind::Double(value) => format!("`{value}`"),
        Kind::Text(text) => format!("the text {text:?}"),
        Kind::Sign(sign) => format!("`{sign}`"),
        Kind::End => "the end of the file".to_owned(),
    }
}

//! Parses tokens into the declarations of one file. Names are not resolved here.

use crate::{
    Scalar, Value as Number, function,
    lexer::{Kind, Token, Wrong, tokens},
    scalar::integer,
};

/// A parsed file.
#[derive(Default)]
pub(crate) struct File {
    pub includes: Vec<(usize, String)>,
    pub declarations: Vec<Declaration>,
    /// Namespace and name of the `root_type`.
    pub root: Option<(usize, String, String)>,
    pub identifier: Option<String>,
    /// Attributes that it declares, for itself and for the files that include it.
    pub attributes: Vec<String>,
    /// Attributes that are used without an earlier declaration, with their lines.
    pub foreign_attributes: Vec<(usize, String)>,
}

pub(crate) struct Declaration {
    pub line: usize,
    pub namespace: String,
    pub name: String,
    pub comment: String,
    pub attributes: Attributes,
    pub what: What,
}

pub(crate) enum What {
    Table(Vec<Field>),
    Struct(Vec<Field>),
    /// The name of the enum's number type, and the values.
    Enum(String, Vec<Variant>),
    /// The name of its number type, if given, and the variants.
    Union(Option<String>, Vec<Variant>),
    Service(Vec<Method>),
}

pub(crate) struct Field {
    pub line: usize,
    pub name: String,
    pub kind: TypeName,
    pub default: Option<Default>,
    pub comment: String,
    pub attributes: Attributes,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Default {
    Null,
    /// A number or a name, as written.
    Value(String),
    Text(String),
    /// `[]`, an empty vector.
    Empty,
}

pub(crate) enum TypeName {
    Name(String),
    Vector(Box<TypeName>),
    Array(Box<TypeName>, usize),
}

/// A value of an enum, or a variant of a union.
pub(crate) struct Variant {
    pub line: usize,
    pub name: String,
    /// The type of a union's variant, if it differs from the name.
    pub of: Option<String>,
    pub value: Option<String>,
    pub comment: String,
}

pub(crate) struct Method {
    pub line: usize,
    pub name: String,
    pub request: String,
    pub response: String,
    pub comment: String,
    pub attributes: Attributes,
}

/// The attributes in parentheses after a declaration.
#[derive(Default)]
pub(crate) struct Attributes(Vec<(String, Option<Value>)>);

/// The value of an attribute.
pub(crate) enum Value {
    /// A number or a name, as written.
    Plain(String),
    Text(String),
}

impl Attributes {
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        let (Value::Plain(value) | Value::Text(value)) = self.get(name)?;
        Some(value)
    }

    /// The value of an attribute, if it is a quoted text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            Value::Plain(_) => None,
        }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.as_ref())
    }
}

/// Attributes that do not change the layout of a message, or that are handled where they are allowed. Others
/// have to be declared by `attribute`, and are ignored here.
const KNOWN: [&str; 26] = [
    "force_align",
    "deprecated",
    "required",
    "key",
    "shared",
    "hash",
    "id",
    "bit_flags",
    "original_order",
    "nested_flatbuffer",
    "flexbuffer",
    "streaming",
    "idempotent",
    "private",
    "csharp_partial",
    "cpp_type",
    "cpp_ptr_type",
    "cpp_ptr_type_get",
    "cpp_str_type",
    "cpp_str_flex_ctor",
    "native_inline",
    "native_custom_alloc",
    "native_type",
    "native_type_pack_name",
    "native_default",
    "native_include",
];

/// Attributes that change the layout of a message and are not supported: messages would be misread.
const REFUSED: [&str; 2] = ["vector64", "offset64"];

/// The maximum nesting of functions in a default, such as `sin(rad(90))`.
const MAX_FUNCTIONS: u32 = 16;

pub(crate) fn file(source: &str) -> Result<File, Wrong> {
    let mut parser = Parser {
        tokens: tokens(source)?,
        at: 0,
        namespace: String::new(),
        comment: String::new(),
        begun: false,
        declared: Vec::new(),
        foreign: Vec::new(),
    };
    let mut file = File::default();
    while !parser.is(&Kind::End) {
        parser.declaration(&mut file)?;
    }
    (file.attributes, file.foreign_attributes) = (parser.declared, parser.foreign);
    Ok(file)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    namespace: String,
    /// Documentation before the current token.
    comment: String,
    /// Whether anything other than includes was read.
    begun: bool,
    /// Declared attributes.
    declared: Vec<String>,
    /// Attributes that were used without a declaration.
    foreign: Vec<(usize, String)>,
}

impl Parser {
    /// The current token; comments before it are skipped and kept.
    fn peek(&mut self) -> &Token {
        while let Kind::Doc(line) = &self.tokens[self.at].kind {
            if !self.comment.is_empty() {
                self.comment.push('\n');
            }
            self.comment.push_str(line);
            self.at += 1;
        }
        &self.tokens[self.at]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&mut self, kind: &Kind) -> bool {
        self.peek().kind == *kind
    }

    fn line(&mut self) -> usize {
        self.peek().line
    }

    /// Consumes a character if it is the next token.
    fn takes(&mut self, sign: char) -> bool {
        let found = self.is(&Kind::Sign(sign));
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: char) -> Result<(), Wrong> {
        let (line, found) = (self.line(), shown(&self.peek().kind));
        if self.takes(sign) { Ok(()) } else { Err((line, format!("expected `{sign}`, found {found}"))) }
    }

    fn name(&mut self) -> Result<String, Wrong> {
        match self.next() {
            Token { kind: Kind::Name(name), .. } => Ok(name),
            other => Err((other.line, format!("expected a name, found {}", shown(&other.kind)))),
        }
    }

    fn text(&mut self) -> Result<String, Wrong> {
        match self.next() {
            Token { kind: Kind::Text(text), .. } => Ok(text),
            other => Err((other.line, format!("expected a text, found {}", shown(&other.kind)))),
        }
    }

    /// A number, a name or a text: the possible tokens after `=`, or after `:` of an attribute.
    fn value(&mut self) -> Result<String, Wrong> {
        match self.next() {
            Token { kind: Kind::Number(value) | Kind::Name(value) | Kind::Text(value), .. } => Ok(value),
            other => Err((other.line, format!("expected a value, found {}", shown(&other.kind)))),
        }
    }

    fn attribute_value(&mut self) -> Result<Value, Wrong> {
        let quoted = matches!(self.peek().kind, Kind::Text(_));
        let value = self.value()?;
        Ok(if quoted { Value::Text(value) } else { Value::Plain(value) })
    }

    fn comment(&mut self) -> String {
        self.peek();
        std::mem::take(&mut self.comment)
    }

    fn declaration(&mut self, file: &mut File) -> Result<(), Wrong> {
        let comment = self.comment();
        let line = self.line();
        let keyword = self.name()?;
        let begun = !matches!(keyword.as_str(), "include" | "native_include");
        if self.begun && !begun {
            return Err((line, "includes stand in front of everything else".to_owned()));
        }
        self.begun |= begun;
        match keyword.as_str() {
            "include" | "native_include" => {
                let included = self.text()?;
                if keyword == "include" {
                    file.includes.push((line, included));
                }
                return self.sign(';');
            }
            "namespace" => {
                self.namespace = if self.is(&Kind::Sign(';')) { String::new() } else { self.name()? };
                return self.sign(';');
            }
            "attribute" => {
                let name = self.value()?;
                self.declared.push(name);
                return self.sign(';');
            }
            "root_type" => {
                file.root = Some((line, self.namespace.clone(), self.name()?));
                return self.sign(';');
            }
            "file_identifier" => {
                let text = self.text()?;
                if text.len() != 4 {
                    return Err((line, "a file_identifier has four bytes".to_owned()));
                }
                file.identifier = Some(text);
                return self.sign(';');
            }
            "file_extension" => {
                self.text()?;
                return self.sign(';');
            }
            _ => {}
        }
        let name = self.name()?;
        if name.contains('.') {
            return Err((line, format!("`{name}` is declared with dots in its name")));
        }
        let base = match keyword.as_str() {
            "enum" => {
                self.sign(':')?;
                Some(self.name()?)
            }
            "union" if self.takes(':') => Some(self.name()?),
            _ => None,
        };
        let attributes = self.attributes()?;
        let what = match keyword.as_str() {
            "table" => What::Table(self.list(Self::field, ';')?),
            "struct" => What::Struct(self.list(Self::field, ';')?),
            "enum" => What::Enum(base.unwrap_or_default(), self.list(Self::variant, ',')?),
            "union" => What::Union(base, self.list(Self::variant, ',')?),
            "rpc_service" => What::Service(self.list(Self::method, ';')?),
            other => return Err((line, format!("`{other}` declares nothing that is known"))),
        };
        let namespace = self.namespace.clone();
        file.declarations.push(Declaration { line, namespace, name, comment, attributes, what });
        Ok(())
    }

    /// A list between braces, with a `;` after each item, or a `,` between items.
    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Wrong>,
        separator: char,
    ) -> Result<Vec<T>, Wrong> {
        self.sign('{')?;
        let mut all = Vec::new();
        while !self.is(&Kind::Sign('}')) {
            all.push(one(self)?);
            if !self.takes(separator) && (separator == ';' || !self.is(&Kind::Sign('}'))) {
                self.sign(separator)?;
            }
        }
        self.sign('}')?;
        self.comment.clear();
        Ok(all)
    }

    fn field(&mut self) -> Result<Field, Wrong> {
        let comment = self.comment();
        let line = self.line();
        let name = self.name()?;
        self.sign(':')?;
        let kind = self.type_name()?;
        let default = match self.takes('=') {
            true => Some(self.default()?),
            false => None,
        };
        Ok(Field { line, name, kind, default, comment, attributes: self.attributes()? })
    }

    fn default(&mut self) -> Result<Default, Wrong> {
        if self.takes('[') {
            self.sign(']')?;
            return Ok(Default::Empty);
        }
        if let Kind::Text(text) = &self.peek().kind {
            let text = text.clone();
            self.next();
            return Ok(Default::Text(text));
        }
        if let Some(value) = self.function(0)? {
            return Ok(Default::Value(value));
        }
        Ok(match self.value()?.as_str() {
            "null" => Default::Null,
            value => Default::Value(value.to_owned()),
        })
    }

    /// The value of a function, if the next tokens are one: a parenthesis after a name may also begin the
    /// attributes of the field.
    fn function(&mut self, depth: u32) -> Result<Option<String>, Wrong> {
        let line = self.line();
        let Kind::Name(name) = &self.peek().kind else { return Ok(None) };
        let name = name.clone();
        let ahead = |at: usize| self.tokens.get(self.at + at).map(|token| &token.kind);
        let argument = match ahead(2) {
            Some(Kind::Number(_)) => true,
            Some(Kind::Name(name)) => function::is_known(name) && ahead(3) == Some(&Kind::Sign('(')),
            _ => false,
        };
        if !function::is_known(&name) || ahead(1) != Some(&Kind::Sign('(')) || !argument {
            return Ok(None);
        }
        if depth > MAX_FUNCTIONS {
            return Err((line, format!("functions nested more than {MAX_FUNCTIONS} deep")));
        }
        self.next();
        self.sign('(')?;
        let argument = match self.function(depth + 1)? {
            Some(value) => value,
            None => self.value()?,
        };
        self.sign(')')?;
        let number = Scalar::named("double").and_then(|double| double.parse(&argument));
        match number {
            Some(Number::Float(number)) => Ok(function::value(&name, number)),
            _ => Err((line, format!("`{argument}` is not a number"))),
        }
    }

    fn type_name(&mut self) -> Result<TypeName, Wrong> {
        if !self.takes('[') {
            return Ok(TypeName::Name(self.name()?));
        }
        let line = self.line();
        if self.is(&Kind::Sign('[')) {
            return Err((line, "a vector of vectors or arrays is not supported".to_owned()));
        }
        let of = Box::new(TypeName::Name(self.name()?));
        let kind = match self.takes(':') {
            false => TypeName::Vector(of),
            true => {
                let length = integer(&self.value()?).and_then(|length| usize::try_from(length).ok());
                let length = length.filter(|length| (1..=u16::MAX.into()).contains(length));
                TypeName::Array(of, length.ok_or((line, "an array has 1 to 65535 values".to_owned()))?)
            }
        };
        self.sign(']')?;
        Ok(kind)
    }

    fn variant(&mut self) -> Result<Variant, Wrong> {
        let comment = self.comment();
        let line = self.line();
        let name = self.name()?;
        let of = if self.takes(':') { Some(self.name()?) } else { None };
        let value = if self.takes('=') { Some(self.value()?) } else { None };
        self.attributes()?;
        Ok(Variant { line, name, of, value, comment })
    }

    fn method(&mut self) -> Result<Method, Wrong> {
        let comment = self.comment();
        let line = self.line();
        let name = self.name()?;
        self.sign('(')?;
        let request = self.name()?;
        self.sign(')')?;
        self.sign(':')?;
        let response = self.name()?;
        Ok(Method { line, name, request, response, comment, attributes: self.attributes()? })
    }

    fn attributes(&mut self) -> Result<Attributes, Wrong> {
        let mut attributes = Attributes::default();
        if self.takes('(') {
            while !self.takes(')') {
                let line = self.line();
                let name = self.value()?;
                if REFUSED.contains(&name.as_str()) {
                    return Err((line, format!("`{name}` is not supported")));
                }
                if !KNOWN.contains(&name.as_str()) && !self.declared.contains(&name) {
                    self.foreign.push((line, name.clone()));
                }
                let value = if self.takes(':') { Some(self.attribute_value()?) } else { None };
                attributes.0.push((name, value));
                if !self.takes(',') && !self.is(&Kind::Sign(')')) {
                    self.sign(')')?;
                }
            }
        }
        Ok(attributes)
    }
}

fn shown(kind: &Kind) -> String {
    match kind {
        Kind::Name(text) | Kind::Number(text) => format!("`{text}`"),
        Kind::Text(text) => format!("\"{text}\""),
        Kind::Sign(sign) => format!("`{sign}`"),
        Kind::Doc(_) => "a comment".to_owned(),
        Kind::End => "the end of the file".to_owned(),
    }
}

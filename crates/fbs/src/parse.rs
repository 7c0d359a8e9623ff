//! Tokens to the declarations of one file. Names are not looked up here.

use crate::lexer::{Kind, Token, Wrong, tokens};

/// One file.
#[derive(Default)]
pub(crate) struct File {
    pub includes: Vec<(usize, String)>,
    pub declarations: Vec<Declaration>,
    /// Namespace and name of the `root_type`.
    pub root: Option<(usize, String, String)>,
    pub identifier: Option<String>,
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
    /// Name of the type of its numbers.
    Enum(String, Vec<Variant>),
    Union(Vec<Variant>),
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
    /// A number or a name, as it is written.
    Value(String),
}

pub(crate) enum TypeName {
    Name(String),
    Vector(Box<TypeName>),
    Array(Box<TypeName>, usize),
}

/// Of an enum, or of a union.
pub(crate) struct Variant {
    pub line: usize,
    pub name: String,
    /// Of a union, where it is not the name.
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

/// What stands in parentheses behind a declaration.
#[derive(Default)]
pub(crate) struct Attributes(Vec<(String, Option<String>)>);

impl Attributes {
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.as_deref())
    }
}

pub(crate) fn file(source: &str) -> Result<File, Wrong> {
    let mut parser =
        Parser { tokens: tokens(source)?, at: 0, namespace: String::new(), comment: String::new() };
    let mut file = File::default();
    while !parser.is(&Kind::End) {
        parser.declaration(&mut file)?;
    }
    Ok(file)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    namespace: String,
    /// Documentation read before the token at hand.
    comment: String,
}

impl Parser {
    /// The token at hand, comments read over and kept.
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

    /// Takes a sign if it is the next one.
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

    /// A number, a name or a text: whatever may stand behind `=` or `:` of an attribute.
    fn value(&mut self) -> Result<String, Wrong> {
        match self.next() {
            Token { kind: Kind::Number(value) | Kind::Name(value) | Kind::Text(value), .. } => Ok(value),
            other => Err((other.line, format!("expected a value, found {}", shown(&other.kind)))),
        }
    }

    fn comment(&mut self) -> String {
        self.peek();
        std::mem::take(&mut self.comment)
    }

    fn declaration(&mut self, file: &mut File) -> Result<(), Wrong> {
        let comment = self.comment();
        let line = self.line();
        let keyword = self.name()?;
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
                self.value()?;
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
                self.name()?
            }
            _ => String::new(),
        };
        let attributes = self.attributes()?;
        let what = match keyword.as_str() {
            "table" => What::Table(self.list(Self::field, ';')?),
            "struct" => What::Struct(self.list(Self::field, ';')?),
            "enum" => What::Enum(base, self.list(Self::variant, ',')?),
            "union" => What::Union(self.list(Self::variant, ',')?),
            "rpc_service" => What::Service(self.list(Self::method, ';')?),
            other => return Err((line, format!("`{other}` declares nothing that is known"))),
        };
        let namespace = self.namespace.clone();
        file.declarations.push(Declaration { line, namespace, name, comment, attributes, what });
        Ok(())
    }

    /// What stands between braces: behind each a `;`, or between them a `,`.
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
            true => match self.value()?.as_str() {
                "null" => Some(Default::Null),
                value => Some(Default::Value(value.to_owned())),
            },
            false => None,
        };
        Ok(Field { line, name, kind, default, comment, attributes: self.attributes()? })
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
                let length =
                    self.value()?.parse().ok().filter(|length| (1..=u16::MAX.into()).contains(length));
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
                let name = self.value()?;
                let value = if self.takes(':') { Some(self.value()?) } else { None };
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

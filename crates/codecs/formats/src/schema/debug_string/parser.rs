//! Reads one definition. Goes down with nested messages alone, at most as deep as a set may; all else is a
//! loop.

use super::{
    Declared, PROTO3,
    lexer::{Lexer, Token},
};
use crate::schema::{
    SchemaError,
    bounds::{MOST_LEVELS, at_most},
};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, MessageOptions, OneofDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

pub struct Parser<'p, 't> {
    lexer: Lexer<'t>,
    pub(super) declared: &'p mut Declared,
    full_name: &'t str,
    /// The full name of the declaration that is being read.
    pub(super) scope: String,
    levels: usize,
    /// Whether a field has no label that would have one in proto2; whether one is as only proto2 has it, or
    /// either.
    is_bare: bool,
    is_labelled: bool,
}

pub(super) type Read<T> = Result<T, SchemaError>;

impl<'p, 't> Parser<'p, 't> {
    pub fn new(text: &'t str, full_name: &'t str, declared: &'p mut Declared) -> Self {
        let scope = full_name.rsplit_once('.').map_or("", |(package, _)| package).to_owned();
        let lexer = Lexer::new(text);
        Parser { lexer, declared, full_name, scope, levels: 0, is_bare: false, is_labelled: false }
    }

    pub fn definition(mut self) -> Read<FileDescriptorProto> {
        let (what, named) = (self.word()?, self.word()?);
        let name = self.full_name.rsplit('.').next().unwrap_or_default();
        // Our own pages write the full name.
        if named != name && named != self.full_name {
            return Err(self.wrong("is of something else"));
        }
        self.symbol(b'{')?;
        let mut file = FileDescriptorProto {
            name: Some(self.full_name.to_owned()),
            package: (!self.scope.is_empty()).then(|| self.scope.clone()),
            ..FileDescriptorProto::default()
        };
        match what {
            "message" => file.message_type.push(self.message(name)?),
            "enum" => file.enum_type.push(self.enumeration(name)?),
            "service" => file.service.push(self.service(name)?),
            _ => return Err(self.wrong("is no message, enum or service")),
        }
        if self.next()? != Token::End {
            return Err(self.wrong("does not end where it should"));
        }
        file.syntax = (self.is_bare || !self.is_labelled).then(|| PROTO3.to_owned());
        Ok(file)
    }

    /// A message behind its opening brace.
    fn message(&mut self, name: &str) -> Read<DescriptorProto> {
        self.levels += 1;
        at_most(self.levels, MOST_LEVELS, "levels of messages in messages")?;
        let around = self.enter(name);
        self.declared.type_of(&self.scope)?;
        let mut message = DescriptorProto { name: Some(name.to_owned()), ..DescriptorProto::default() };
        while let Some(first) = self.item()? {
            match first {
                "message" => {
                    let name = self.opened()?;
                    message.nested_type.push(self.message(name)?);
                }
                "enum" => {
                    let name = self.opened()?;
                    message.enum_type.push(self.enumeration(name)?);
                }
                "oneof" => self.oneof(&mut message)?,
                "extend" => {
                    self.opened()?;
                    self.skip_to(b'}')?;
                }
                "option" | "extensions" | "reserved" => self.skip_to(b';')?,
                first => self.field(first, None, &mut message)?,
            }
        }
        self.levels -= 1;
        self.scope.truncate(around);
        Ok(message)
    }

    fn oneof(&mut self, message: &mut DescriptorProto) -> Read<()> {
        let index = message.oneof_decl.len() as i32;
        let name = match self.next()? {
            Token::Word(name) => {
                self.symbol(b'{')?;
                name.to_owned()
            }
            Token::Symbol(b'{') => format!("oneof_{index}"),
            _ => return Err(self.unexpected()),
        };
        self.declared.field(&self.scope, &name)?;
        message.oneof_decl.push(OneofDescriptorProto { name: Some(name), ..OneofDescriptorProto::default() });
        while let Some(first) = self.item()? {
            match first {
                "option" => self.skip_to(b';')?,
                first => self.field(first, Some(index), message)?,
            }
        }
        Ok(())
    }

    /// A field behind its first word, which is its label or its type.
    fn field(&mut self, first: &'t str, oneof: Option<i32>, message: &mut DescriptorProto) -> Read<()> {
        let label = match first {
            "optional" => Some(Label::LABEL_OPTIONAL),
            "required" => Some(Label::LABEL_REQUIRED),
            "repeated" => Some(Label::LABEL_REPEATED),
            _ => None,
        };
        let type_name = if label.is_some() { self.word()? } else { first };
        self.is_labelled |= matches!(first, "optional" | "required") || type_name == "group";
        let mut field = FieldDescriptorProto { label, oneof_index: oneof, ..FieldDescriptorProto::default() };
        let entry = if type_name == "map" { Some(self.key_and_value()?) } else { None };
        let name = self.word()?;
        self.declared.field(&self.scope, name)?;
        self.symbol(b'=')?;
        field.number = Some(self.number()?);
        field.name = Some(name.to_owned());
        let end = self.options(&mut field)?;
        match (entry, type_name, end) {
            (Some(fields), _, b';') => {
                let nested = self.entry(name, fields)?;
                field.type_name =
                    Some(format!(".{}.{}", self.scope, nested.name.as_deref().unwrap_or_default()));
                field.label = Some(Label::LABEL_REPEATED);
                message.nested_type.push(nested);
            }
            (None, "group", b'{') => {
                field.r#type = Some(Type::TYPE_GROUP);
                field.type_name = Some(format!(".{}.{name}", self.scope));
                field.name = Some(name.to_ascii_lowercase());
                message.nested_type.push(self.message(name)?);
            }
            (None, _, b';') => {
                set_type(&mut field, type_name);
                self.is_bare |= label.is_none() && oneof.is_none();
            }
            _ => return Err(self.unexpected()),
        }
        message.field.push(field);
        Ok(())
    }

    /// `<string, .shop.Item>`
    fn key_and_value(&mut self) -> Read<[&'t str; 2]> {
        self.symbol(b'<')?;
        let key = self.word()?;
        self.symbol(b',')?;
        let value = self.word()?;
        self.symbol(b'>')?;
        Ok([key, value])
    }

    /// The message that a map repeats.
    fn entry(&mut self, field: &str, types: [&str; 2]) -> Read<DescriptorProto> {
        let name: String = field.split('_').map(capitalized).chain(["Entry".to_owned()]).collect();
        let around = self.enter(&name);
        self.declared.type_of(&self.scope)?;
        let mut entry = DescriptorProto {
            name: Some(name),
            options: MessageOptions { map_entry: Some(true), ..MessageOptions::default() }.into(),
            ..DescriptorProto::default()
        };
        for ((number, name), type_name) in (1..).zip(["key", "value"]).zip(types) {
            self.declared.field(&self.scope, name)?;
            let mut part = FieldDescriptorProto {
                name: Some(name.to_owned()),
                number: Some(number),
                ..FieldDescriptorProto::default()
            };
            set_type(&mut part, type_name);
            entry.field.push(part);
        }
        self.scope.truncate(around);
        Ok(entry)
    }

    /// What follows a number: perhaps options, then `;` or the `{` of a group, which is returned.
    fn options(&mut self, field: &mut FieldDescriptorProto) -> Read<u8> {
        let (mut depth, mut before) = (0, [Token::End; 2]);
        loop {
            let token = self.next()?;
            match (before, token) {
                (_, Token::Symbol(end @ (b';' | b'{'))) if depth == 0 => return Ok(end),
                (_, Token::Symbol(b'[' | b'{')) => depth += 1,
                (_, Token::Symbol(b']' | b'}')) if depth > 0 => depth -= 1,
                // A name with escapes is left as it would be without this option.
                ([Token::Word("json_name"), Token::Symbol(b'=')], Token::Text(name))
                    if depth == 1 && !name.contains('\\') =>
                {
                    field.json_name = Some(name.to_owned());
                }
                (_, Token::End) => return Err(self.unexpected()),
                _ if depth == 0 => return Err(self.unexpected()),
                _ => {}
            }
            before = [before[1], token];
        }
    }

    fn enumeration(&mut self, name: &str) -> Read<EnumDescriptorProto> {
        let around = self.enter(name);
        self.declared.type_of(&self.scope)?;
        let mut found = EnumDescriptorProto { name: Some(name.to_owned()), ..EnumDescriptorProto::default() };
        while let Some(first) = self.item()? {
            if matches!(first, "option" | "reserved") {
                self.skip_to(b';')?;
                continue;
            }
            self.part(first)?;
            self.symbol(b'=')?;
            let number = Some(self.number()?);
            self.skip_to(b';')?;
            let name = Some(first.to_owned());
            found.value.push(EnumValueDescriptorProto {
                name,
                number,
                ..EnumValueDescriptorProto::default()
            });
        }
        self.scope.truncate(around);
        Ok(found)
    }

    /// Enters a scope. Returns the length of the one around it.
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let around = self.scope.len();
        if around > 0 {
            self.scope.push('.');
        }
        self.scope.push_str(name);
        around
    }

    /// Counts a value or a method.
    pub(super) fn part(&mut self, name: &str) -> Read<()> {
        let around = self.enter(name);
        self.declared.other(&self.scope)?;
        self.scope.truncate(around);
        Ok(())
    }

    /// The first word of what a declaration has; `None`: its closing brace.
    pub(super) fn item(&mut self) -> Read<Option<&'t str>> {
        loop {
            match self.next()? {
                Token::Word(first) => return Ok(Some(first)),
                Token::Symbol(b'}') => return Ok(None),
                Token::Symbol(b';') => {}
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// A name and an opening brace.
    fn opened(&mut self) -> Read<&'t str> {
        let name = self.word()?;
        self.symbol(b'{')?;
        Ok(name)
    }

    /// Skips up to this symbol, outside of brackets that begin here.
    pub(super) fn skip_to(&mut self, end: u8) -> Read<()> {
        let mut depth = 0;
        loop {
            match self.next()? {
                Token::Symbol(symbol) if symbol == end && depth == 0 => return Ok(()),
                Token::Symbol(b'{' | b'[' | b'(') => depth += 1,
                Token::Symbol(b'}' | b']' | b')') if depth > 0 => depth -= 1,
                Token::End | Token::Symbol(b'}' | b']' | b')') => return Err(self.unexpected()),
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Read<i32> {
        let (sign, digits) = match self.next()? {
            Token::Symbol(b'-') => ("-", self.word()?),
            Token::Word(digits) => ("", digits),
            _ => return Err(self.unexpected()),
        };
        format!("{sign}{digits}").parse().map_err(|_| self.wrong("has a number that is none"))
    }

    pub(super) fn word(&mut self) -> Read<&'t str> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            _ => Err(self.unexpected()),
        }
    }

    pub(super) fn symbol(&mut self, symbol: u8) -> Read<()> {
        if self.next()? == Token::Symbol(symbol) { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn next(&mut self) -> Read<Token<'t>> {
        self.lexer.next().ok_or_else(|| self.wrong("has a text without an end"))
    }

    pub(super) fn unexpected(&self) -> SchemaError {
        self.wrong("is not as it should be")
    }

    fn wrong(&self, what: &str) -> SchemaError {
        SchemaError::new(format!("it {what}, before byte {}", self.lexer.at()))
    }
}

fn set_type(field: &mut FieldDescriptorProto, name: &str) {
    field.r#type = Some(match name {
        "double" => Type::TYPE_DOUBLE,
        "float" => Type::TYPE_FLOAT,
        "int64" => Type::TYPE_INT64,
        "uint64" => Type::TYPE_UINT64,
        "int32" => Type::TYPE_INT32,
        "fixed64" => Type::TYPE_FIXED64,
        "fixed32" => Type::TYPE_FIXED32,
        "bool" => Type::TYPE_BOOL,
        "string" => Type::TYPE_STRING,
        "bytes" => Type::TYPE_BYTES,
        "uint32" => Type::TYPE_UINT32,
        "sfixed32" => Type::TYPE_SFIXED32,
        "sfixed64" => Type::TYPE_SFIXED64,
        "sint32" => Type::TYPE_SINT32,
        "sint64" => Type::TYPE_SINT64,
        name => {
            field.type_name = Some(name.to_owned());
            return;
        }
    });
}

fn capitalized(part: &str) -> String {
    let mut characters = part.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}

//! Reads services and their methods.

use super::{
    lexer::Token,
    parser::{Parser, Read},
};
use buffa_descriptor::generated::descriptor::{
    MethodDescriptorProto, MethodOptions, ServiceDescriptorProto, method_options::IdempotencyLevel,
};

impl Parser<'_, '_> {
    pub(super) fn service(&mut self, name: &str) -> Read<ServiceDescriptorProto> {
        let around = self.enter(name);
        self.declared.other(&self.scope)?;
        let mut found =
            ServiceDescriptorProto { name: Some(name.to_owned()), ..ServiceDescriptorProto::default() };
        while let Some(first) = self.item()? {
            match first {
                "option" => self.skip_to(b';')?,
                "rpc" => found.method.push(self.method()?),
                _ => return Err(self.unexpected()),
            }
        }
        self.scope.truncate(around);
        Ok(found)
    }

    fn method(&mut self) -> Read<MethodDescriptorProto> {
        let name = self.word()?;
        self.part(name)?;
        let (client_streaming, input_type) = self.side()?;
        if self.word()? != "returns" {
            return Err(self.unexpected());
        }
        let (server_streaming, output_type) = self.side()?;
        let idempotency_level = match self.next()? {
            Token::Symbol(b';') => None,
            Token::Symbol(b'{') => self.idempotency()?,
            _ => return Err(self.unexpected()),
        };
        Ok(MethodDescriptorProto {
            name: Some(name.to_owned()),
            input_type: Some(input_type),
            output_type: Some(output_type),
            client_streaming: Some(client_streaming),
            server_streaming: Some(server_streaming),
            options: MethodOptions { idempotency_level, ..MethodOptions::default() }.into(),
            ..MethodDescriptorProto::default()
        })
    }

    /// The options of a method, of which one is kept.
    fn idempotency(&mut self) -> Read<Option<IdempotencyLevel>> {
        let mut level = None;
        while let Some(first) = self.item()? {
            if first != "option" {
                return Err(self.unexpected());
            }
            match self.next()? {
                Token::Word("idempotency_level") => {
                    self.symbol(b'=')?;
                    level = match self.word()? {
                        "NO_SIDE_EFFECTS" => Some(IdempotencyLevel::NO_SIDE_EFFECTS),
                        "IDEMPOTENT" => Some(IdempotencyLevel::IDEMPOTENT),
                        _ => None,
                    };
                }
                Token::Symbol(b'(') => self.skip_to(b')')?, // the name of an extension
                _ => {}
            }
            self.skip_to(b';')?;
        }
        Ok(level)
    }

    /// `(stream .shop.Item)`: whether it streams, and the message.
    fn side(&mut self) -> Read<(bool, String)> {
        self.symbol(b'(')?;
        let first = self.word()?;
        let (streams, name) = match self.next()? {
            Token::Symbol(b')') => return Ok((false, first.to_owned())),
            Token::Word(name) => (first == "stream", name),
            _ => return Err(self.unexpected()),
        };
        self.symbol(b')')?;
        if streams { Ok((true, name.to_owned())) } else { Err(self.unexpected()) }
    }
}

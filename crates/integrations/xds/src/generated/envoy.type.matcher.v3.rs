// Made by polywire-build from envoy/type/matcher/v3/matcher.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct RegexMatcher {
    /// Field 2: `regex`
    pub regex: ::std::string::String,
}
impl ::std::fmt::Debug for RegexMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RegexMatcher").field("regex", &self.regex).finish()
    }
}
impl RegexMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.RegexMatcher";
}
impl crate::generated::FieldMessage for RegexMatcher {}
crate::generated::buffa::impl_default_instance!(RegexMatcher);
impl crate::generated::buffa::MessageName for RegexMatcher {
    const PACKAGE: &'static str = "envoy.type.matcher.v3";
    const NAME: &'static str = "RegexMatcher";
    const FULL_NAME: &'static str = "envoy.type.matcher.v3.RegexMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.RegexMatcher";
}
impl crate::generated::buffa::Message for RegexMatcher {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.regex.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.regex) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.regex.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.regex, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.regex, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.regex.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RegexMatchAndSubstitute {
    /// Field 1: `pattern`
    pub pattern: crate::MessageField<RegexMatcher>,
    /// Field 2: `substitution`
    pub substitution: ::std::string::String,
}
impl ::std::fmt::Debug for RegexMatchAndSubstitute {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RegexMatchAndSubstitute")
            .field("pattern", &self.pattern)
            .field("substitution", &self.substitution)
            .finish()
    }
}
impl RegexMatchAndSubstitute {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.RegexMatchAndSubstitute";
}
impl crate::generated::FieldMessage for RegexMatchAndSubstitute {}
crate::generated::buffa::impl_default_instance!(RegexMatchAndSubstitute);
impl crate::generated::buffa::MessageName for RegexMatchAndSubstitute {
    const PACKAGE: &'static str = "envoy.type.matcher.v3";
    const NAME: &'static str = "RegexMatchAndSubstitute";
    const FULL_NAME: &'static str = "envoy.type.matcher.v3.RegexMatchAndSubstitute";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.RegexMatchAndSubstitute";
}
impl crate::generated::buffa::Message for RegexMatchAndSubstitute {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.pattern.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.pattern.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.substitution.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.substitution) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if self.pattern.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.pattern.write_to(__cache, buf);
        }
        if !self.substitution.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.substitution, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.pattern.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.substitution, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.pattern = crate::MessageField::none();
        self.substitution.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct StringMatcher {
    /// Field 6: `ignore_case`
    pub ignore_case: bool,
    pub match_pattern: ::std::option::Option<
        __buffa::oneof::string_matcher::MatchPattern,
    >,
}
impl ::std::fmt::Debug for StringMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("StringMatcher")
            .field("ignore_case", &self.ignore_case)
            .field("match_pattern", &self.match_pattern)
            .finish()
    }
}
impl StringMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.StringMatcher";
}
impl crate::generated::FieldMessage for StringMatcher {}
crate::generated::buffa::impl_default_instance!(StringMatcher);
impl crate::generated::buffa::MessageName for StringMatcher {
    const PACKAGE: &'static str = "envoy.type.matcher.v3";
    const NAME: &'static str = "StringMatcher";
    const FULL_NAME: &'static str = "envoy.type.matcher.v3.StringMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.matcher.v3.StringMatcher";
}
impl crate::generated::buffa::Message for StringMatcher {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if let ::std::option::Option::Some(ref v) = self.match_pattern {
            match v {
                __buffa::oneof::string_matcher::MatchPattern::Exact(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::string_matcher::MatchPattern::Prefix(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::string_matcher::MatchPattern::Suffix(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::string_matcher::MatchPattern::SafeRegex(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::string_matcher::MatchPattern::Contains(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
            }
        }
        if self.ignore_case {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if let ::std::option::Option::Some(ref v) = self.match_pattern {
            match v {
                __buffa::oneof::string_matcher::MatchPattern::Exact(x) => {
                    crate::generated::buffa::types::put_string_field(1u32, x, buf);
                }
                __buffa::oneof::string_matcher::MatchPattern::Prefix(x) => {
                    crate::generated::buffa::types::put_string_field(2u32, x, buf);
                }
                __buffa::oneof::string_matcher::MatchPattern::Suffix(x) => {
                    crate::generated::buffa::types::put_string_field(3u32, x, buf);
                }
                __buffa::oneof::string_matcher::MatchPattern::SafeRegex(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        5u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::string_matcher::MatchPattern::Contains(x) => {
                    crate::generated::buffa::types::put_string_field(7u32, x, buf);
                }
            }
        }
        if self.ignore_case {
            crate::generated::buffa::types::put_bool_field(6u32, self.ignore_case, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.match_pattern = ::std::option::Option::Some(
                    __buffa::oneof::string_matcher::MatchPattern::Exact(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.match_pattern = ::std::option::Option::Some(
                    __buffa::oneof::string_matcher::MatchPattern::Prefix(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.match_pattern = ::std::option::Option::Some(
                    __buffa::oneof::string_matcher::MatchPattern::Suffix(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::string_matcher::MatchPattern::SafeRegex(
                        ref mut existing,
                    ),
                ) = self.match_pattern
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.match_pattern = ::std::option::Option::Some(
                        __buffa::oneof::string_matcher::MatchPattern::SafeRegex(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.match_pattern = ::std::option::Option::Some(
                    __buffa::oneof::string_matcher::MatchPattern::Contains(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.ignore_case = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.match_pattern = ::std::option::Option::None;
        self.ignore_case = false;
    }
}
pub mod string_matcher {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::string_matcher::MatchPattern;
}
#[allow(
    non_camel_case_types,
    dead_code,
    unused_imports,
    unused_qualifications,
    clippy::derivable_impls,
    clippy::match_single_binding,
    clippy::uninlined_format_args,
    clippy::doc_lazy_continuation,
    clippy::module_inception
)]
pub mod __buffa {
    #[allow(unused_imports)]
    use super::*;
    pub mod oneof {
        #[allow(unused_imports)]
        use super::*;
        pub mod string_matcher {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum MatchPattern {
                Exact(::std::string::String),
                Prefix(::std::string::String),
                Suffix(::std::string::String),
                SafeRegex(::std::boxed::Box<super::super::super::RegexMatcher>),
                Contains(::std::string::String),
            }
            impl crate::generated::buffa::Oneof for MatchPattern {}
            impl From<super::super::super::RegexMatcher> for MatchPattern {
                fn from(v: super::super::super::RegexMatcher) -> Self {
                    Self::SafeRegex(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::RegexMatcher>
            for ::std::option::Option<MatchPattern> {
                fn from(v: super::super::super::RegexMatcher) -> Self {
                    Self::Some(MatchPattern::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.type.matcher.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(RegexMatcher, "envoy.type.matcher.v3.RegexMatcher", POOL, buffers { one regex; });
crate::generated::message!(RegexMatchAndSubstitute, "envoy.type.matcher.v3.RegexMatchAndSubstitute", POOL, buffers { one pattern; one substitution; });
crate::generated::message!(StringMatcher, "envoy.type.matcher.v3.StringMatcher", POOL);

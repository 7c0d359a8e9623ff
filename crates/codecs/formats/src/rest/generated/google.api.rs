// Made by polywire-build from google/api/httpbody.proto; changes are lost.

/// A body of HTTP of any content type, as a whole request or reply of a method or as a field of it. Over plain HTTP, by a
/// rule of `google.api.http`, `data` is the body as it is; everywhere else this is a message like any other.
#[derive(Clone, PartialEq, Default)]
pub struct HttpBody {
    /// Content type of the body; empty if it is not known.
    ///
    /// Field 1: `content_type`
    pub content_type: ::std::string::String,
    /// The body.
    ///
    /// Field 2: `data`
    pub data: ::std::vec::Vec<u8>,
    /// Data for programs, which plain HTTP does not carry.
    ///
    /// Field 3: `extensions`
    pub extensions: ::std::vec::Vec<crate::wkt::Any>,
}
impl ::std::fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HttpBody")
            .field("content_type", &self.content_type)
            .field("data", &self.data)
            .field("extensions", &self.extensions)
            .finish()
    }
}
impl HttpBody {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.api.HttpBody";
}
impl crate::generated::FieldMessage for HttpBody {}
crate::generated::buffa::impl_default_instance!(HttpBody);
impl crate::generated::buffa::MessageName for HttpBody {
    const PACKAGE: &'static str = "google.api";
    const NAME: &'static str = "HttpBody";
    const FULL_NAME: &'static str = "google.api.HttpBody";
    const TYPE_URL: &'static str = "type.googleapis.com/google.api.HttpBody";
}
impl crate::generated::buffa::Message for HttpBody {
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
        if !self.content_type.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.content_type) as u64;
        }
        if !self.data.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.data) as u64;
        }
        for v in &self.extensions {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
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
        if !self.content_type.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.content_type, buf);
        }
        if !self.data.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.data, buf);
        }
        for v in &self.extensions {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.content_type, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.data, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.extensions.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.content_type.clear();
        self.data.clear();
        self.extensions.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("google.api.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(HttpBody, "google.api.HttpBody", POOL, buffers { one content_type; one data; });

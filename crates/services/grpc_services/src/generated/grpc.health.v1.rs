// Made by polywire-build from grpc/health/v1/health.proto; changes are lost.

/// Whose health is asked for.
#[derive(Clone, PartialEq, Default)]
pub struct HealthCheckRequest {
    /// Full name of a service; empty for the server as a whole.
    ///
    /// Field 1: `service`
    pub service: ::std::string::String,
}
impl ::std::fmt::Debug for HealthCheckRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HealthCheckRequest").field("service", &self.service).finish()
    }
}
impl HealthCheckRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthCheckRequest";
}
impl crate::generated::FieldMessage for HealthCheckRequest {}
crate::generated::buffa::impl_default_instance!(HealthCheckRequest);
impl crate::generated::buffa::MessageName for HealthCheckRequest {
    const PACKAGE: &'static str = "grpc.health.v1";
    const NAME: &'static str = "HealthCheckRequest";
    const FULL_NAME: &'static str = "grpc.health.v1.HealthCheckRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthCheckRequest";
}
impl crate::generated::buffa::Message for HealthCheckRequest {
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
        if !self.service.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.service) as u64;
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
        if !self.service.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.service, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.service, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.service.clear();
    }
}
/// How it is.
#[derive(Clone, PartialEq, Default)]
pub struct HealthCheckResponse {
    /// Field 1: `status`
    pub status: crate::EnumValue<health_check_response::ServingStatus>,
}
impl ::std::fmt::Debug for HealthCheckResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HealthCheckResponse").field("status", &self.status).finish()
    }
}
impl HealthCheckResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthCheckResponse";
}
impl crate::generated::FieldMessage for HealthCheckResponse {}
crate::generated::buffa::impl_default_instance!(HealthCheckResponse);
impl crate::generated::buffa::MessageName for HealthCheckResponse {
    const PACKAGE: &'static str = "grpc.health.v1";
    const NAME: &'static str = "HealthCheckResponse";
    const FULL_NAME: &'static str = "grpc.health.v1.HealthCheckResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthCheckResponse";
}
impl crate::generated::buffa::Message for HealthCheckResponse {
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
        {
            let val = self.status.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
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
        {
            let val = self.status.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
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
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.status = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.status = crate::EnumValue::from(0);
    }
}
pub mod health_check_response {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum ServingStatus {
        UNKNOWN = 0i32,
        SERVING = 1i32,
        NOT_SERVING = 2i32,
        /// No such service; said by Watch only.
        SERVICE_UNKNOWN = 3i32,
    }
    impl ServingStatus {
        ///Idiomatic alias for [`Self::UNKNOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Unknown: Self = Self::UNKNOWN;
        ///Idiomatic alias for [`Self::SERVING`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Serving: Self = Self::SERVING;
        ///Idiomatic alias for [`Self::NOT_SERVING`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const NotServing: Self = Self::NOT_SERVING;
        ///Idiomatic alias for [`Self::SERVICE_UNKNOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const ServiceUnknown: Self = Self::SERVICE_UNKNOWN;
    }
    impl ::std::default::Default for ServingStatus {
        fn default() -> Self {
            Self::UNKNOWN
        }
    }
    impl crate::generated::FieldEnum for ServingStatus {}
    impl crate::generated::buffa::Enumeration for ServingStatus {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::UNKNOWN),
                1i32 => ::std::option::Option::Some(Self::SERVING),
                2i32 => ::std::option::Option::Some(Self::NOT_SERVING),
                3i32 => ::std::option::Option::Some(Self::SERVICE_UNKNOWN),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::UNKNOWN => "UNKNOWN",
                Self::SERVING => "SERVING",
                Self::NOT_SERVING => "NOT_SERVING",
                Self::SERVICE_UNKNOWN => "SERVICE_UNKNOWN",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "UNKNOWN" => ::std::option::Option::Some(Self::UNKNOWN),
                "SERVING" => ::std::option::Option::Some(Self::SERVING),
                "NOT_SERVING" => ::std::option::Option::Some(Self::NOT_SERVING),
                "SERVICE_UNKNOWN" => ::std::option::Option::Some(Self::SERVICE_UNKNOWN),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::UNKNOWN, Self::SERVING, Self::NOT_SERVING, Self::SERVICE_UNKNOWN]
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct HealthListRequest {}
impl ::std::fmt::Debug for HealthListRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HealthListRequest").finish()
    }
}
impl HealthListRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthListRequest";
}
impl crate::generated::FieldMessage for HealthListRequest {}
crate::generated::buffa::impl_default_instance!(HealthListRequest);
impl crate::generated::buffa::MessageName for HealthListRequest {
    const PACKAGE: &'static str = "grpc.health.v1";
    const NAME: &'static str = "HealthListRequest";
    const FULL_NAME: &'static str = "grpc.health.v1.HealthListRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthListRequest";
}
impl crate::generated::buffa::Message for HealthListRequest {
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
        let size = 0u64;
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        _buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
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
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {}
}
/// Everything that has a status, by name.
#[derive(Clone, PartialEq, Default)]
pub struct HealthListResponse {
    /// Field 1: `statuses`
    pub statuses: crate::Map<::std::string::String, HealthCheckResponse>,
}
impl ::std::fmt::Debug for HealthListResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HealthListResponse").field("statuses", &self.statuses).finish()
    }
}
impl HealthListResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthListResponse";
}
impl crate::generated::FieldMessage for HealthListResponse {}
crate::generated::buffa::impl_default_instance!(HealthListResponse);
impl crate::generated::buffa::MessageName for HealthListResponse {
    const PACKAGE: &'static str = "grpc.health.v1";
    const NAME: &'static str = "HealthListResponse";
    const FULL_NAME: &'static str = "grpc.health.v1.HealthListResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.health.v1.HealthListResponse";
}
impl crate::generated::buffa::Message for HealthListResponse {
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
        size
            += crate::generated::buffa::map_codec::message_field_len::<
                crate::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.statuses, 1u64, __cache);
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        crate::generated::buffa::map_codec::write_message_field::<
            crate::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.statuses, 1u32, __cache, buf);
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
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.statuses, buf, ctx)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.statuses);
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("grpc.health.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(HealthCheckRequest, "grpc.health.v1.HealthCheckRequest", POOL, buffers { one service; });
crate::generated::message!(HealthCheckResponse, "grpc.health.v1.HealthCheckResponse", POOL);
crate::generated::message!(HealthListRequest, "grpc.health.v1.HealthListRequest", POOL);
crate::generated::message!(HealthListResponse, "grpc.health.v1.HealthListResponse", POOL);

/// Whether a server, or one of its services, wants calls.
///
/// Service `grpc.health.v1.Health`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `grpc.health.v1.Health`",
    note = "write `impl Health for {Self}` with its methods: `check`, `list`, `watch`"
)]
pub trait Health: Send + Sync + 'static {
    /// The status now; NOT_FOUND for a service that has none.
    ///
    /// Method `Check`.
    fn check(
        &self,
        cx: &crate::Context,
        request: HealthCheckRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<HealthCheckResponse>, crate::Status>> + Send;

    /// All statuses now.
    ///
    /// Method `List`.
    fn list(
        &self,
        cx: &crate::Context,
        request: HealthListRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<HealthListResponse>, crate::Status>> + Send;

    /// The status now, and then each change.
    ///
    /// Method `Watch`, which answers with a stream. To be written as
    /// `async fn watch(…) -> Result<impl Stream<Item = Result<HealthCheckResponse, Status>>, Status>`.
    fn watch(
        &self,
        cx: &crate::Context,
        request: HealthCheckRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl crate::Stream<Item = Result<HealthCheckResponse, crate::Status>> + Send,
            crate::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> crate::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        crate::Service::new("grpc.health.v1.Health", DESCRIPTOR_SET)
            .unary::<health::Check<Self>>(&service)
            .unary::<health::List<Self>>(&service)
            .server_streaming::<health::Watch<Self>>(&service)
    }
}

/// The methods of [`Health`], each as a type.
pub mod health {
    /// `grpc.health.v1.Health/Check`.
    pub struct Check<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Health> crate::generated::Unary for Check<Impl> {
        type Service = Impl;
        type Request = super::HealthCheckRequest;
        type Response = super::HealthCheckResponse;
        const NAME: &'static str = "Check";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Health::check(service, cx, request)
        }
    }

    /// `grpc.health.v1.Health/List`.
    pub struct List<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Health> crate::generated::Unary for List<Impl> {
        type Service = Impl;
        type Request = super::HealthListRequest;
        type Response = super::HealthListResponse;
        const NAME: &'static str = "List";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Health::list(service, cx, request)
        }
    }

    /// `grpc.health.v1.Health/Watch`.
    pub struct Watch<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Health> crate::generated::ServerStreaming for Watch<Impl> {
        type Service = Impl;
        type Request = super::HealthCheckRequest;
        type Response = super::HealthCheckResponse;
        const NAME: &'static str = "Watch";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl crate::Stream<Item = Result<Self::Response, crate::Status>> + Send,
                crate::Status,
            >,
        > + Send {
            super::Health::watch(service, cx, request)
        }
    }
}

/// Whether a server, or one of its services, wants calls.
///
/// Calls `grpc.health.v1.Health` over a channel.
#[derive(Clone)]
pub struct HealthClient {
    channel: crate::Channel,
}

impl HealthClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: crate::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// The status now; NOT_FOUND for a service that has none.
    ///
    /// Method `Check`.
    #[inline]
    pub fn check(&self, request: HealthCheckRequest) -> crate::Call<HealthCheckResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.health.v1.Health", "Check").at(0), request)
    }

    /// All statuses now.
    ///
    /// Method `List`.
    #[inline]
    pub fn list(&self, request: HealthListRequest) -> crate::Call<HealthListResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.health.v1.Health", "List").at(1), request)
    }

    /// The status now, and then each change.
    ///
    /// Method `Watch`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch(&self, request: HealthCheckRequest) -> crate::StreamingCall<crate::Streaming<HealthCheckResponse>> {
        crate::generated::server_streaming(&self.channel, crate::Target::fixed("grpc.health.v1.Health", "Watch").at(2), request)
    }
}

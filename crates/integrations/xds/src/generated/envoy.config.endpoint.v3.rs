// Made by polywire-build from envoy/config/endpoint/v3/endpoint.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ClusterLoadAssignment {
    /// Field 1: `cluster_name`
    pub cluster_name: ::std::string::String,
    /// Field 2: `endpoints`
    pub endpoints: ::std::vec::Vec<LocalityLbEndpoints>,
    /// Field 4: `policy`
    pub policy: crate::MessageField<cluster_load_assignment::Policy>,
}
impl ::std::fmt::Debug for ClusterLoadAssignment {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClusterLoadAssignment")
            .field("cluster_name", &self.cluster_name)
            .field("endpoints", &self.endpoints)
            .field("policy", &self.policy)
            .finish()
    }
}
impl ClusterLoadAssignment {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";
}
impl crate::generated::FieldMessage for ClusterLoadAssignment {}
crate::generated::buffa::impl_default_instance!(ClusterLoadAssignment);
impl crate::generated::buffa::MessageName for ClusterLoadAssignment {
    const PACKAGE: &'static str = "envoy.config.endpoint.v3";
    const NAME: &'static str = "ClusterLoadAssignment";
    const FULL_NAME: &'static str = "envoy.config.endpoint.v3.ClusterLoadAssignment";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";
}
impl crate::generated::buffa::Message for ClusterLoadAssignment {
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
        if !self.cluster_name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.cluster_name) as u64;
        }
        for v in &self.endpoints {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.policy.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.policy.compute_size(__cache);
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
        if !self.cluster_name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.cluster_name, buf);
        }
        for v in &self.endpoints {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.policy.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.policy.write_to(__cache, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.cluster_name, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.endpoints.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.policy.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.cluster_name.clear();
        self.endpoints.clear();
        self.policy = crate::MessageField::none();
    }
}
pub mod cluster_load_assignment {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Policy {
        /// Field 2: `drop_overloads`
        pub drop_overloads: ::std::vec::Vec<
            super::cluster_load_assignment::policy::DropOverload,
        >,
    }
    impl ::std::fmt::Debug for Policy {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Policy")
                .field("drop_overloads", &self.drop_overloads)
                .finish()
        }
    }
    impl Policy {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
    }
    impl crate::generated::FieldMessage for Policy {}
    crate::generated::buffa::impl_default_instance!(Policy);
    impl crate::generated::buffa::MessageName for Policy {
        const PACKAGE: &'static str = "envoy.config.endpoint.v3";
        const NAME: &'static str = "ClusterLoadAssignment.Policy";
        const FULL_NAME: &'static str = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
    }
    impl crate::generated::buffa::Message for Policy {
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
            for v in &self.drop_overloads {
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
            for v in &self.drop_overloads {
                crate::generated::buffa::types::put_len_delimited_header(
                    2u32,
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
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    let mut elem = ::std::default::Default::default();
                    ctx.register_element_memory(
                        crate::generated::buffa::__private::element_footprint(&elem),
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                    self.drop_overloads.push(elem);
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.drop_overloads.clear();
        }
    }
    pub mod policy {
        #[allow(unused_imports)]
        use super::*;
        #[derive(Clone, PartialEq, Default)]
        pub struct DropOverload {
            /// Field 1: `category`
            pub category: ::std::string::String,
            /// Field 2: `drop_percentage`
            pub drop_percentage: crate::MessageField<super::super::super::super::super::r#type::v3::FractionalPercent>,
        }
        impl ::std::fmt::Debug for DropOverload {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("DropOverload")
                    .field("category", &self.category)
                    .field("drop_percentage", &self.drop_percentage)
                    .finish()
            }
        }
        impl DropOverload {
            /// Protobuf type URL for this message, for use with `Any::pack` and
            /// `Any::unpack_if`.
            ///
            /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
            pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
        }
        impl crate::generated::FieldMessage for DropOverload {}
        crate::generated::buffa::impl_default_instance!(DropOverload);
        impl crate::generated::buffa::MessageName for DropOverload {
            const PACKAGE: &'static str = "envoy.config.endpoint.v3";
            const NAME: &'static str = "ClusterLoadAssignment.Policy.DropOverload";
            const FULL_NAME: &'static str = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
            const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
        }
        impl crate::generated::buffa::Message for DropOverload {
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
                if !self.category.is_empty() {
                    size
                        += 1u64
                            + crate::generated::buffa::types::string_encoded_len(&self.category) as u64;
                }
                if self.drop_percentage.is_set() {
                    let __slot = __cache.reserve();
                    let inner_size = self.drop_percentage.compute_size(__cache);
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
                if !self.category.is_empty() {
                    crate::generated::buffa::types::put_string_field(1u32, &self.category, buf);
                }
                if self.drop_percentage.is_set() {
                    crate::generated::buffa::types::put_len_delimited_header(
                        2u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    self.drop_percentage.write_to(__cache, buf);
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
                        crate::generated::buffa::types::merge_string(&mut self.category, buf)?;
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        crate::generated::buffa::Message::merge_length_delimited(
                            self.drop_percentage.get_or_insert_default(),
                            buf,
                            ctx,
                        )?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(())
            }
            fn clear(&mut self) {
                self.category.clear();
                self.drop_percentage = crate::MessageField::none();
            }
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct LocalityLbEndpoints {
    /// Field 1: `locality`
    pub locality: crate::MessageField<super::super::core::v3::Locality>,
    /// Field 2: `lb_endpoints`
    pub lb_endpoints: ::std::vec::Vec<LbEndpoint>,
    /// Field 3: `load_balancing_weight`
    pub load_balancing_weight: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 5: `priority`
    pub priority: u32,
}
impl ::std::fmt::Debug for LocalityLbEndpoints {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LocalityLbEndpoints")
            .field("locality", &self.locality)
            .field("lb_endpoints", &self.lb_endpoints)
            .field("load_balancing_weight", &self.load_balancing_weight)
            .field("priority", &self.priority)
            .finish()
    }
}
impl LocalityLbEndpoints {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.LocalityLbEndpoints";
}
impl crate::generated::FieldMessage for LocalityLbEndpoints {}
crate::generated::buffa::impl_default_instance!(LocalityLbEndpoints);
impl crate::generated::buffa::MessageName for LocalityLbEndpoints {
    const PACKAGE: &'static str = "envoy.config.endpoint.v3";
    const NAME: &'static str = "LocalityLbEndpoints";
    const FULL_NAME: &'static str = "envoy.config.endpoint.v3.LocalityLbEndpoints";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.LocalityLbEndpoints";
}
impl crate::generated::buffa::Message for LocalityLbEndpoints {
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
        if self.locality.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.locality.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.lb_endpoints {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.load_balancing_weight.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.load_balancing_weight.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.priority != 0u32 {
            size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(self.priority) as u64;
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
        if self.locality.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.locality.write_to(__cache, buf);
        }
        for v in &self.lb_endpoints {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.load_balancing_weight.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.load_balancing_weight.write_to(__cache, buf);
        }
        if self.priority != 0u32 {
            crate::generated::buffa::types::put_uint32_field(5u32, self.priority, buf);
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
                    self.locality.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.lb_endpoints.push(elem);
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.load_balancing_weight.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.priority = crate::generated::buffa::types::decode_uint32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.locality = crate::MessageField::none();
        self.lb_endpoints.clear();
        self.load_balancing_weight = crate::MessageField::none();
        self.priority = 0u32;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct LbEndpoint {
    /// Field 2: `health_status`
    pub health_status: i32,
    /// Field 3: `metadata`
    pub metadata: crate::MessageField<super::super::core::v3::Metadata>,
    /// Field 4: `load_balancing_weight`
    pub load_balancing_weight: crate::MessageField<crate::wkt::UInt32Value>,
    pub host_identifier: ::std::option::Option<
        __buffa::oneof::lb_endpoint::HostIdentifier,
    >,
}
impl ::std::fmt::Debug for LbEndpoint {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LbEndpoint")
            .field("health_status", &self.health_status)
            .field("metadata", &self.metadata)
            .field("load_balancing_weight", &self.load_balancing_weight)
            .field("host_identifier", &self.host_identifier)
            .finish()
    }
}
impl LbEndpoint {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.LbEndpoint";
}
impl crate::generated::FieldMessage for LbEndpoint {}
crate::generated::buffa::impl_default_instance!(LbEndpoint);
impl crate::generated::buffa::MessageName for LbEndpoint {
    const PACKAGE: &'static str = "envoy.config.endpoint.v3";
    const NAME: &'static str = "LbEndpoint";
    const FULL_NAME: &'static str = "envoy.config.endpoint.v3.LbEndpoint";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.LbEndpoint";
}
impl crate::generated::buffa::Message for LbEndpoint {
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
        if let ::std::option::Option::Some(ref v) = self.host_identifier {
            match v {
                __buffa::oneof::lb_endpoint::HostIdentifier::Endpoint(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.health_status != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.health_status) as u64;
        }
        if self.metadata.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.metadata.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.load_balancing_weight.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.load_balancing_weight.compute_size(__cache);
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
        if let ::std::option::Option::Some(ref v) = self.host_identifier {
            match v {
                __buffa::oneof::lb_endpoint::HostIdentifier::Endpoint(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        1u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.health_status != 0i32 {
            crate::generated::buffa::types::put_int32_field(2u32, self.health_status, buf);
        }
        if self.metadata.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.metadata.write_to(__cache, buf);
        }
        if self.load_balancing_weight.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.load_balancing_weight.write_to(__cache, buf);
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::lb_endpoint::HostIdentifier::Endpoint(
                        ref mut existing,
                    ),
                ) = self.host_identifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.host_identifier = ::std::option::Option::Some(
                        __buffa::oneof::lb_endpoint::HostIdentifier::Endpoint(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.health_status = crate::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.metadata.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.load_balancing_weight.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.host_identifier = ::std::option::Option::None;
        self.health_status = 0i32;
        self.metadata = crate::MessageField::none();
        self.load_balancing_weight = crate::MessageField::none();
    }
}
pub mod lb_endpoint {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::lb_endpoint::HostIdentifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct Endpoint {
    /// Field 1: `address`
    pub address: crate::MessageField<super::super::core::v3::Address>,
    /// Field 3: `hostname`
    pub hostname: ::std::string::String,
    /// Field 4: `additional_addresses`
    pub additional_addresses: ::std::vec::Vec<endpoint::AdditionalAddress>,
}
impl ::std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("address", &self.address)
            .field("hostname", &self.hostname)
            .field("additional_addresses", &self.additional_addresses)
            .finish()
    }
}
impl Endpoint {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.Endpoint";
}
impl crate::generated::FieldMessage for Endpoint {}
crate::generated::buffa::impl_default_instance!(Endpoint);
impl crate::generated::buffa::MessageName for Endpoint {
    const PACKAGE: &'static str = "envoy.config.endpoint.v3";
    const NAME: &'static str = "Endpoint";
    const FULL_NAME: &'static str = "envoy.config.endpoint.v3.Endpoint";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.Endpoint";
}
impl crate::generated::buffa::Message for Endpoint {
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
        if self.address.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.address.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.hostname.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.hostname) as u64;
        }
        for v in &self.additional_addresses {
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
        if self.address.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.address.write_to(__cache, buf);
        }
        if !self.hostname.is_empty() {
            crate::generated::buffa::types::put_string_field(3u32, &self.hostname, buf);
        }
        for v in &self.additional_addresses {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.address.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.hostname, buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.additional_addresses.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.address = crate::MessageField::none();
        self.hostname.clear();
        self.additional_addresses.clear();
    }
}
pub mod endpoint {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct AdditionalAddress {
        /// Field 1: `address`
        pub address: crate::MessageField<super::super::super::core::v3::Address>,
    }
    impl ::std::fmt::Debug for AdditionalAddress {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("AdditionalAddress").field("address", &self.address).finish()
        }
    }
    impl AdditionalAddress {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.Endpoint.AdditionalAddress";
    }
    impl crate::generated::FieldMessage for AdditionalAddress {}
    crate::generated::buffa::impl_default_instance!(AdditionalAddress);
    impl crate::generated::buffa::MessageName for AdditionalAddress {
        const PACKAGE: &'static str = "envoy.config.endpoint.v3";
        const NAME: &'static str = "Endpoint.AdditionalAddress";
        const FULL_NAME: &'static str = "envoy.config.endpoint.v3.Endpoint.AdditionalAddress";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.endpoint.v3.Endpoint.AdditionalAddress";
    }
    impl crate::generated::buffa::Message for AdditionalAddress {
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
            if self.address.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.address.compute_size(__cache);
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
            if self.address.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.address.write_to(__cache, buf);
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
                        self.address.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.address = crate::MessageField::none();
        }
    }
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
        pub mod lb_endpoint {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum HostIdentifier {
                Endpoint(::std::boxed::Box<super::super::super::Endpoint>),
            }
            impl crate::generated::buffa::Oneof for HostIdentifier {}
            impl From<super::super::super::Endpoint> for HostIdentifier {
                fn from(v: super::super::super::Endpoint) -> Self {
                    Self::Endpoint(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::Endpoint>
            for ::std::option::Option<HostIdentifier> {
                fn from(v: super::super::super::Endpoint) -> Self {
                    Self::Some(HostIdentifier::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.config.endpoint.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ClusterLoadAssignment, "envoy.config.endpoint.v3.ClusterLoadAssignment", POOL, buffers { one cluster_name; each endpoints; one policy; });
crate::generated::message!(cluster_load_assignment::Policy, "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy", POOL, buffers { each drop_overloads; });
crate::generated::message!(cluster_load_assignment::policy::DropOverload, "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload", POOL, buffers { one category; });
crate::generated::message!(LocalityLbEndpoints, "envoy.config.endpoint.v3.LocalityLbEndpoints", POOL, buffers { one locality; });
crate::generated::message!(LbEndpoint, "envoy.config.endpoint.v3.LbEndpoint", POOL);
crate::generated::message!(Endpoint, "envoy.config.endpoint.v3.Endpoint", POOL, buffers { one hostname; });
crate::generated::message!(endpoint::AdditionalAddress, "envoy.config.endpoint.v3.Endpoint.AdditionalAddress", POOL);

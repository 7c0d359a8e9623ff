// Made by polywire-build from envoy/config/cluster/v3/cluster.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Cluster {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 3: `eds_cluster_config`
    pub eds_cluster_config: crate::MessageField<cluster::EdsClusterConfig>,
    /// Field 6: `lb_policy`
    pub lb_policy: crate::EnumValue<cluster::LbPolicy>,
    /// Field 10: `circuit_breakers`
    pub circuit_breakers: crate::MessageField<CircuitBreakers>,
    /// Field 19: `outlier_detection`
    pub outlier_detection: crate::MessageField<OutlierDetection>,
    /// Field 24: `transport_socket`
    pub transport_socket: crate::MessageField<super::super::core::v3::TransportSocket>,
    /// Field 33: `load_assignment`
    pub load_assignment: crate::MessageField<super::super::endpoint::v3::ClusterLoadAssignment>,
    /// Field 41: `load_balancing_policy`
    pub load_balancing_policy: crate::MessageField<LoadBalancingPolicy>,
    /// Field 42: `lrs_server`
    pub lrs_server: crate::MessageField<super::super::core::v3::ConfigSource>,
    /// Field 43: `transport_socket_matches`
    pub transport_socket_matches: ::std::vec::Vec<
        cluster::TransportSocketMatch,
    >,
    pub cluster_discovery_type: ::std::option::Option<
        __buffa::oneof::cluster::ClusterDiscoveryType,
    >,
    pub lb_config: ::std::option::Option<__buffa::oneof::cluster::LbConfig>,
}
impl ::std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Cluster")
            .field("name", &self.name)
            .field("eds_cluster_config", &self.eds_cluster_config)
            .field("lb_policy", &self.lb_policy)
            .field("circuit_breakers", &self.circuit_breakers)
            .field("outlier_detection", &self.outlier_detection)
            .field("transport_socket", &self.transport_socket)
            .field("load_assignment", &self.load_assignment)
            .field("load_balancing_policy", &self.load_balancing_policy)
            .field("lrs_server", &self.lrs_server)
            .field("transport_socket_matches", &self.transport_socket_matches)
            .field("cluster_discovery_type", &self.cluster_discovery_type)
            .field("lb_config", &self.lb_config)
            .finish()
    }
}
impl Cluster {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
}
impl crate::generated::FieldMessage for Cluster {}
crate::generated::buffa::impl_default_instance!(Cluster);
impl crate::generated::buffa::MessageName for Cluster {
    const PACKAGE: &'static str = "envoy.config.cluster.v3";
    const NAME: &'static str = "Cluster";
    const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
}
impl crate::generated::buffa::Message for Cluster {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.cluster_discovery_type {
            match v {
                __buffa::oneof::cluster::ClusterDiscoveryType::Type(x) => {
                    size += 1u64 + crate::generated::buffa::types::int32_encoded_len(x.to_i32()) as u64;
                }
                __buffa::oneof::cluster::ClusterDiscoveryType::ClusterType(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.eds_cluster_config.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.eds_cluster_config.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        {
            let val = self.lb_policy.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.circuit_breakers.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.circuit_breakers.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.outlier_detection.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.outlier_detection.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.lb_config {
            match v {
                __buffa::oneof::cluster::LbConfig::RingHashLbConfig(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::cluster::LbConfig::LeastRequestLbConfig(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.transport_socket.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.transport_socket.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.load_assignment.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.load_assignment.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.load_balancing_policy.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.load_balancing_policy.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.lrs_server.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.lrs_server.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.transport_socket_matches {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.cluster_discovery_type {
            match v {
                __buffa::oneof::cluster::ClusterDiscoveryType::Type(x) => {
                    crate::generated::buffa::types::put_int32_field(2u32, x.to_i32(), buf);
                }
                __buffa::oneof::cluster::ClusterDiscoveryType::ClusterType(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        38u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.eds_cluster_config.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.eds_cluster_config.write_to(__cache, buf);
        }
        {
            let val = self.lb_policy.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(6u32, val, buf);
            }
        }
        if self.circuit_breakers.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                10u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.circuit_breakers.write_to(__cache, buf);
        }
        if self.outlier_detection.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                19u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.outlier_detection.write_to(__cache, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.lb_config {
            match v {
                __buffa::oneof::cluster::LbConfig::RingHashLbConfig(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        23u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::cluster::LbConfig::LeastRequestLbConfig(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        37u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.transport_socket.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                24u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.transport_socket.write_to(__cache, buf);
        }
        if self.load_assignment.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                33u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.load_assignment.write_to(__cache, buf);
        }
        if self.load_balancing_policy.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                41u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.load_balancing_policy.write_to(__cache, buf);
        }
        if self.lrs_server.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                42u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.lrs_server.write_to(__cache, buf);
        }
        for v in &self.transport_socket_matches {
            crate::generated::buffa::types::put_len_delimited_header(
                43u32,
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
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.cluster_discovery_type = ::std::option::Option::Some(
                    __buffa::oneof::cluster::ClusterDiscoveryType::Type(
                        crate::EnumValue::from(crate::generated::buffa::types::decode_int32(buf)?),
                    ),
                );
            }
            38u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::cluster::ClusterDiscoveryType::ClusterType(
                        ref mut existing,
                    ),
                ) = self.cluster_discovery_type
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.cluster_discovery_type = ::std::option::Option::Some(
                        __buffa::oneof::cluster::ClusterDiscoveryType::ClusterType(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.eds_cluster_config.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.lb_policy = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.circuit_breakers.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            19u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.outlier_detection.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            23u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::cluster::LbConfig::RingHashLbConfig(ref mut existing),
                ) = self.lb_config
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.lb_config = ::std::option::Option::Some(
                        __buffa::oneof::cluster::LbConfig::RingHashLbConfig(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            37u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::cluster::LbConfig::LeastRequestLbConfig(
                        ref mut existing,
                    ),
                ) = self.lb_config
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.lb_config = ::std::option::Option::Some(
                        __buffa::oneof::cluster::LbConfig::LeastRequestLbConfig(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            24u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.transport_socket.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            33u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.load_assignment.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            41u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.load_balancing_policy.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            42u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.lrs_server.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            43u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.transport_socket_matches.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.cluster_discovery_type = ::std::option::Option::None;
        self.eds_cluster_config = crate::MessageField::none();
        self.lb_policy = crate::EnumValue::from(0);
        self.circuit_breakers = crate::MessageField::none();
        self.outlier_detection = crate::MessageField::none();
        self.lb_config = ::std::option::Option::None;
        self.transport_socket = crate::MessageField::none();
        self.load_assignment = crate::MessageField::none();
        self.load_balancing_policy = crate::MessageField::none();
        self.lrs_server = crate::MessageField::none();
        self.transport_socket_matches.clear();
    }
}
pub mod cluster {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum DiscoveryType {
        STATIC = 0i32,
        STRICT_DNS = 1i32,
        LOGICAL_DNS = 2i32,
        EDS = 3i32,
        ORIGINAL_DST = 4i32,
    }
    impl DiscoveryType {
        ///Idiomatic alias for [`Self::STATIC`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Static: Self = Self::STATIC;
        ///Idiomatic alias for [`Self::STRICT_DNS`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const StrictDns: Self = Self::STRICT_DNS;
        ///Idiomatic alias for [`Self::LOGICAL_DNS`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const LogicalDns: Self = Self::LOGICAL_DNS;
        ///Idiomatic alias for [`Self::EDS`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Eds: Self = Self::EDS;
        ///Idiomatic alias for [`Self::ORIGINAL_DST`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const OriginalDst: Self = Self::ORIGINAL_DST;
    }
    impl ::std::default::Default for DiscoveryType {
        fn default() -> Self {
            Self::STATIC
        }
    }
    impl crate::generated::FieldEnum for DiscoveryType {}
    impl crate::generated::buffa::Enumeration for DiscoveryType {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::STATIC),
                1i32 => ::std::option::Option::Some(Self::STRICT_DNS),
                2i32 => ::std::option::Option::Some(Self::LOGICAL_DNS),
                3i32 => ::std::option::Option::Some(Self::EDS),
                4i32 => ::std::option::Option::Some(Self::ORIGINAL_DST),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::STATIC => "STATIC",
                Self::STRICT_DNS => "STRICT_DNS",
                Self::LOGICAL_DNS => "LOGICAL_DNS",
                Self::EDS => "EDS",
                Self::ORIGINAL_DST => "ORIGINAL_DST",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "STATIC" => ::std::option::Option::Some(Self::STATIC),
                "STRICT_DNS" => ::std::option::Option::Some(Self::STRICT_DNS),
                "LOGICAL_DNS" => ::std::option::Option::Some(Self::LOGICAL_DNS),
                "EDS" => ::std::option::Option::Some(Self::EDS),
                "ORIGINAL_DST" => ::std::option::Option::Some(Self::ORIGINAL_DST),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::STATIC,
                Self::STRICT_DNS,
                Self::LOGICAL_DNS,
                Self::EDS,
                Self::ORIGINAL_DST,
            ]
        }
    }
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum LbPolicy {
        ROUND_ROBIN = 0i32,
        LEAST_REQUEST = 1i32,
        RING_HASH = 2i32,
        RANDOM = 3i32,
        MAGLEV = 5i32,
        CLUSTER_PROVIDED = 6i32,
        LOAD_BALANCING_POLICY_CONFIG = 7i32,
    }
    impl LbPolicy {
        ///Idiomatic alias for [`Self::ROUND_ROBIN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const RoundRobin: Self = Self::ROUND_ROBIN;
        ///Idiomatic alias for [`Self::LEAST_REQUEST`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const LeastRequest: Self = Self::LEAST_REQUEST;
        ///Idiomatic alias for [`Self::RING_HASH`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const RingHash: Self = Self::RING_HASH;
        ///Idiomatic alias for [`Self::RANDOM`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Random: Self = Self::RANDOM;
        ///Idiomatic alias for [`Self::MAGLEV`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Maglev: Self = Self::MAGLEV;
        ///Idiomatic alias for [`Self::CLUSTER_PROVIDED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const ClusterProvided: Self = Self::CLUSTER_PROVIDED;
        ///Idiomatic alias for [`Self::LOAD_BALANCING_POLICY_CONFIG`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const LoadBalancingPolicyConfig: Self = Self::LOAD_BALANCING_POLICY_CONFIG;
    }
    impl ::std::default::Default for LbPolicy {
        fn default() -> Self {
            Self::ROUND_ROBIN
        }
    }
    impl crate::generated::FieldEnum for LbPolicy {}
    impl crate::generated::buffa::Enumeration for LbPolicy {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::ROUND_ROBIN),
                1i32 => ::std::option::Option::Some(Self::LEAST_REQUEST),
                2i32 => ::std::option::Option::Some(Self::RING_HASH),
                3i32 => ::std::option::Option::Some(Self::RANDOM),
                5i32 => ::std::option::Option::Some(Self::MAGLEV),
                6i32 => ::std::option::Option::Some(Self::CLUSTER_PROVIDED),
                7i32 => ::std::option::Option::Some(Self::LOAD_BALANCING_POLICY_CONFIG),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::ROUND_ROBIN => "ROUND_ROBIN",
                Self::LEAST_REQUEST => "LEAST_REQUEST",
                Self::RING_HASH => "RING_HASH",
                Self::RANDOM => "RANDOM",
                Self::MAGLEV => "MAGLEV",
                Self::CLUSTER_PROVIDED => "CLUSTER_PROVIDED",
                Self::LOAD_BALANCING_POLICY_CONFIG => "LOAD_BALANCING_POLICY_CONFIG",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "ROUND_ROBIN" => ::std::option::Option::Some(Self::ROUND_ROBIN),
                "LEAST_REQUEST" => ::std::option::Option::Some(Self::LEAST_REQUEST),
                "RING_HASH" => ::std::option::Option::Some(Self::RING_HASH),
                "RANDOM" => ::std::option::Option::Some(Self::RANDOM),
                "MAGLEV" => ::std::option::Option::Some(Self::MAGLEV),
                "CLUSTER_PROVIDED" => {
                    ::std::option::Option::Some(Self::CLUSTER_PROVIDED)
                }
                "LOAD_BALANCING_POLICY_CONFIG" => {
                    ::std::option::Option::Some(Self::LOAD_BALANCING_POLICY_CONFIG)
                }
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::ROUND_ROBIN,
                Self::LEAST_REQUEST,
                Self::RING_HASH,
                Self::RANDOM,
                Self::MAGLEV,
                Self::CLUSTER_PROVIDED,
                Self::LOAD_BALANCING_POLICY_CONFIG,
            ]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct EdsClusterConfig {
        /// Field 1: `eds_config`
        pub eds_config: crate::MessageField<super::super::super::core::v3::ConfigSource>,
        /// Field 2: `service_name`
        pub service_name: ::std::string::String,
    }
    impl ::std::fmt::Debug for EdsClusterConfig {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("EdsClusterConfig")
                .field("eds_config", &self.eds_config)
                .field("service_name", &self.service_name)
                .finish()
        }
    }
    impl EdsClusterConfig {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.EdsClusterConfig";
    }
    impl crate::generated::FieldMessage for EdsClusterConfig {}
    crate::generated::buffa::impl_default_instance!(EdsClusterConfig);
    impl crate::generated::buffa::MessageName for EdsClusterConfig {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "Cluster.EdsClusterConfig";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster.EdsClusterConfig";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.EdsClusterConfig";
    }
    impl crate::generated::buffa::Message for EdsClusterConfig {
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
            if self.eds_config.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.eds_config.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            if !self.service_name.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.service_name) as u64;
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
            if self.eds_config.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.eds_config.write_to(__cache, buf);
            }
            if !self.service_name.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.service_name, buf);
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
                        self.eds_config.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.service_name, buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.eds_config = crate::MessageField::none();
            self.service_name.clear();
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct CustomClusterType {
        /// Field 1: `name`
        pub name: ::std::string::String,
        /// Field 2: `typed_config`
        pub typed_config: crate::MessageField<crate::wkt::Any>,
    }
    impl ::std::fmt::Debug for CustomClusterType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("CustomClusterType")
                .field("name", &self.name)
                .field("typed_config", &self.typed_config)
                .finish()
        }
    }
    impl CustomClusterType {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.CustomClusterType";
    }
    impl crate::generated::FieldMessage for CustomClusterType {}
    crate::generated::buffa::impl_default_instance!(CustomClusterType);
    impl crate::generated::buffa::MessageName for CustomClusterType {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "Cluster.CustomClusterType";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster.CustomClusterType";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.CustomClusterType";
    }
    impl crate::generated::buffa::Message for CustomClusterType {
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
            if !self.name.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
            }
            if self.typed_config.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.typed_config.compute_size(__cache);
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
            if !self.name.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
            }
            if self.typed_config.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    2u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.typed_config.write_to(__cache, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.typed_config.get_or_insert_default(),
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
            self.name.clear();
            self.typed_config = crate::MessageField::none();
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct RingHashLbConfig {
        /// Field 1: `minimum_ring_size`
        pub minimum_ring_size: crate::MessageField<crate::wkt::UInt64Value>,
        /// Field 3: `hash_function`
        pub hash_function: crate::EnumValue<
            super::cluster::ring_hash_lb_config::HashFunction,
        >,
        /// Field 4: `maximum_ring_size`
        pub maximum_ring_size: crate::MessageField<crate::wkt::UInt64Value>,
    }
    impl ::std::fmt::Debug for RingHashLbConfig {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("RingHashLbConfig")
                .field("minimum_ring_size", &self.minimum_ring_size)
                .field("hash_function", &self.hash_function)
                .field("maximum_ring_size", &self.maximum_ring_size)
                .finish()
        }
    }
    impl RingHashLbConfig {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.RingHashLbConfig";
    }
    impl crate::generated::FieldMessage for RingHashLbConfig {}
    crate::generated::buffa::impl_default_instance!(RingHashLbConfig);
    impl crate::generated::buffa::MessageName for RingHashLbConfig {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "Cluster.RingHashLbConfig";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster.RingHashLbConfig";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.RingHashLbConfig";
    }
    impl crate::generated::buffa::Message for RingHashLbConfig {
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
            if self.minimum_ring_size.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.minimum_ring_size.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            {
                let val = self.hash_function.to_i32();
                if val != 0 {
                    size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
                }
            }
            if self.maximum_ring_size.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.maximum_ring_size.compute_size(__cache);
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
            if self.minimum_ring_size.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.minimum_ring_size.write_to(__cache, buf);
            }
            {
                let val = self.hash_function.to_i32();
                if val != 0 {
                    crate::generated::buffa::types::put_int32_field(3u32, val, buf);
                }
            }
            if self.maximum_ring_size.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    4u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.maximum_ring_size.write_to(__cache, buf);
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
                        self.minimum_ring_size.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                3u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.hash_function = crate::EnumValue::from(
                        crate::generated::buffa::types::decode_int32(buf)?,
                    );
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.maximum_ring_size.get_or_insert_default(),
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
            self.minimum_ring_size = crate::MessageField::none();
            self.hash_function = crate::EnumValue::from(0);
            self.maximum_ring_size = crate::MessageField::none();
        }
    }
    pub mod ring_hash_lb_config {
        #[allow(unused_imports)]
        use super::*;
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(i32)]
        pub enum HashFunction {
            XX_HASH = 0i32,
            MURMUR_HASH_2 = 1i32,
        }
        impl HashFunction {
            ///Idiomatic alias for [`Self::XX_HASH`]; `Debug` prints the variant name.
            #[allow(non_upper_case_globals)]
            pub const XxHash: Self = Self::XX_HASH;
            ///Idiomatic alias for [`Self::MURMUR_HASH_2`]; `Debug` prints the variant name.
            #[allow(non_upper_case_globals)]
            pub const MurmurHash2: Self = Self::MURMUR_HASH_2;
        }
        impl ::std::default::Default for HashFunction {
            fn default() -> Self {
                Self::XX_HASH
            }
        }
        impl crate::generated::FieldEnum for HashFunction {}
        impl crate::generated::buffa::Enumeration for HashFunction {
            fn from_i32(value: i32) -> ::std::option::Option<Self> {
                match value {
                    0i32 => ::std::option::Option::Some(Self::XX_HASH),
                    1i32 => ::std::option::Option::Some(Self::MURMUR_HASH_2),
                    _ => ::std::option::Option::None,
                }
            }
            fn to_i32(&self) -> i32 {
                *self as i32
            }
            fn proto_name(&self) -> &'static str {
                match self {
                    Self::XX_HASH => "XX_HASH",
                    Self::MURMUR_HASH_2 => "MURMUR_HASH_2",
                }
            }
            fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
                match name {
                    "XX_HASH" => ::std::option::Option::Some(Self::XX_HASH),
                    "MURMUR_HASH_2" => ::std::option::Option::Some(Self::MURMUR_HASH_2),
                    _ => ::std::option::Option::None,
                }
            }
            fn values() -> &'static [Self] {
                &[Self::XX_HASH, Self::MURMUR_HASH_2]
            }
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct LeastRequestLbConfig {
        /// Field 1: `choice_count`
        pub choice_count: crate::MessageField<crate::wkt::UInt32Value>,
    }
    impl ::std::fmt::Debug for LeastRequestLbConfig {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("LeastRequestLbConfig")
                .field("choice_count", &self.choice_count)
                .finish()
        }
    }
    impl LeastRequestLbConfig {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.LeastRequestLbConfig";
    }
    impl crate::generated::FieldMessage for LeastRequestLbConfig {}
    crate::generated::buffa::impl_default_instance!(LeastRequestLbConfig);
    impl crate::generated::buffa::MessageName for LeastRequestLbConfig {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "Cluster.LeastRequestLbConfig";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.LeastRequestLbConfig";
    }
    impl crate::generated::buffa::Message for LeastRequestLbConfig {
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
            if self.choice_count.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.choice_count.compute_size(__cache);
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
            if self.choice_count.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.choice_count.write_to(__cache, buf);
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
                        self.choice_count.get_or_insert_default(),
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
            self.choice_count = crate::MessageField::none();
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct TransportSocketMatch {
        /// Field 1: `name`
        pub name: ::std::string::String,
    }
    impl ::std::fmt::Debug for TransportSocketMatch {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("TransportSocketMatch").field("name", &self.name).finish()
        }
    }
    impl TransportSocketMatch {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.TransportSocketMatch";
    }
    impl crate::generated::FieldMessage for TransportSocketMatch {}
    crate::generated::buffa::impl_default_instance!(TransportSocketMatch);
    impl crate::generated::buffa::MessageName for TransportSocketMatch {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "Cluster.TransportSocketMatch";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.Cluster.TransportSocketMatch";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.Cluster.TransportSocketMatch";
    }
    impl crate::generated::buffa::Message for TransportSocketMatch {
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
            if !self.name.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
            if !self.name.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.name.clear();
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::cluster::ClusterDiscoveryType;
    #[doc(inline)]
    pub use super::__buffa::oneof::cluster::LbConfig;
}
#[derive(Clone, PartialEq, Default)]
pub struct LoadBalancingPolicy {
    /// Field 1: `policies`
    pub policies: ::std::vec::Vec<load_balancing_policy::Policy>,
}
impl ::std::fmt::Debug for LoadBalancingPolicy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LoadBalancingPolicy").field("policies", &self.policies).finish()
    }
}
impl LoadBalancingPolicy {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.LoadBalancingPolicy";
}
impl crate::generated::FieldMessage for LoadBalancingPolicy {}
crate::generated::buffa::impl_default_instance!(LoadBalancingPolicy);
impl crate::generated::buffa::MessageName for LoadBalancingPolicy {
    const PACKAGE: &'static str = "envoy.config.cluster.v3";
    const NAME: &'static str = "LoadBalancingPolicy";
    const FULL_NAME: &'static str = "envoy.config.cluster.v3.LoadBalancingPolicy";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.LoadBalancingPolicy";
}
impl crate::generated::buffa::Message for LoadBalancingPolicy {
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
        for v in &self.policies {
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
        for v in &self.policies {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.policies.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.policies.clear();
    }
}
pub mod load_balancing_policy {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Policy {
        /// Field 4: `typed_extension_config`
        pub typed_extension_config: crate::MessageField<super::super::super::core::v3::TypedExtensionConfig>,
    }
    impl ::std::fmt::Debug for Policy {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Policy")
                .field("typed_extension_config", &self.typed_extension_config)
                .finish()
        }
    }
    impl Policy {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.LoadBalancingPolicy.Policy";
    }
    impl crate::generated::FieldMessage for Policy {}
    crate::generated::buffa::impl_default_instance!(Policy);
    impl crate::generated::buffa::MessageName for Policy {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "LoadBalancingPolicy.Policy";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.LoadBalancingPolicy.Policy";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.LoadBalancingPolicy.Policy";
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
            if self.typed_extension_config.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.typed_extension_config.compute_size(__cache);
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
            if self.typed_extension_config.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    4u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.typed_extension_config.write_to(__cache, buf);
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
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.typed_extension_config.get_or_insert_default(),
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
            self.typed_extension_config = crate::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct CircuitBreakers {
    /// Field 1: `thresholds`
    pub thresholds: ::std::vec::Vec<circuit_breakers::Thresholds>,
}
impl ::std::fmt::Debug for CircuitBreakers {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("CircuitBreakers").field("thresholds", &self.thresholds).finish()
    }
}
impl CircuitBreakers {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.CircuitBreakers";
}
impl crate::generated::FieldMessage for CircuitBreakers {}
crate::generated::buffa::impl_default_instance!(CircuitBreakers);
impl crate::generated::buffa::MessageName for CircuitBreakers {
    const PACKAGE: &'static str = "envoy.config.cluster.v3";
    const NAME: &'static str = "CircuitBreakers";
    const FULL_NAME: &'static str = "envoy.config.cluster.v3.CircuitBreakers";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.CircuitBreakers";
}
impl crate::generated::buffa::Message for CircuitBreakers {
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
        for v in &self.thresholds {
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
        for v in &self.thresholds {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.thresholds.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.thresholds.clear();
    }
}
pub mod circuit_breakers {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Thresholds {
        /// Field 1: `priority`
        pub priority: crate::EnumValue<
            super::circuit_breakers::thresholds::RoutingPriority,
        >,
        /// Field 4: `max_requests`
        pub max_requests: crate::MessageField<crate::wkt::UInt32Value>,
    }
    impl ::std::fmt::Debug for Thresholds {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Thresholds")
                .field("priority", &self.priority)
                .field("max_requests", &self.max_requests)
                .finish()
        }
    }
    impl Thresholds {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.CircuitBreakers.Thresholds";
    }
    impl crate::generated::FieldMessage for Thresholds {}
    crate::generated::buffa::impl_default_instance!(Thresholds);
    impl crate::generated::buffa::MessageName for Thresholds {
        const PACKAGE: &'static str = "envoy.config.cluster.v3";
        const NAME: &'static str = "CircuitBreakers.Thresholds";
        const FULL_NAME: &'static str = "envoy.config.cluster.v3.CircuitBreakers.Thresholds";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.CircuitBreakers.Thresholds";
    }
    impl crate::generated::buffa::Message for Thresholds {
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
            {
                let val = self.priority.to_i32();
                if val != 0 {
                    size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
                }
            }
            if self.max_requests.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.max_requests.compute_size(__cache);
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
            {
                let val = self.priority.to_i32();
                if val != 0 {
                    crate::generated::buffa::types::put_int32_field(1u32, val, buf);
                }
            }
            if self.max_requests.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    4u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.max_requests.write_to(__cache, buf);
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
                    self.priority = crate::EnumValue::from(
                        crate::generated::buffa::types::decode_int32(buf)?,
                    );
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.max_requests.get_or_insert_default(),
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
            self.priority = crate::EnumValue::from(0);
            self.max_requests = crate::MessageField::none();
        }
    }
    pub mod thresholds {
        #[allow(unused_imports)]
        use super::*;
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(i32)]
        pub enum RoutingPriority {
            DEFAULT = 0i32,
            HIGH = 1i32,
        }
        impl RoutingPriority {
            ///Idiomatic alias for [`Self::DEFAULT`]; `Debug` prints the variant name.
            #[allow(non_upper_case_globals)]
            pub const Default: Self = Self::DEFAULT;
            ///Idiomatic alias for [`Self::HIGH`]; `Debug` prints the variant name.
            #[allow(non_upper_case_globals)]
            pub const High: Self = Self::HIGH;
        }
        impl ::std::default::Default for RoutingPriority {
            fn default() -> Self {
                Self::DEFAULT
            }
        }
        impl crate::generated::FieldEnum for RoutingPriority {}
        impl crate::generated::buffa::Enumeration for RoutingPriority {
            fn from_i32(value: i32) -> ::std::option::Option<Self> {
                match value {
                    0i32 => ::std::option::Option::Some(Self::DEFAULT),
                    1i32 => ::std::option::Option::Some(Self::HIGH),
                    _ => ::std::option::Option::None,
                }
            }
            fn to_i32(&self) -> i32 {
                *self as i32
            }
            fn proto_name(&self) -> &'static str {
                match self {
                    Self::DEFAULT => "DEFAULT",
                    Self::HIGH => "HIGH",
                }
            }
            fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
                match name {
                    "DEFAULT" => ::std::option::Option::Some(Self::DEFAULT),
                    "HIGH" => ::std::option::Option::Some(Self::HIGH),
                    _ => ::std::option::Option::None,
                }
            }
            fn values() -> &'static [Self] {
                &[Self::DEFAULT, Self::HIGH]
            }
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct OutlierDetection {
    /// Field 2: `interval`
    pub interval: crate::MessageField<crate::wkt::Duration>,
    /// Field 3: `base_ejection_time`
    pub base_ejection_time: crate::MessageField<crate::wkt::Duration>,
    /// Field 4: `max_ejection_percent`
    pub max_ejection_percent: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 6: `enforcing_success_rate`
    pub enforcing_success_rate: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 7: `success_rate_minimum_hosts`
    pub success_rate_minimum_hosts: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 8: `success_rate_request_volume`
    pub success_rate_request_volume: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 9: `success_rate_stdev_factor`
    pub success_rate_stdev_factor: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 16: `failure_percentage_threshold`
    pub failure_percentage_threshold: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 17: `enforcing_failure_percentage`
    pub enforcing_failure_percentage: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 19: `failure_percentage_minimum_hosts`
    pub failure_percentage_minimum_hosts: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 20: `failure_percentage_request_volume`
    pub failure_percentage_request_volume: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 21: `max_ejection_time`
    pub max_ejection_time: crate::MessageField<crate::wkt::Duration>,
}
impl ::std::fmt::Debug for OutlierDetection {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("OutlierDetection")
            .field("interval", &self.interval)
            .field("base_ejection_time", &self.base_ejection_time)
            .field("max_ejection_percent", &self.max_ejection_percent)
            .field("enforcing_success_rate", &self.enforcing_success_rate)
            .field("success_rate_minimum_hosts", &self.success_rate_minimum_hosts)
            .field("success_rate_request_volume", &self.success_rate_request_volume)
            .field("success_rate_stdev_factor", &self.success_rate_stdev_factor)
            .field("failure_percentage_threshold", &self.failure_percentage_threshold)
            .field("enforcing_failure_percentage", &self.enforcing_failure_percentage)
            .field(
                "failure_percentage_minimum_hosts",
                &self.failure_percentage_minimum_hosts,
            )
            .field(
                "failure_percentage_request_volume",
                &self.failure_percentage_request_volume,
            )
            .field("max_ejection_time", &self.max_ejection_time)
            .finish()
    }
}
impl OutlierDetection {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.OutlierDetection";
}
impl crate::generated::FieldMessage for OutlierDetection {}
crate::generated::buffa::impl_default_instance!(OutlierDetection);
impl crate::generated::buffa::MessageName for OutlierDetection {
    const PACKAGE: &'static str = "envoy.config.cluster.v3";
    const NAME: &'static str = "OutlierDetection";
    const FULL_NAME: &'static str = "envoy.config.cluster.v3.OutlierDetection";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.cluster.v3.OutlierDetection";
}
impl crate::generated::buffa::Message for OutlierDetection {
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
        if self.interval.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.interval.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.base_ejection_time.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.base_ejection_time.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.max_ejection_percent.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.max_ejection_percent.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.enforcing_success_rate.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.enforcing_success_rate.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.success_rate_minimum_hosts.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.success_rate_minimum_hosts.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.success_rate_request_volume.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.success_rate_request_volume.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.success_rate_stdev_factor.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.success_rate_stdev_factor.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.failure_percentage_threshold.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.failure_percentage_threshold.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.enforcing_failure_percentage.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.enforcing_failure_percentage.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.failure_percentage_minimum_hosts.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.failure_percentage_minimum_hosts.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.failure_percentage_request_volume.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self
                .failure_percentage_request_volume
                .compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.max_ejection_time.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.max_ejection_time.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
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
        if self.interval.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.interval.write_to(__cache, buf);
        }
        if self.base_ejection_time.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.base_ejection_time.write_to(__cache, buf);
        }
        if self.max_ejection_percent.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.max_ejection_percent.write_to(__cache, buf);
        }
        if self.enforcing_success_rate.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.enforcing_success_rate.write_to(__cache, buf);
        }
        if self.success_rate_minimum_hosts.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                7u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.success_rate_minimum_hosts.write_to(__cache, buf);
        }
        if self.success_rate_request_volume.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.success_rate_request_volume.write_to(__cache, buf);
        }
        if self.success_rate_stdev_factor.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.success_rate_stdev_factor.write_to(__cache, buf);
        }
        if self.failure_percentage_threshold.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                16u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.failure_percentage_threshold.write_to(__cache, buf);
        }
        if self.enforcing_failure_percentage.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                17u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.enforcing_failure_percentage.write_to(__cache, buf);
        }
        if self.failure_percentage_minimum_hosts.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                19u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.failure_percentage_minimum_hosts.write_to(__cache, buf);
        }
        if self.failure_percentage_request_volume.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                20u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.failure_percentage_request_volume.write_to(__cache, buf);
        }
        if self.max_ejection_time.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                21u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.max_ejection_time.write_to(__cache, buf);
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.interval.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.base_ejection_time.get_or_insert_default(),
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
                    self.max_ejection_percent.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.enforcing_success_rate.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.success_rate_minimum_hosts.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.success_rate_request_volume.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.success_rate_stdev_factor.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            16u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.failure_percentage_threshold.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            17u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.enforcing_failure_percentage.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            19u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.failure_percentage_minimum_hosts.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            20u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.failure_percentage_request_volume.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            21u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.max_ejection_time.get_or_insert_default(),
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
        self.interval = crate::MessageField::none();
        self.base_ejection_time = crate::MessageField::none();
        self.max_ejection_percent = crate::MessageField::none();
        self.enforcing_success_rate = crate::MessageField::none();
        self.success_rate_minimum_hosts = crate::MessageField::none();
        self.success_rate_request_volume = crate::MessageField::none();
        self.success_rate_stdev_factor = crate::MessageField::none();
        self.failure_percentage_threshold = crate::MessageField::none();
        self.enforcing_failure_percentage = crate::MessageField::none();
        self.failure_percentage_minimum_hosts = crate::MessageField::none();
        self.failure_percentage_request_volume = crate::MessageField::none();
        self.max_ejection_time = crate::MessageField::none();
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
        pub mod cluster {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum ClusterDiscoveryType {
                Type(crate::EnumValue<super::super::super::cluster::DiscoveryType>),
                ClusterType(
                    ::std::boxed::Box<
                        super::super::super::cluster::CustomClusterType,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for ClusterDiscoveryType {}
            impl From<super::super::super::cluster::CustomClusterType>
            for ClusterDiscoveryType {
                fn from(v: super::super::super::cluster::CustomClusterType) -> Self {
                    Self::ClusterType(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::cluster::CustomClusterType>
            for ::std::option::Option<ClusterDiscoveryType> {
                fn from(v: super::super::super::cluster::CustomClusterType) -> Self {
                    Self::Some(ClusterDiscoveryType::from(v))
                }
            }
            #[derive(Clone, PartialEq, Debug)]
            pub enum LbConfig {
                RingHashLbConfig(
                    ::std::boxed::Box<
                        super::super::super::cluster::RingHashLbConfig,
                    >,
                ),
                LeastRequestLbConfig(
                    ::std::boxed::Box<
                        super::super::super::cluster::LeastRequestLbConfig,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for LbConfig {}
            impl From<super::super::super::cluster::RingHashLbConfig> for LbConfig {
                fn from(v: super::super::super::cluster::RingHashLbConfig) -> Self {
                    Self::RingHashLbConfig(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::cluster::RingHashLbConfig>
            for ::std::option::Option<LbConfig> {
                fn from(v: super::super::super::cluster::RingHashLbConfig) -> Self {
                    Self::Some(LbConfig::from(v))
                }
            }
            impl From<super::super::super::cluster::LeastRequestLbConfig> for LbConfig {
                fn from(v: super::super::super::cluster::LeastRequestLbConfig) -> Self {
                    Self::LeastRequestLbConfig(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::cluster::LeastRequestLbConfig>
            for ::std::option::Option<LbConfig> {
                fn from(v: super::super::super::cluster::LeastRequestLbConfig) -> Self {
                    Self::Some(LbConfig::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.config.cluster.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(Cluster, "envoy.config.cluster.v3.Cluster", POOL, buffers { one name; one eds_cluster_config; one transport_socket; one load_assignment; one load_balancing_policy; each transport_socket_matches; });
crate::generated::message!(cluster::EdsClusterConfig, "envoy.config.cluster.v3.Cluster.EdsClusterConfig", POOL, buffers { one service_name; });
crate::generated::message!(cluster::CustomClusterType, "envoy.config.cluster.v3.Cluster.CustomClusterType", POOL, buffers { one name; });
crate::generated::message!(cluster::RingHashLbConfig, "envoy.config.cluster.v3.Cluster.RingHashLbConfig", POOL);
crate::generated::message!(cluster::LeastRequestLbConfig, "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig", POOL);
crate::generated::message!(cluster::TransportSocketMatch, "envoy.config.cluster.v3.Cluster.TransportSocketMatch", POOL, buffers { one name; });
crate::generated::message!(LoadBalancingPolicy, "envoy.config.cluster.v3.LoadBalancingPolicy", POOL, buffers { each policies; });
crate::generated::message!(load_balancing_policy::Policy, "envoy.config.cluster.v3.LoadBalancingPolicy.Policy", POOL, buffers { one typed_extension_config; });
crate::generated::message!(CircuitBreakers, "envoy.config.cluster.v3.CircuitBreakers", POOL);
crate::generated::message!(circuit_breakers::Thresholds, "envoy.config.cluster.v3.CircuitBreakers.Thresholds", POOL);
crate::generated::message!(OutlierDetection, "envoy.config.cluster.v3.OutlierDetection", POOL);

//! Output of `polywire-build` for `proto/`, in modules as their packages are nested: they refer to each other
//! by their paths.

#![allow(clippy::all, dead_code)]

pub mod envoy {
    pub mod admin {
        pub mod v3 {
            include!("generated/envoy.admin.v3.rs");
        }
    }
    pub mod config {
        pub mod cluster {
            pub mod v3 {
                include!("generated/envoy.config.cluster.v3.rs");
            }
        }
        pub mod core {
            pub mod v3 {
                include!("generated/envoy.config.core.v3.rs");
            }
        }
        pub mod endpoint {
            pub mod v3 {
                include!("generated/envoy.config.endpoint.v3.rs");
            }
        }
        pub mod listener {
            pub mod v3 {
                include!("generated/envoy.config.listener.v3.rs");
            }
        }
        pub mod route {
            pub mod v3 {
                include!("generated/envoy.config.route.v3.rs");
            }
        }
    }
    pub mod extensions {
        pub mod clusters {
            pub mod aggregate {
                pub mod v3 {
                    include!("generated/envoy.extensions.clusters.aggregate.v3.rs");
                }
            }
        }
        pub mod filters {
            pub mod common {
                pub mod fault {
                    pub mod v3 {
                        include!("generated/envoy.extensions.filters.common.fault.v3.rs");
                    }
                }
            }
            pub mod http {
                pub mod fault {
                    pub mod v3 {
                        include!("generated/envoy.extensions.filters.http.fault.v3.rs");
                    }
                }
            }
            pub mod network {
                pub mod http_connection_manager {
                    pub mod v3 {
                        include!("generated/envoy.extensions.filters.network.http_connection_manager.v3.rs");
                    }
                }
            }
        }
        pub mod load_balancing_policies {
            pub mod client_side_weighted_round_robin {
                pub mod v3 {
                    include!(
                        "generated/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.rs"
                    );
                }
            }
            pub mod least_request {
                pub mod v3 {
                    include!("generated/envoy.extensions.load_balancing_policies.least_request.v3.rs");
                }
            }
            pub mod pick_first {
                pub mod v3 {
                    include!("generated/envoy.extensions.load_balancing_policies.pick_first.v3.rs");
                }
            }
            pub mod random_subsetting {
                pub mod v3 {
                    include!("generated/envoy.extensions.load_balancing_policies.random_subsetting.v3.rs");
                }
            }
            pub mod ring_hash {
                pub mod v3 {
                    include!("generated/envoy.extensions.load_balancing_policies.ring_hash.v3.rs");
                }
            }
            pub mod wrr_locality {
                pub mod v3 {
                    include!("generated/envoy.extensions.load_balancing_policies.wrr_locality.v3.rs");
                }
            }
        }
        pub mod transport_sockets {
            pub mod tls {
                pub mod v3 {
                    include!("generated/envoy.extensions.transport_sockets.tls.v3.rs");
                }
            }
        }
    }
    pub mod service {
        pub mod discovery {
            pub mod v3 {
                include!("generated/envoy.service.discovery.v3.rs");
            }
        }
        pub mod status {
            pub mod v3 {
                include!("generated/envoy.service.status.v3.rs");
            }
        }
    }
    pub mod r#type {
        pub mod matcher {
            pub mod v3 {
                include!("generated/envoy.type.matcher.v3.rs");
            }
        }
        pub mod v3 {
            include!("generated/envoy.type.v3.rs");
        }
    }
}
pub mod google {
    pub mod rpc {
        include!("generated/google.rpc.rs");
    }
}
pub mod xds {
    pub mod r#type {
        pub mod v3 {
            include!("generated/xds.type.v3.rs");
        }
    }
}

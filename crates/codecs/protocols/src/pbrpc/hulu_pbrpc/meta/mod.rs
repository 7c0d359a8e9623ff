//! The two metas, read by reference and written in place: HuluRpcRequestMeta and HuluRpcResponseMeta.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `request.rs` | HuluRpcRequestMeta |
//! | `response.rs` | HuluRpcResponseMeta |

pub(super) mod request;
pub(super) mod response;

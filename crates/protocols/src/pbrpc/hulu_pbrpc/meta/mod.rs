//! The two metas, read by reference and written in place: HuluRpcRequestMeta and HuluRpcResponseMeta.

pub(super) mod request;
pub(super) mod response;

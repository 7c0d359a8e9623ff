//! CPU profiles where there are none: other systems than Linux with glibc, other processors than x86-64 and
//! ARM64.

use crate::runs::Taken;
use std::{io, time::Duration};

/// The maximum duration of a profile.
pub const LONGEST: Duration = Duration::from_secs(300);

pub(crate) fn take(_: Duration, _: &dyn Fn() -> bool) -> io::Result<Taken> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "CPU profiles are taken on Linux alone, x86-64 or ARM64"))
}

//! Service and method of the current request, kept for the next.

use super::meta::request_tag;

/// Service and method of the current request. Consecutive requests mostly have the same ones; these are then
/// neither checked for UTF-8 nor copied again.
#[derive(Default)]
pub(super) struct Names {
    /// The name of the service, followed by that of the method.
    both: String,
    service_bytes: usize,
    /// The two names as fields of a request's meta; empty if their lengths take more than one byte.
    fields: Vec<u8>,
}

impl Names {
    /// Longer than this is not kept beyond its request, in bytes.
    const KEEP: usize = 1 << 10;

    #[inline]
    pub fn get(&self) -> (&str, &str) {
        self.both.split_at(self.service_bytes)
    }

    /// The two names as fields of a meta, if they are short.
    #[inline]
    pub fn fields(&self) -> Option<&[u8]> {
        (!self.fields.is_empty()).then_some(&self.fields)
    }

    /// Takes the names of the next request; `None` if they are not UTF-8.
    #[inline]
    pub fn set(&mut self, service: &[u8], method: &[u8]) -> Option<()> {
        let (last_service, last_method) = self.both.as_bytes().split_at(self.service_bytes);
        if service == last_service && method == last_method {
            return Some(());
        }
        self.replace(service, method)
    }

    #[cold]
    fn replace(&mut self, service: &[u8], method: &[u8]) -> Option<()> {
        let (service, method) = (std::str::from_utf8(service).ok()?, std::str::from_utf8(method).ok()?);
        self.both.clear();
        self.both.shrink_to(Names::KEEP);
        self.both.push_str(service);
        self.both.push_str(method);
        self.service_bytes = service.len();
        self.fields.clear();
        self.fields.shrink_to(Names::KEEP);
        if service.len() < 0x80 && method.len() < 0x80 {
            for (tag, name) in [(request_tag::SERVICE_NAME, service), (request_tag::METHOD_NAME, method)] {
                self.fields.extend([tag, name.len() as u8]);
                self.fields.extend(name.as_bytes());
            }
        }
        Some(())
    }
}

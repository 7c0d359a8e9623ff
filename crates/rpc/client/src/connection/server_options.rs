//! Options that apply to the connections to one server of a channel.

/// The options of one server, from [`Fleet::per_server`](crate::Fleet::per_server); they override those of
/// the channel.
///
/// ```
/// use polywire_client::ServerOptions;
///
/// let options = ServerOptions::default().server_name("a.example.com").credential("key of a");
/// # let _ = options;
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct ServerOptions {
    pub(crate) server_name: Option<String>,
    pub(crate) authority: Option<String>,
    pub(crate) credential: Option<Vec<u8>>,
}

impl ServerOptions {
    /// The name of the server in TLS: it is sent as SNI, and the server's certificate must have it. It
    /// replaces [`ClientTls::server_name`](crate::ClientTls::server_name) or the host of the address. It
    /// requires a channel with TLS; without TLS, connections to this server fail.
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    /// The authority of requests (`host` of HTTP), in place of the address.
    pub fn authority(mut self, authority: impl Into<String>) -> Self {
        self.authority = Some(authority.into());
        self
    }

    /// The credential, in place of [`Builder::credential`](crate::Builder::credential) and
    /// [`Builder::credentials`](crate::Builder::credentials). An empty value means no credential.
    pub fn credential(mut self, credential: impl Into<Vec<u8>>) -> Self {
        self.credential = Some(credential.into());
        self
    }

    /// The error in these options that prevents connections; `None` if they are valid.
    pub(crate) fn wrong(&self, has_tls: bool) -> Option<String> {
        if let Some(name) = &self.server_name
            && !has_tls
        {
            return Some(format!(
                "the server has the TLS name {name:?}, and the channel no TLS: say .tls(..)"
            ));
        }
        let is_sayable = |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let authority = self.authority.as_ref().filter(|authority| !is_sayable(authority))?;
        Some(format!("{authority:?} is not an authority: it has to be printable ASCII"))
    }
}

/// Leaves out the credential.
impl std::fmt::Debug for ServerOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerOptions")
            .field("server_name", &self.server_name)
            .field("authority", &self.authority)
            .field("credential", &self.credential.as_ref().map(|_| ".."))
            .finish()
    }
}

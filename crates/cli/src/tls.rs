//! TLS on the command line: certificates of `serve`, and the trusted issuers of `call` and `press`.

use crate::failure::Failure;
use polywire::{ClientTls, Server, ServerTls};
use std::path::PathBuf;

/// A server's certificates.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "TLS")]
pub struct ServeTls {
    /// Speak TLS with this certificate, PEM, followed by its issuers; several are chosen by the name that is
    /// asked for
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Vec<PathBuf>,
    /// The key of each --tls-cert, in their order
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Vec<PathBuf>,
    /// Clients must show a certificate issued by one of these
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_client_ca: Option<PathBuf>,
    /// Answer plain text on the same port as well; not together with --tls-client-ca [default: TLS only]
    #[arg(long, requires = "tls_cert", conflicts_with = "tls_client_ca")]
    plain_beside_tls: bool,
}

impl ServeTls {
    /// Applies the options to the server.
    ///
    /// # Errors
    /// Not as many keys as certificates.
    pub fn on(&self, server: Server) -> Result<Server, Failure> {
        if self.tls_cert.len() != self.tls_key.len() {
            return Err(Failure::usage("each --tls-cert has its --tls-key"));
        }
        let mut pairs = self.tls_cert.iter().zip(&self.tls_key);
        let Some((certificate, key)) = pairs.next() else { return Ok(server) };
        let mut tls = ServerTls::files(certificate, key);
        for (certificate, key) in pairs {
            tls = tls.and_files(certificate, key);
        }
        if let Some(issuers) = &self.tls_client_ca {
            tls = tls.client_ca_file(issuers);
        }
        Ok(server.tls(tls.plain_beside(self.plain_beside_tls)))
    }
}

/// Which servers a client trusts, and its own certificate.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "TLS")]
pub struct PeerTls {
    /// Speak TLS; the server's certificate must be valid by the system's roots
    #[arg(long)]
    tls: bool,
    /// Trust only the issuers in this file, PEM; implies --tls
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// The name the certificate must have [default: the host of --server]; implies --tls
    #[arg(long, value_name = "NAME")]
    tls_name: Option<String>,
    /// Our own certificate, PEM, for servers that ask; implies --tls
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Trust any certificate: only for tests; implies --tls
    #[arg(long, conflicts_with = "tls_ca")]
    dangerous_no_verify: bool,
}

impl PeerTls {
    /// The client's TLS; `None`: plain text.
    pub fn connect(&self) -> Option<ClientTls> {
        let implied = self.tls_ca.is_some() || self.tls_name.is_some() || self.tls_cert.is_some();
        if !(self.tls || implied || self.dangerous_no_verify) {
            return None;
        }
        let mut tls = ClientTls::new();
        if let Some(issuers) = &self.tls_ca {
            tls = tls.ca_file(issuers);
        }
        if let Some(name) = &self.tls_name {
            tls = tls.server_name(name);
        }
        if let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) {
            tls = tls.certificate_files(certificate, key);
        }
        Some(if self.dangerous_no_verify { tls.dangerous().no_verification() } else { tls })
    }
}

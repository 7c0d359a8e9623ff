//! Options that disable the protection of TLS. They are only available through [`ClientTls::dangerous`], so
//! that a search finds their users.

use super::ClientTls;
use polywire_engine::transport::tls;
use rustls::{
    DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use std::sync::Arc;

/// A [`ClientTls`] with access to the dangerous options.
pub struct Dangerous(pub(super) ClientTls);

impl Dangerous {
    /// Accepts any certificate: an attacker on the network can read and change everything. For tests on one
    /// machine.
    pub fn no_verification(mut self) -> ClientTls {
        self.0.unverified = true;
        self.0
    }
}

/// Believes any certificate; the handshake must still be signed with its key.
pub(super) fn anything() -> Arc<dyn ServerCertVerifier> {
    Arc::new(Anything(tls::provider()))
}

#[derive(Debug)]
struct Anything(Arc<CryptoProvider>);

impl ServerCertVerifier for Anything {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _issuers: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

//! Checks that a server's certificate has one of the configured names, whatever the server is called.

use super::alternative_names::alternative_names;
use polywire_engine::transport::tls;
use polywire_routing::{NameKind, NameMatch};
use rustls::{
    CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
    client::{
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_cert_signed_by_trust_anchor,
    },
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};
use std::{fmt, sync::Arc};

/// The maximum number of names listed in an error, and of letters of each.
const TOLD: usize = 4;
const LONGEST_TOLD: usize = 100;

/// A verifier that accepts certificates of known issuers if one of their names passes one of these tests.
pub(super) fn verifier(roots: RootCertStore, names: Vec<NameMatch>) -> Arc<dyn ServerCertVerifier> {
    Arc::new(Named { roots, names: Some(names), provider: tls::provider() })
}

/// A verifier that accepts every certificate of a known issuer.
pub(super) fn any_name(roots: RootCertStore) -> Arc<dyn ServerCertVerifier> {
    Arc::new(Named { roots, names: None, provider: tls::provider() })
}

#[derive(Debug)]
struct Named {
    roots: RootCertStore,
    /// `None`: names are not looked at.
    names: Option<Vec<NameMatch>>,
    provider: Arc<CryptoProvider>,
}

impl Named {
    fn check(&self, certificate: &[u8]) -> Result<(), Error> {
        let Some(tests) = &self.names else { return Ok(()) };
        let names = alternative_names(certificate).ok_or(CertificateError::BadEncoding)?;
        let passes = |(kind, name): &(NameKind, String)| tests.iter().any(|test| test.matches(*kind, name));
        match names.iter().any(passes) {
            true => Ok(()),
            false => Err(CertificateError::Other(OtherError(Arc::new(WrongNames(names)))).into()),
        }
    }
}

impl ServerCertVerifier for Named {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        issuers: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let parsed = ParsedCertificate::try_from(certificate)?;
        let algorithms = self.provider.signature_verification_algorithms.all;
        verify_server_cert_signed_by_trust_anchor(&parsed, &self.roots, issuers, now, algorithms)?;
        self.check(certificate)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// The error for a certificate without an accepted name; holds its names.
#[derive(Debug)]
struct WrongNames(Vec<(NameKind, String)>);

impl fmt::Display for WrongNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("none of the names in the server's certificate is one that is wanted: ")?;
        if self.0.is_empty() {
            return f.write_str("it has no names");
        }
        for (n, (kind, name)) in self.0.iter().take(TOLD).enumerate() {
            let name: String = name.chars().take(LONGEST_TOLD).collect();
            write!(f, "{}{kind:?} {name:?}", if n > 0 { ", " } else { "" })?;
        }
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for WrongNames {}

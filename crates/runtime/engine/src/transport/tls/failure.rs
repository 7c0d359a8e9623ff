//! Which side caused a failure of TLS, and its counter.

use crate::{Fault, transport::Broken};
use rustls::{AlertDescription, CertificateError, Error};
use std::io;

/// The failure as an error of the transport. `handshaking`: the handshake was not complete.
#[cold]
pub(super) fn broken(error: &Error, handshaking: bool) -> io::Error {
    let fault = if is_about_certificates(error) {
        Fault::TlsCertificate
    } else if handshaking {
        Fault::TlsHandshake
    } else {
        Fault::TlsRecord
    };
    Broken::error(io::ErrorKind::InvalidData, fault, format!("TLS: {}", told(error)))
}

/// The text of an error with advice for the operator, where the library's text only names the rule.
fn told(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the certificate's issuer is none of those that are trusted (ca_file)".to_owned()
        }
        Error::InvalidCertificate(CertificateError::Other(other)) => match other.to_string() {
            webpki if webpki == "CaUsedAsEndEntity" => {
                "the certificate is that of an issuer (CA:TRUE), and was shown as a server's or client's own; docs/tls.md makes one to try with"
                    .to_owned()
            }
            // Of ours; rustls would show how it is made.
            text => text,
        },
        error => error.to_string(),
    }
}

/// Whether an error is about certificates: our error about the peer's, or, as an alert, the peer's about
/// ours.
fn is_about_certificates(error: &Error) -> bool {
    use AlertDescription as Alert;
    match error {
        Error::InvalidCertificate(_)
        | Error::NoCertificatesPresented
        | Error::UnsupportedNameType
        | Error::InvalidCertRevocationList(_) => true,
        Error::AlertReceived(alert) => matches!(
            *alert,
            Alert::NoCertificate
                | Alert::BadCertificate
                | Alert::UnsupportedCertificate
                | Alert::CertificateRevoked
                | Alert::CertificateExpired
                | Alert::CertificateUnknown
                | Alert::CertificateRequired
                | Alert::UnknownCA
                | Alert::AccessDenied
        ),
        _ => false,
    }
}

/// The error of a stream that ended without a close_notify.
#[cold]
pub(super) fn cut_off(handshaking: bool) -> io::Error {
    let (fault, what) = if handshaking {
        (Fault::TlsHandshake, "TLS: the connection ended within the handshake")
    } else {
        (Fault::TlsTruncated, "TLS: the connection ended without a close_notify")
    };
    Broken::error(io::ErrorKind::UnexpectedEof, fault, what)
}

//! Which side caused a failure of TLS, and its counter.

use crate::{Fault, transport::Broken};
use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, Side};
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
        // Their text is a list of bytes.
        Error::InvalidCertificate(
            CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. },
        ) => "the certificate was signed by another key than that of the trusted issuer with this name (ca_file)"
            .to_owned(),
        Error::InvalidCertificate(CertificateError::UnsupportedSignatureAlgorithmContext { .. }) => {
            "the certificate is signed by an algorithm that is not supported".to_owned()
        }
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "the peer sent something that is no TLS: does it speak TLS on this port?".to_owned()
        }
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

/// The error of a stream that ended without a close_notify. `handshaking`: whether that was within the
/// handshake.
#[cold]
pub(super) fn cut_off(side: Side, handshaking: bool) -> io::Error {
    let (fault, what) = match (handshaking, side) {
        (true, Side::Server) => (Fault::TlsHandshake, "TLS: the connection ended within the handshake"),
        // Most ports that take plain text do no more than end it.
        (true, Side::Client) => (
            Fault::TlsHandshake,
            "TLS: the connection ended within the handshake: does the peer speak TLS on this port?",
        ),
        (false, _) => (Fault::TlsTruncated, "TLS: the connection ended without a close_notify"),
    };
    Broken::error(io::ErrorKind::UnexpectedEof, fault, what)
}

/// The error of a stream that ended within a record after the handshake: what the record carries is lost,
/// whatever that is.
#[cold]
pub(super) fn cut_off_in_a_record() -> io::Error {
    let what = "TLS: the connection ended within a record";
    Broken::error(io::ErrorKind::ConnectionAborted, Fault::TlsTruncated, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_told_without_the_bytes_of_their_algorithms() {
        let context = CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext {
            signature_algorithm_id: vec![6, 8, 42],
            public_key_algorithm_id: vec![6, 7, 42],
        };
        for wrong in [context, CertificateError::BadSignature] {
            let said = broken(&Error::InvalidCertificate(wrong), true).to_string();
            assert!(said.contains("another key than that of the trusted issuer"), "{said}");
            assert!(!said.contains("42"), "{said}");
        }
        let unsupported = CertificateError::UnsupportedSignatureAlgorithmContext {
            signature_algorithm_id: vec![6, 8, 42],
            supported_algorithms: Vec::new(),
        };
        let said = broken(&Error::InvalidCertificate(unsupported), true).to_string();
        assert!(said.contains("algorithm that is not supported") && !said.contains("42"), "{said}");
    }

    #[test]
    fn only_a_client_is_asked_whether_its_peer_speaks_tls() {
        let asks = |side, handshaking| cut_off(side, handshaking).to_string().contains("speak TLS");
        assert_eq!([asks(Side::Client, true), asks(Side::Client, false)], [true, false]);
        assert!(!asks(Side::Server, true));
    }
}

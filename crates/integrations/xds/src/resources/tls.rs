//! `UpstreamTlsContext`: TLS whose certificates come from the providers of the bootstrap. gRFC A29, A82.

use super::{
    Known,
    matching::{How, Text},
    message, shortened,
};
use crate::{
    bootstrap::{Certificates, TlsFiles},
    messages::envoy::{
        config::core::v3::TransportSocket,
        extensions::transport_sockets::tls::v3::{
            CertificateValidationContext, UpstreamTlsContext, common_tls_context::ValidationContextType,
            subject_alt_name_matcher::SanType,
        },
    },
};
use polywire_routing::{CertificateNames, ClusterTls, NameKind, NameMatch, NameTest};

/// The maximum number of names that certificates are compared with, since each may be a regular expression.
const MOST_NAMES: usize = 100;

/// Checks the TLS settings for the endpoints of a cluster.
pub(super) fn check(wire: &TransportSocket, known: &Known) -> Result<ClusterTls, String> {
    if wire.name != "envoy.transport_sockets.tls" {
        return Err(format!("{:?} is not supported: envoy.transport_sockets.tls is", shortened(&wire.name)));
    }
    let any = wire.typed_config.as_option().ok_or("it has no typed_config")?;
    if any.message_name() != "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext" {
        return Err(format!("the type {:?} is not supported", shortened(&any.type_url)));
    }
    let context: UpstreamTlsContext = message(any)?;
    if context.sni.len() > 255 {
        return Err("sni is longer than 255 bytes".to_owned());
    }
    let common = context.common_tls_context.as_option().ok_or("common_tls_context is missing")?;
    let instance = common.tls_certificate_provider_instance.as_option();
    let refused = [
        ("tls_params", common.tls_params.is_set()),
        ("custom_handshaker", common.custom_handshaker.is_set()),
        ("tls_certificates", instance.is_none() && !common.tls_certificates.is_empty()),
        (
            "tls_certificate_sds_secret_configs",
            instance.is_none() && !common.tls_certificate_sds_secret_configs.is_empty(),
        ),
    ];
    unset(&refused)?;
    let validation = match &common.validation_context_type {
        Some(ValidationContextType::ValidationContext(validation)) => validation,
        Some(ValidationContextType::CombinedValidationContext(combined)) => {
            combined.default_validation_context.as_option().ok_or("default_validation_context is missing")?
        }
        Some(ValidationContextType::ValidationContextSdsSecretConfig(_)) => {
            return Err("validation_context_sds_secret_config is not supported".to_owned());
        }
        None => return Err("validation_context is missing".to_owned()),
    };
    let roots = roots(validation, known)?;
    let identity = instance.map(|instance| files(known, &instance.instance_name)).transpose()?;
    let tested = names(validation)?;
    // gRFC A101: the name that servers are asked for takes the place of the other tests. Ignored, every
    // server with a certificate of a believed issuer would be believed where nothing else is tested.
    let tested = match context.auto_sni_san_validation {
        false => tested,
        true if context.auto_host_sni || context.sni.is_empty() => {
            return Err(
                "auto_sni_san_validation is supported with sni and without auto_host_sni only".to_owned()
            );
        }
        true => CertificateNames::AnyOf(vec![NameMatch::new(NameTest::Exact(context.sni.clone()))]),
    };
    let mut tls = ClusterTls::new().names(tested);
    if !context.sni.is_empty() {
        tls = tls.server_name(context.sni);
    }
    let used = [roots, identity.as_ref().map(|(_, files)| *files)];
    if let Some(refresh) = used.iter().flatten().map(|files| files.refresh).min() {
        tls = tls.refresh(refresh);
    }
    if let Some(path) = roots.and_then(|files| files.roots.as_ref()) {
        tls = tls.ca_file(path);
    }
    if let Some((name, files)) = identity {
        let (chain, key) = files.identity.as_ref().ok_or_else(|| {
            format!("the certificate provider {:?} has no certificate_file", shortened(name))
        })?;
        tls = tls.certificate_files(chain, key);
    }
    Ok(tls)
}

/// The provider of the trusted issuers; `None`: those of the system.
fn roots<'k>(wire: &CertificateValidationContext, known: &'k Known) -> Result<Option<&'k TlsFiles>, String> {
    let timestamp = wire.require_signed_certificate_timestamp.as_option();
    unset(&[
        ("verify_certificate_spki", !wire.verify_certificate_spki.is_empty()),
        ("verify_certificate_hash", !wire.verify_certificate_hash.is_empty()),
        ("require_signed_certificate_timestamp", timestamp.is_some_and(|required| required.value)),
        ("crl", wire.crl.is_set()),
        ("custom_validator_config", wire.custom_validator_config.is_set()),
    ])?;
    match wire.ca_certificate_provider_instance.as_option() {
        Some(instance) => {
            let (name, files) = files(known, &instance.instance_name)?;
            match files.roots {
                Some(_) => Ok(Some(files)),
                None => {
                    Err(format!("the certificate provider {:?} has no ca_certificate_file", shortened(name)))
                }
            }
        }
        None if wire.system_root_certs.is_set() => Ok(None),
        None => Err("it has neither ca_certificate_provider_instance nor system_root_certs".to_owned()),
    }
}

/// A certificate provider of the bootstrap, with its name.
fn files<'k, 'n>(known: &'k Known, name: &'n str) -> Result<(&'n str, &'k TlsFiles), String> {
    match known.providers.get(name) {
        Some(Certificates::Files(files)) => Ok((name, files)),
        None => Err(format!("the bootstrap has no certificate provider {:?}", shortened(name))),
    }
}

/// The tests of names. By the documentation of Envoy's field, tests without a type are ignored if there are
/// some with one: together they would accept servers that neither list alone accepts.
fn names(wire: &CertificateValidationContext) -> Result<CertificateNames, String> {
    let (any, typed) = (&wire.match_subject_alt_names, &wire.match_typed_subject_alt_names);
    if any.len() + typed.len() > MOST_NAMES {
        return Err(format!("match_subject_alt_names has more than {MOST_NAMES} entries"));
    }
    let any = any.iter().map(|matcher| Text::check(matcher).map(name));
    let typed = typed.iter().map(|typed| {
        let kind = match typed.san_type.as_known() {
            Some(SanType::EMAIL) => NameKind::Email,
            Some(SanType::DNS) => NameKind::Dns,
            Some(SanType::URI) => NameKind::Uri,
            Some(SanType::IP_ADDRESS) => NameKind::Ip,
            _ => {
                return Err(
                    "the san_type of match_typed_subject_alt_names is not EMAIL, DNS, URI or IP_ADDRESS"
                        .to_owned(),
                );
            }
        };
        let matcher = typed.matcher.as_option().ok_or("match_typed_subject_alt_names has no matcher")?;
        Text::check(matcher).map(|text| name(text).kind(kind))
    });
    // All are checked, those that are ignored as well.
    let (any, typed) = (any.collect::<Result<Vec<_>, _>>()?, typed.collect::<Result<Vec<_>, String>>()?);
    let tests = if typed.is_empty() { any } else { typed };
    Ok(match tests.is_empty() {
        true => CertificateNames::Unchecked,
        false => CertificateNames::AnyOf(tests),
    })
}

fn name(text: Text) -> NameMatch {
    let test = match text.how {
        How::Exact(text) => NameTest::Exact(text),
        How::Prefix(text) => NameTest::Prefix(text),
        How::Suffix(text) => NameTest::Suffix(text),
        How::Contains(text) => NameTest::Contains(text),
        How::Regex(pattern) => NameTest::Pattern(pattern),
    };
    NameMatch::new(test).ignore_case(text.ignores_case)
}

fn unset(fields: &[(&str, bool)]) -> Result<(), String> {
    match fields.iter().find(|(_, is_set)| *is_set) {
        Some((name, _)) => Err(format!("{name} is not supported")),
        None => Ok(()),
    }
}

//! An issuer of certificates.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, SanType,
    date_time_ymd,
};

/// A certificate with its key, both as PEM.
#[derive(Clone)]
pub struct Identity {
    pub certificate: String,
    pub key: String,
}

pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate.
    pub pem: String,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut parameters = named(name, &[]);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = parameters.self_signed(&key).unwrap().pem();
        Authority { issuer: Issuer::new(parameters, key), pem }
    }

    /// For a server of these names.
    pub fn server(&self, names: &[&str]) -> Identity {
        self.issue(named("server", names))
    }

    /// For a server of names of any kind.
    pub fn of(&self, names: Vec<SanType>) -> Identity {
        let mut parameters = named("server", &[]);
        parameters.subject_alt_names = names;
        self.issue(parameters)
    }

    /// For a server, until the year 2001.
    pub fn expired(&self, names: &[&str]) -> Identity {
        let mut parameters = named("server", names);
        (parameters.not_before, parameters.not_after) =
            (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
        self.issue(parameters)
    }

    /// For a client with a DNS name, and a URI if it is not empty.
    pub fn client(&self, name: &str, uri: &str) -> Identity {
        let mut parameters = named(name, &[name]);
        if !uri.is_empty() {
            parameters.subject_alt_names.push(SanType::URI(uri.try_into().unwrap()));
        }
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.issue(parameters)
    }

    fn issue(&self, parameters: CertificateParams) -> Identity {
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap().pem();
        Identity { certificate, key: key.serialize_pem() }
    }
}

/// Self-signed.
pub fn self_signed(names: &[&str]) -> Identity {
    let key = KeyPair::generate().unwrap();
    let certificate = named("self", names).self_signed(&key).unwrap().pem();
    Identity { certificate, key: key.serialize_pem() }
}

/// What `openssl req -x509` makes when told nothing: an issuer's own certificate, with the names of a server.
pub fn issuer(names: &[&str]) -> Identity {
    let key = KeyPair::generate().unwrap();
    let mut parameters = named("issuer", names);
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    Identity { certificate: parameters.self_signed(&key).unwrap().pem(), key: key.serialize_pem() }
}

fn named(name: &str, names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut parameters = CertificateParams::new(names).unwrap();
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters
}

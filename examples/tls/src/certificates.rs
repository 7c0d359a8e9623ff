//! Certificates made when they are needed: an issuer, and one for each of the two programs.

use polywire::Result;
use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use std::{fs, path::Path};

/// Writes `ca.pem`, `server.pem`, `server.key`, `client.pem` and `client.key` into the folder.
pub fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let key = KeyPair::generate()?;
    let mut parameters = named("Example CA", &[])?;
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    fs::write(folder.join("ca.pem"), parameters.self_signed(&key)?.pem())?;
    let issuer = Issuer::new(parameters, key);

    issue(folder, "server", named("server", &["localhost", "127.0.0.1"])?, &issuer)?;
    let mut client = named("client", &["ada.example"])?;
    client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    issue(folder, "client", client, &issuer)
}

fn named(name: &str, names: &[&str]) -> Result<CertificateParams> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut parameters = CertificateParams::new(names)?;
    parameters.distinguished_name.push(DnType::CommonName, name);
    Ok(parameters)
}

fn issue(
    folder: &Path,
    file: &str,
    parameters: CertificateParams,
    issuer: &Issuer<'_, KeyPair>,
) -> Result<()> {
    let key = KeyPair::generate()?;
    fs::write(folder.join(format!("{file}.pem")), parameters.signed_by(&key, issuer)?.pem())?;
    Ok(fs::write(folder.join(format!("{file}.key")), key.serialize_pem())?)
}

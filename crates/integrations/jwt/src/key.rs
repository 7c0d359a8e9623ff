//! One key of a JWKS (RFC 7517), as far as it verifies signatures.

use crate::algorithm::Algorithm;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;

/// A public key.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Key {
    /// Its name, by which tokens ask for it.
    pub kid: Option<Box<str>>,
    /// The only algorithm that it is for; `None`: each of its kind.
    algorithm: Option<Algorithm>,
    numbers: Numbers,
}

#[derive(PartialEq, Eq, Debug)]
enum Numbers {
    /// Big-endian, without zeros before them.
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// A point on P-256, uncompressed: `04`, then both coordinates.
    P256(Vec<u8>),
    /// The same on P-384.
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// Its members. Those of private keys are not among them.
#[derive(Deserialize)]
pub(crate) struct Jwk {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Bits of a modulus; ring verifies with no others.
const MODULUS_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

impl Key {
    /// The key; or why it verifies no signature of a token, as keys for encryption do not.
    pub fn of(jwk: &Jwk) -> Result<Key, &'static str> {
        if jwk.purpose.as_ref().is_some_and(|purpose| purpose != "sig") {
            return Err("it is for another use");
        }
        if jwk.key_ops.as_ref().is_some_and(|ops| !ops.iter().any(|op| op == "verify")) {
            return Err("it is for other operations");
        }
        let numbers = match (&*jwk.kty, jwk.crv.as_deref()) {
            ("RSA", _) => rsa(number(&jwk.n)?, number(&jwk.e)?)?,
            ("EC", Some("P-256")) => Numbers::P256(point(&jwk.x, &jwk.y, 32)?),
            ("EC", Some("P-384")) => Numbers::P384(point(&jwk.x, &jwk.y, 48)?),
            ("OKP", Some("Ed25519")) => Numbers::Ed25519(sized(&jwk.x, 32)?),
            ("oct", _) => return Err("it is a secret, which a set of public keys does not have"),
            _ => return Err("its kind or curve is not supported"),
        };
        let algorithm = match &jwk.alg {
            Some(name) => Some(Algorithm::by_name(name).ok_or("its algorithm is not supported")?),
            None => None,
        };
        let key = Key { kid: jwk.kid.as_deref().map(Box::from), algorithm: None, numbers };
        if algorithm.is_some_and(|algorithm| !key.fits(algorithm)) {
            return Err("its kind is not that of its algorithm");
        }
        Ok(Key { algorithm, ..key })
    }

    /// Whether signatures by this algorithm can be from this key. The algorithm that a token names decides
    /// nothing else.
    pub fn fits(&self, algorithm: Algorithm) -> bool {
        self.algorithm.is_none_or(|only| only == algorithm) && self.verifier(algorithm).is_some()
    }

    /// Whether it is this key that has signed these bytes.
    pub fn has_signed(&self, algorithm: Algorithm, bytes: &[u8], signature: &[u8]) -> bool {
        self.fits(algorithm)
            && self.verifier(algorithm).is_some_and(|verifier| verifier.verify(bytes, signature))
    }

    fn verifier(&self, algorithm: Algorithm) -> Option<Verifier<'_>> {
        fn of<'k>(how: &'static dyn VerificationAlgorithm, point: &'k [u8]) -> Option<Verifier<'k>> {
            Some(Verifier::Point(UnparsedPublicKey::new(how, point)))
        }
        match (&self.numbers, algorithm) {
            (Numbers::Rsa { modulus, exponent }, _) => {
                let how = match algorithm {
                    Algorithm::Rs256 => &signature::RSA_PKCS1_2048_8192_SHA256,
                    Algorithm::Rs384 => &signature::RSA_PKCS1_2048_8192_SHA384,
                    Algorithm::Rs512 => &signature::RSA_PKCS1_2048_8192_SHA512,
                    Algorithm::Ps256 => &signature::RSA_PSS_2048_8192_SHA256,
                    Algorithm::Ps384 => &signature::RSA_PSS_2048_8192_SHA384,
                    Algorithm::Ps512 => &signature::RSA_PSS_2048_8192_SHA512,
                    Algorithm::Es256 | Algorithm::Es384 | Algorithm::EdDsa => return None,
                };
                Some(Verifier::Rsa(how, RsaPublicKeyComponents { n: modulus, e: exponent }))
            }
            (Numbers::P256(point), Algorithm::Es256) => of(&signature::ECDSA_P256_SHA256_FIXED, point),
            (Numbers::P384(point), Algorithm::Es384) => of(&signature::ECDSA_P384_SHA384_FIXED, point),
            (Numbers::Ed25519(point), Algorithm::EdDsa) => of(&signature::ED25519, point),
            (Numbers::P256(_) | Numbers::P384(_) | Numbers::Ed25519(_), _) => None,
        }
    }
}

enum Verifier<'k> {
    Rsa(&'static signature::RsaParameters, RsaPublicKeyComponents<&'k [u8]>),
    Point(UnparsedPublicKey<&'k [u8]>),
}

impl Verifier<'_> {
    fn verify(&self, bytes: &[u8], signature: &[u8]) -> bool {
        match self {
            Verifier::Rsa(how, key) => key.verify(how, bytes, signature).is_ok(),
            Verifier::Point(key) => key.verify(bytes, signature).is_ok(),
        }
    }
}

fn rsa(modulus: Vec<u8>, exponent: Vec<u8>) -> Result<Numbers, &'static str> {
    let zeros = modulus.first().map_or(0, |first| first.leading_zeros() as usize);
    if !MODULUS_BITS.contains(&(8 * modulus.len() - zeros)) {
        return Err("its modulus has not 2048 to 8192 bits");
    }
    Ok(Numbers::Rsa { modulus, exponent })
}

/// A number, big-endian. Some issuers write zeros before it, which RFC 7518 section 2 forbids.
fn number(text: &Option<String>) -> Result<Vec<u8>, &'static str> {
    let bytes = decoded(text)?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    if zeros == bytes.len() { Err("a number of it is missing") } else { Ok(bytes[zeros..].to_vec()) }
}

/// RFC 7518 section 6.2.1.2: "The length of this octet string MUST be the full size of a coordinate for the
/// curve".
fn sized(text: &Option<String>, bytes: usize) -> Result<Vec<u8>, &'static str> {
    decoded(text)
        .and_then(|it| if it.len() == bytes { Ok(it) } else { Err("a coordinate has another length") })
}

fn point(x: &Option<String>, y: &Option<String>, bytes: usize) -> Result<Vec<u8>, &'static str> {
    Ok([&[4][..], &sized(x, bytes)?, &sized(y, bytes)?].concat())
}

fn decoded(text: &Option<String>) -> Result<Vec<u8>, &'static str> {
    let text = text.as_ref().ok_or("a number of it is missing")?;
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| "a number of it is not base64url")
}

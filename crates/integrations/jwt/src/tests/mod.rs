//! Tests of more than one file: issuers that sign, attackers, sources of keys, a server.

mod attacks;
mod golden;
mod rules;
mod server;
mod sources;

use crate::{Algorithm, Issuer, Jwt, Keys, refusal::Refusal};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use polywire_server::Identity;
use ring::{
    rand::SystemRandom,
    rsa,
    signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RsaKeyPair},
};
use serde_json::{Value, json};

const ISSUER: &str = "https://id.example";
/// The time of tests, in seconds since 1970.
const NOW: u64 = 1_800_000_000;

fn base64url(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// A key with which an issuer signs.
struct Signer {
    kid: String,
    key: Private,
}

enum Private {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl Signer {
    /// The only RSA key of the tests: ring makes none.
    fn rsa(kid: &str) -> Signer {
        let pem: String = include_str!("rsa.pem").lines().filter(|line| !line.starts_with("--")).collect();
        let pkcs8 = BASE64_STANDARD.decode(pem).expect("base64");
        Signer { kid: kid.to_owned(), key: Private::Rsa(RsaKeyPair::from_pkcs8(&pkcs8).expect("a key")) }
    }

    fn p256(kid: &str) -> Signer {
        Signer { kid: kid.to_owned(), key: Private::P256(ecdsa(&signature::ECDSA_P256_SHA256_FIXED_SIGNING)) }
    }

    fn p384(kid: &str) -> Signer {
        Signer { kid: kid.to_owned(), key: Private::P384(ecdsa(&signature::ECDSA_P384_SHA384_FIXED_SIGNING)) }
    }

    fn ed25519(kid: &str) -> Signer {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let key = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key");
        Signer { kid: kid.to_owned(), key: Private::Ed25519(key) }
    }

    /// The public key, as a JWKS has it.
    fn jwk(&self) -> Value {
        let mut jwk = match &self.key {
            Private::Rsa(key) => {
                let public = rsa::PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({"kty": "RSA", "n": base64url(public.n), "e": base64url(public.e)})
            }
            Private::P256(key) => curve("P-256", key.public_key().as_ref()),
            Private::P384(key) => curve("P-384", key.public_key().as_ref()),
            Private::Ed25519(key) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(key.public_key())})
            }
        };
        jwk["kid"] = self.kid.clone().into();
        jwk
    }

    fn sign(&self, algorithm: Algorithm, bytes: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match (&self.key, algorithm) {
            (Private::Rsa(key), _) => {
                let how: &dyn signature::RsaEncoding = match algorithm {
                    Algorithm::Rs256 => &signature::RSA_PKCS1_SHA256,
                    Algorithm::Rs384 => &signature::RSA_PKCS1_SHA384,
                    Algorithm::Rs512 => &signature::RSA_PKCS1_SHA512,
                    Algorithm::Ps256 => &signature::RSA_PSS_SHA256,
                    Algorithm::Ps384 => &signature::RSA_PSS_SHA384,
                    Algorithm::Ps512 => &signature::RSA_PSS_SHA512,
                    other => panic!("RSA does not sign by {other}"),
                };
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(how, &random, bytes, &mut signature).expect("a signature");
                signature
            }
            (Private::P256(key) | Private::P384(key), _) => {
                key.sign(&random, bytes).expect("a signature").as_ref().to_vec()
            }
            (Private::Ed25519(key), _) => key.sign(bytes).as_ref().to_vec(),
        }
    }

    /// A token whose header names its key.
    fn token(&self, algorithm: Algorithm, claims: &Value) -> String {
        let header = json!({"alg": algorithm.name(), "kid": self.kid, "typ": "JWT"});
        self.token_with(algorithm, &header, claims.to_string())
    }

    fn token_with(&self, algorithm: Algorithm, header: &Value, payload: impl AsRef<[u8]>) -> String {
        let signed = format!("{}.{}", base64url(header.to_string()), base64url(payload));
        let signature = self.sign(algorithm, signed.as_bytes());
        format!("{signed}.{}", base64url(signature))
    }
}

fn ecdsa(how: &'static signature::EcdsaSigningAlgorithm) -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(how, &random).expect("a key");
    EcdsaKeyPair::from_pkcs8(how, pkcs8.as_ref(), &random).expect("a key")
}

/// A point as JWK; it comes as `04`, x, y.
fn curve(name: &str, point: &[u8]) -> Value {
    let (x, y) = point[1..].split_at((point.len() - 1) / 2);
    json!({"kty": "EC", "crv": name, "x": base64url(x), "y": base64url(y)})
}

fn jwks(signers: &[&Signer]) -> String {
    json!({"keys": signers.iter().map(|signer| signer.jwk()).collect::<Vec<_>>()}).to_string()
}

fn keys(signers: &[&Signer]) -> Keys {
    Keys::from_json(&jwks(signers)).expect("keys")
}

fn jwt(signers: &[&Signer]) -> Jwt {
    Jwt::new(Issuer::new(ISSUER, "shop", keys(signers)))
}

/// Claims that are taken at [`NOW`].
fn claims() -> Value {
    json!({"iss": ISSUER, "aud": "shop", "sub": "ada", "exp": NOW + 300})
}

/// [`claims`] with others in place of some; `null` takes one away.
fn claims_with(other: Value) -> Value {
    let mut claims = claims();
    for (name, value) in other.as_object().expect("an object") {
        match value {
            Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
            value => claims[name] = value.clone(),
        }
    }
    claims
}

/// What comes of a token at [`NOW`], where nothing has to be fetched.
fn verify(jwt: &Jwt, token: &str) -> Result<Identity, Refusal> {
    verify_at(jwt, token, NOW)
}

fn verify_at(jwt: &Jwt, token: &str, now: u64) -> Result<Identity, Refusal> {
    let mut verifying = std::pin::pin!(jwt.identity_at(token, now));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    match verifying.as_mut().poll(&mut cx) {
        std::task::Poll::Ready(outcome) => outcome,
        std::task::Poll::Pending => panic!("it waits for a source of keys"),
    }
}

fn refusal(jwt: &Jwt, token: &str) -> Refusal {
    match verify(jwt, token) {
        Err(refusal) => refusal,
        Ok(identity) => panic!("accepted as {identity:?}: {token}"),
    }
}

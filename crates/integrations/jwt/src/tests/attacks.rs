//! Tokens and keys of attackers.

use super::*;
use crate::key_set::{KeySet, MOST_BYTES};
use ring::hmac;

/// An attacker has the public key in every form in which a careless verifier may hold it as a secret.
#[test]
fn a_token_signed_by_hmac_with_the_public_key_is_refused() {
    for signer in [Signer::rsa("k"), Signer::p256("k"), Signer::ed25519("k")] {
        let jwt = jwt(&[&signer]);
        let jwk = signer.jwk();
        let mut secrets = vec![jwk.to_string().into_bytes(), jwks(&[&signer]).into_bytes(), Vec::new()];
        for name in ["n", "x", "y"] {
            let Some(text) = jwk[name].as_str() else { continue };
            secrets.push(text.as_bytes().to_vec());
            secrets.push(BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64url"));
        }
        for secret in secrets {
            for name in ["HS256", "hs256", "HS384", "RS256", "ES256", "EdDSA"] {
                let header = json!({"alg": name, "kid": "k"});
                let signed = format!("{}.{}", base64url(header.to_string()), base64url(claims().to_string()));
                let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), signed.as_bytes());
                let refused = refusal(&jwt, &format!("{signed}.{}", base64url(mac)));
                let expected = [Refusal::Algorithm, Refusal::Signature, Refusal::UnknownKey];
                assert!(expected.contains(&refused), "{name}: {refused:?}");
            }
        }
    }
}

#[test]
fn a_token_without_a_signature_is_refused_however_it_says_so() {
    let signer = Signer::rsa("k");
    let jwt = jwt(&[&signer]);
    let payload = base64url(claims().to_string());
    for alg in ["none", "None", "NONE", "nOnE", "", "null", "RS256 ", "rs256", "RS256\0", "RS1", "RSA"] {
        for header in [json!({"alg": alg}), json!({"alg": alg, "kid": "k"})] {
            for signature in ["", "AA", &base64url([0; 256])] {
                let token = format!("{}.{payload}.{signature}", base64url(header.to_string()));
                assert_eq!(refusal(&jwt, &token), Refusal::Algorithm, "{alg}");
            }
        }
    }
    for header in [json!({}), json!({"alg": null}), json!({"alg": ["RS256"]}), json!([]), json!("RS256")] {
        let token = format!("{}.{payload}.", base64url(header.to_string()));
        assert_eq!(refusal(&jwt, &token), Refusal::Malformed, "{header}");
    }
    let good = signer.token(Algorithm::Rs256, &claims());
    let (signed, signature) = good.rsplit_once('.').expect("a signature");
    for (other, refused) in [
        (signed.to_owned(), Refusal::Malformed),
        (format!("{signed}."), Refusal::Signature),
        (format!("{signed}.{}", base64url([0; 256])), Refusal::Signature),
        (format!("{signed}.{}", base64url(vec![0; 5000])), Refusal::Signature),
        (format!("{signed}.{signature}="), Refusal::Malformed),
        (format!("{signed}.{signature}."), Refusal::Malformed),
        (format!("{signed}..{signature}"), Refusal::Malformed),
        (format!("{signed}.{signature} "), Refusal::Malformed),
        (format!(" {good}"), Refusal::Malformed),
        (format!(".{good}"), Refusal::Malformed),
        ("..".to_owned(), Refusal::Malformed),
        (String::new(), Refusal::Malformed),
        ("\u{1F511}.\u{1F511}.\u{1F511}".to_owned(), Refusal::Malformed),
    ] {
        assert_eq!(refusal(&jwt, &other), refused, "{other}");
    }
}

/// CVE-2022-21449: a verifier that does not look at the numbers takes a signature of zeros for every text.
#[test]
fn an_ecdsa_signature_of_zeros_is_no_signature() {
    for (signer, algorithm, bytes) in
        [(Signer::p256("k"), Algorithm::Es256, 64), (Signer::p384("k"), Algorithm::Es384, 96)]
    {
        let jwt = jwt(&[&signer]);
        let header = json!({"alg": algorithm.name(), "kid": "k"});
        let signed = format!("{}.{}", base64url(header.to_string()), base64url(claims().to_string()));
        for signature in [vec![0; bytes], vec![0xff; bytes], vec![0; bytes - 1], Vec::new()] {
            let token = format!("{signed}.{}", base64url(signature));
            assert_eq!(refusal(&jwt, &token), Refusal::Signature);
        }
    }
}

#[test]
fn no_byte_of_a_token_can_be_changed() {
    let signer = Signer::p256("k");
    let jwt = jwt(&[&signer]);
    let good = signer.token(Algorithm::Es256, &claims());
    assert!(verify(&jwt, &good).is_ok());
    for at in 0..good.len() {
        let mut other = good.clone().into_bytes();
        other[at] = if other[at] == b'A' { b'B' } else { b'A' };
        assert!(verify(&jwt, std::str::from_utf8(&other).expect("ASCII")).is_err(), "byte {at}");
        assert!(verify(&jwt, &good[..at]).is_err(), "the first {at} bytes");
    }
}

#[test]
fn a_key_that_comes_with_the_token_verifies_nothing() {
    let (known, attacker) = (Signer::p256("k"), Signer::p256("k"));
    let jwt = jwt(&[&known]);
    for header in [
        json!({"alg": "ES256", "kid": "k", "jwk": attacker.jwk()}),
        json!({"alg": "ES256", "kid": "k", "jku": "https://evil.example/keys"}),
        json!({"alg": "ES256", "kid": "k", "x5u": "https://evil.example/", "x5c": ["AA=="]}),
    ] {
        let token = attacker.token_with(Algorithm::Es256, &header, claims().to_string());
        assert_eq!(refusal(&jwt, &token), Refusal::Signature, "{header}");
    }
    for kid in ["../../etc/passwd", "' or 1=1 --", "", "K", "k\0", &"k".repeat(4000)] {
        let header = json!({"alg": "ES256", "kid": kid});
        let token = attacker.token_with(Algorithm::Es256, &header, claims().to_string());
        assert_eq!(refusal(&jwt, &token), Refusal::UnknownKey, "{kid:?}");
    }
}

#[test]
fn a_header_with_extensions_or_the_same_member_twice_is_malformed() {
    let signer = Signer::p256("k");
    let jwt = jwt(&[&signer]);
    for header in [
        r#"{"alg":"ES256","kid":"k","crit":["exp"],"exp":1}"#,
        r#"{"alg":"ES256","kid":"k","crit":[]}"#,
        r#"{"alg":"ES256","kid":"k","crit":["b64"],"b64":false}"#,
        r#"{"alg":"none","kid":"k","alg":"ES256"}"#,
        r#"{"alg":"ES256","kid":"x","kid":"k"}"#,
        r#"{"alg":"ES256","kid":"k"} x"#,
        r#"{"alg":"ES256","kid":7}"#,
    ] {
        let signed = format!("{}.{}", base64url(header), base64url(claims().to_string()));
        let signature = signer.sign(Algorithm::Es256, signed.as_bytes());
        assert_eq!(
            refusal(&jwt, &format!("{signed}.{}", base64url(signature))),
            Refusal::Malformed,
            "{header}"
        );
    }
}

#[test]
fn a_huge_token_and_one_with_millions_of_claims_are_refused_unread() {
    let signer = Signer::p256("k");
    let jwt = jwt(&[&signer]);
    let header = json!({"alg": "ES256", "kid": "k"});
    let many: String = (0..2_000_000).map(|n| format!("\"c{n}\":{n},")).collect();
    let payload = format!("{{{many}\"sub\":\"ada\"}}");
    assert_eq!(refusal(&jwt, &signer.token_with(Algorithm::Es256, &header, payload)), Refusal::TooLong);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(2500), "]".repeat(2500));
    assert_eq!(refusal(&jwt, &signer.token_with(Algorithm::Es256, &header, deep)), Refusal::Malformed);
    // As long as can be, and one byte more.
    let longest = |more: usize| {
        let token =
            |pad: usize| signer.token(Algorithm::Es256, &claims_with(json!({"pad": "x".repeat(pad)})));
        let pad =
            (5500..6000).rev().find(|pad| token(*pad).len() <= crate::token::MOST_BYTES).expect("it fits");
        token(pad + more)
    };
    assert!(verify(&jwt, &longest(0)).is_ok());
    assert_eq!(refusal(&jwt, &longest(2)), Refusal::TooLong);
    for payload in ["", "[]", "null", "\"x\"", "{", "\u{1}", "{\"iss\":\"https://id.example\"", "{}{}"] {
        let refused = refusal(&jwt, &signer.token_with(Algorithm::Es256, &header, payload));
        assert_eq!(refused, Refusal::Malformed, "{payload}");
    }
}

#[test]
fn valid_tokens_however_many_take_bounded_memory() {
    let signer = Signer::ed25519("k");
    let jwt = jwt(&[&signer]);
    for n in 0..12_000 {
        let token = signer.token(Algorithm::EdDsa, &claims_with(json!({"jti": n})));
        assert!(verify(&jwt, &token).is_ok());
    }
    assert!((5_000..=10_000).contains(&jwt.kept()), "{}", jwt.kept());
    for n in 0..100 {
        let other = Signer::ed25519("k").token(Algorithm::EdDsa, &claims_with(json!({"jti": n})));
        assert_eq!(refusal(&jwt, &other), Refusal::Signature);
    }
}

#[test]
fn keys_that_are_not_for_these_signatures_are_left_out() {
    let signer = Signer::rsa("k");
    let token = signer.token(Algorithm::Rs256, &claims());
    let with = |other: Value| {
        let mut jwk = signer.jwk();
        let members = other.as_object().expect("an object");
        members.iter().for_each(|(name, value)| jwk[name] = value.clone());
        Keys::from_json(&json!({"keys": [jwk, Signer::p256("other").jwk()]}).to_string()).expect("keys")
    };
    for (other, taken) in [
        (json!({}), true),
        (json!({"use": "sig"}), true),
        (json!({"use": "enc"}), false),
        (json!({"key_ops": ["verify"]}), true),
        (json!({"key_ops": ["encrypt", "wrapKey"]}), false),
        (json!({"key_ops": []}), false),
        (json!({"alg": "RS256"}), true),
        (json!({"alg": "RS512"}), false),
        (json!({"alg": "PS256"}), false),
        (json!({"alg": "ES256"}), false),
        (json!({"alg": "HS256"}), false),
        (json!({"alg": "RSA-OAEP"}), false),
        (json!({"kty": "oct", "k": "AAAA"}), false),
        (json!({"kty": "EC", "crv": "P-256"}), false),
        (json!({"n": "AQAB"}), false),
        (json!({"n": base64url([0xff; 1025])}), false),
        (json!({"n": ""}), false),
        (json!({"e": "AA"}), false),
        (json!({"n": 7}), false),
    ] {
        let jwt = Jwt::new(Issuer::new(ISSUER, "shop", with(other.clone())));
        let expected = if taken { None } else { Some(Refusal::UnknownKey) };
        assert_eq!(verify(&jwt, &token).err(), expected, "{other}");
    }
    for point in [
        json!({"kty": "EC", "crv": "P-256", "x": base64url([1; 31]), "y": base64url([1; 32])}),
        json!({"kty": "EC", "crv": "P-256", "x": base64url([1; 33]), "y": base64url([1; 32])}),
        json!({"kty": "EC", "crv": "secp256k1", "x": base64url([1; 32]), "y": base64url([1; 32])}),
        json!({"kty": "OKP", "crv": "X25519", "x": base64url([1; 32])}),
        json!({"kty": "OKP", "crv": "Ed25519", "x": base64url([1; 33])}),
        json!({"kty": "oct", "k": "AAAA"}),
    ] {
        assert!(Keys::from_json(&json!({"keys": [point]}).to_string()).is_err(), "{point}");
    }
    // A point that is not on its curve verifies nothing.
    let off =
        json!({"kty": "EC", "crv": "P-256", "kid": "k", "x": base64url([1; 32]), "y": base64url([1; 32])});
    let jwt = Jwt::new(Issuer::new(ISSUER, "shop", Keys::from_json(&off.to_string()).expect("a key")));
    assert_eq!(refusal(&jwt, &Signer::p256("k").token(Algorithm::Es256, &claims())), Refusal::Signature);
}

#[test]
fn a_set_of_keys_is_bounded_in_bytes_and_keys() {
    let key = Signer::p256("k").jwk().to_string();
    let set = |n: usize| format!("{{\"keys\":[{}]}}", vec![&*key; n].join(","));
    assert_eq!(KeySet::parse(set(64).as_bytes()).map(|set| set.len()), Ok(64));
    for (text, says) in [
        (set(65), "65 keys"),
        (set(100_000), "longer than"),
        (format!("{}{}", set(1), " ".repeat(MOST_BYTES)), "longer than"),
        ("".to_owned(), "no JWKS"),
        ("<html>".to_owned(), "no JWKS"),
        ("-----BEGIN PUBLIC KEY-----\n".to_owned(), "a JWKS is needed (RFC 7517), this is a PEM file"),
        ("[]".to_owned(), "no JWKS"),
        ("{}".to_owned(), "no JWKS"),
        (r#"{"keys":[]}"#.to_owned(), "no keys"),
        (r#"{"keys":{}}"#.to_owned(), "no JWKS"),
        (r#"{"keys":[1,"x",null]}"#.to_owned(), "no key that verifies"),
        (r#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#.to_owned(), "it is a secret"),
        (format!("{{\"keys\":{}", "[".repeat(100_000)), "no JWKS"),
    ] {
        let wrong = KeySet::parse(text.as_bytes()).expect_err("no keys");
        assert!(wrong.contains(says), "{wrong}");
    }
}

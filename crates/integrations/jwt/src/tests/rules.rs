//! Which tokens are taken: signatures, times, audiences, issuers; what handlers see of them.

use super::*;
use crate::{Claims, Tokens};
use std::time::Duration;

#[test]
fn every_algorithm_verifies_with_a_key_of_its_kind_and_with_no_other() {
    let signers = [Signer::rsa("r"), Signer::p256("p"), Signer::p384("q"), Signer::ed25519("e")];
    let jwt = jwt(&signers.each_ref());
    for algorithm in Algorithm::ALL {
        let signer = match algorithm {
            Algorithm::Es256 => &signers[1],
            Algorithm::Es384 => &signers[2],
            Algorithm::EdDsa => &signers[3],
            _ => &signers[0],
        };
        let token = signer.token(algorithm, &claims());
        assert_eq!(&*verify(&jwt, &token).expect("it is taken").name, "ada", "{algorithm}");
        // Without the name of the key, each that fits is tried.
        let header = json!({"alg": algorithm.name()});
        let unnamed = signer.token_with(algorithm, &header, claims().to_string());
        assert!(verify(&jwt, &unnamed).is_ok(), "{algorithm}");
        // The name of a key of another kind.
        for other in signers.iter().filter(|other| other.kid != signer.kid) {
            let header = json!({"alg": algorithm.name(), "kid": other.kid});
            let token = signer.token_with(algorithm, &header, claims().to_string());
            assert_eq!(refusal(&jwt, &token), Refusal::UnknownKey, "{algorithm} {}", other.kid);
        }
    }
}

#[test]
fn only_the_algorithms_that_were_named_are_taken() {
    let signer = Signer::rsa("r");
    let issuer = Issuer::new(ISSUER, "shop", keys(&[&signer])).algorithms([Algorithm::Ps256]);
    let jwt = Jwt::new(issuer);
    assert!(verify(&jwt, &signer.token(Algorithm::Ps256, &claims())).is_ok());
    assert_eq!(refusal(&jwt, &signer.token(Algorithm::Rs256, &claims())), Refusal::Algorithm);
}

#[test]
fn times_have_a_tolerance_of_sixty_seconds_either_way() {
    let signer = Signer::p256("p");
    let jwt = jwt(&[&signer]);
    let at = |claims: Value| verify(&jwt, &signer.token(Algorithm::Es256, &claims_with(claims))).err();
    for (claims, refusal) in [
        (json!({"exp": NOW - 60}), None),
        (json!({"exp": NOW - 61}), Some(Refusal::Expired)),
        (json!({"exp": NOW as f64 - 60.5}), Some(Refusal::Expired)),
        (json!({"exp": NOW as f64 + 0.5}), None),
        (json!({"exp": null}), Some(Refusal::NoEnd)),
        (json!({"exp": "1900000000"}), Some(Refusal::Malformed)),
        (json!({"exp": -1}), Some(Refusal::Malformed)),
        (json!({"exp": 1e300}), Some(Refusal::Malformed)),
        (json!({"exp": u64::MAX}), None),
        (json!({"nbf": NOW + 60}), None),
        (json!({"nbf": NOW + 61}), Some(Refusal::NotYet)),
        (json!({"nbf": true}), Some(Refusal::Malformed)),
    ] {
        assert_eq!(at(claims.clone()), refusal, "{claims}");
    }
    let strict = Jwt::new(Issuer::new(ISSUER, "shop", keys(&[&signer])).leeway(Duration::ZERO));
    let token = signer.token(Algorithm::Es256, &claims_with(json!({"exp": NOW - 1})));
    assert_eq!(refusal(&strict, &token), Refusal::Expired);
}

#[test]
fn a_token_that_was_accepted_is_refused_from_its_end_on() {
    let signer = Signer::p256("p");
    let jwt = jwt(&[&signer]);
    let token = signer.token(Algorithm::Es256, &claims());
    let end = NOW + 300 + 60;
    assert!(verify_at(&jwt, &token, end).is_ok());
    assert_eq!(jwt.kept(), 1);
    assert!(verify_at(&jwt, &token, end).is_ok());
    assert_eq!(verify_at(&jwt, &token, end + 1).err(), Some(Refusal::Expired));
    assert_eq!(jwt.kept(), 0);
    assert_eq!(verify_at(&jwt, &token, end + 1).err(), Some(Refusal::Expired));
}

#[test]
fn a_token_is_for_one_of_the_audiences_that_are_asked_for() {
    let signer = Signer::ed25519("e");
    let token = |aud: Value| signer.token(Algorithm::EdDsa, &claims_with(json!({"aud": aud})));
    let one = jwt(&[&signer]);
    let two = Jwt::new(Issuer::new(ISSUER, "shop", keys(&[&signer])).audience("stock"));
    let any = Jwt::new(Issuer::new(ISSUER, "shop", keys(&[&signer])).dangerous_any_audience());
    for (aud, taken) in [
        (json!("shop"), [true, true, true]),
        (json!("stock"), [false, true, true]),
        (json!(["other", "shop"]), [true, true, true]),
        (json!(["other"]), [false, false, true]),
        (json!([]), [false, false, true]),
        (json!("Shop"), [false, false, true]),
        (json!({"shop": 1}), [false, false, true]),
        (Value::Null, [false, false, true]),
    ] {
        for (jwt, taken) in [&one, &two, &any].into_iter().zip(taken) {
            let outcome = verify(jwt, &token(aud.clone()));
            assert_eq!(outcome.err(), if taken { None } else { Some(Refusal::Audience) }, "{aud}");
        }
    }
}

#[test]
fn with_several_issuers_names_say_whose_they_are_and_nobody_signs_for_another() {
    let (one, other) = (Signer::p256("same"), Signer::p256("same"));
    let second = "https://other.example";
    let both = jwt(&[&one]).issuer(Issuer::new(second, "shop", keys(&[&other]))).expect("two issuers");
    let from = |signer: &Signer, iss: &str| signer.token(Algorithm::Es256, &claims_with(json!({"iss": iss})));
    assert_eq!(&*verify(&both, &from(&one, ISSUER)).expect("taken").name, "https://id.example/ada");
    assert_eq!(&*verify(&both, &from(&other, second)).expect("taken").name, "https://other.example/ada");
    assert_eq!(refusal(&both, &from(&one, second)), Refusal::Signature);
    assert_eq!(refusal(&both, &from(&other, ISSUER)), Refusal::Signature);
    for iss in ["https://id.example/", "HTTPS://id.example", "", "https://id.exampl"] {
        assert_eq!(refusal(&both, &from(&one, iss)), Refusal::Issuer, "{iss}");
    }
    for iss in [json!(null), json!(1), json!([ISSUER])] {
        let token = one.token(Algorithm::Es256, &claims_with(json!({"iss": iss})));
        assert_eq!(refusal(&both, &token), Refusal::Issuer, "{iss}");
    }
    // `a/b` with `c` and `a` with `b/c` would be the same caller.
    for twice in [ISSUER, "https://id.example/realm", "https:/"] {
        assert!(jwt(&[&one]).issuer(Issuer::new(twice, "shop", keys(&[&other]))).is_err(), "{twice}");
    }
}

#[test]
fn a_subject_is_text_without_control_characters_and_not_long() {
    let signer = Signer::p256("p");
    let jwt = jwt(&[&signer]);
    for subject in [json!(null), json!(""), json!(7), json!("a\nb"), json!("x".repeat(513))] {
        let token = signer.token(Algorithm::Es256, &claims_with(json!({"sub": subject})));
        assert_eq!(refusal(&jwt, &token), Refusal::Subject, "{subject}");
    }
}

#[test]
fn roles_and_claims_are_there_for_handlers() {
    let signer = Signer::p256("p");
    let of = |claim: &str, claims: Value| {
        let jwt = Jwt::new(Issuer::new(ISSUER, "shop", keys(&[&signer])).roles(claim));
        verify(&jwt, &signer.token(Algorithm::Es256, &claims_with(claims))).expect("taken")
    };
    let identity = of("scope", json!({"scope": "read  write", "age": 7, "ok": true, "deep": {"a": [1]}}));
    assert_eq!(identity.roles.iter().map(|role| &**role).collect::<Vec<_>>(), ["read", "write"]);
    let claims = Claims::of_identity(&identity).expect("claims");
    assert_eq!(
        (claims.text("sub"), claims.number("age"), claims.flag("ok")),
        (Some("ada"), Some(7.0), Some(true))
    );
    assert_eq!(claims.json("deep").as_deref(), Some(r#"{"a":[1]}"#));
    assert_eq!((claims.text("age"), claims.json("none")), (None, None));
    assert_eq!(of("roles", json!({"roles": ["a", 1, "b"]})).roles.len(), 2);
    assert_eq!(of("roles", json!({"roles": {"a": 1}})).roles.len(), 0);
    assert!(Claims::of_identity(&Identity::named("ada")).is_none());
}

#[test]
fn tokens_of_a_list_are_taken_beside_those_of_issuers() {
    let signer = Signer::p256("p");
    let list = "ops 3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0";
    let both = jwt(&[&signer]).or(Tokens::from_text(list).expect("a list"));
    assert_eq!(&*verify(&both, "token").expect("listed").name, "ops");
    assert_eq!(&*verify(&both, &signer.token(Algorithm::Es256, &claims())).expect("signed").name, "ada");
    assert_eq!(refusal(&both, "tokem"), Refusal::Malformed);
}

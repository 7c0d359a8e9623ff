//! Signatures that others have made: the appendices of RFC 7515 and RFC 8037.

use super::*;
use crate::{
    key_set::{KeySet, Signed},
    token::Token,
};

fn signed(jwk: &str, algorithm: Algorithm, token: &str) -> Signed {
    let set = KeySet::parse(jwk.as_bytes()).expect("a key");
    let (bytes, signature) = token.rsplit_once('.').expect("a signature");
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).expect("base64url");
    // Without the name of a key, a signature that does not fit is one by a key that is not here.
    set.verify(None, algorithm, bytes.as_bytes(), &signature)
}

/// RFC 7515, appendix A.2 and A.3: the payload of both.
const PAYLOAD: &str =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

#[test]
fn rfc_7515_a2_is_signed_by_rs256() {
    let jwk = r#"{"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"}"#;
    let token = format!(
        "eyJhbGciOiJSUzI1NiJ9.{PAYLOAD}.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    );
    assert_eq!(signed(jwk, Algorithm::Rs256, &token), Signed::Yes);
    assert_eq!(signed(jwk, Algorithm::Ps256, &token), Signed::UnknownKey);
    assert_eq!(signed(jwk, Algorithm::Rs512, &token), Signed::UnknownKey);
    let token = Token::parse(&token).expect("a token");
    assert_eq!((token.text("iss"), &*token.header.alg), (Some("joe"), "RS256"));
}

#[test]
fn rfc_7515_a3_is_signed_by_es256() {
    let jwk = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
    let token = format!(
        "eyJhbGciOiJFUzI1NiJ9.{PAYLOAD}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    );
    assert_eq!(signed(jwk, Algorithm::Es256, &token), Signed::Yes);
    assert_eq!(signed(jwk, Algorithm::Es384, &token), Signed::UnknownKey);
}

#[test]
fn rfc_8037_a4_is_signed_by_eddsa() {
    let jwk = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let token = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    assert_eq!(signed(jwk, Algorithm::EdDsa, token), Signed::Yes);
    assert!(Token::parse(token).is_err(), "its payload is text, not claims");
}

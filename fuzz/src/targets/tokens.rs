//! What callers show to be known, and the keys that issuers publish: a text is a token, a name with its
//! token, a JWKS, a list of tokens, or none of these.

use polywire_jwt::internals::{read, signed};

/// RFC 7515, appendix A.3: a key, and the only token that it has signed.
const KEY: &str = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
const TOKEN: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    read(text, TOKEN);
    if let Some(signed) = signed(KEY, text) {
        assert!(TOKEN.starts_with(signed), "nobody has signed {signed}");
    }
}

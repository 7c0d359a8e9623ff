//! Keys of CURVE, and the text they are written in: Z85, 40 characters for 32 bytes (ZeroMQ RFC 32).

use std::{fmt, str::FromStr};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A public key of CURVE.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(pub [u8; 32]);

/// A key that stays with its owner; its memory is cleared when it is dropped.
#[derive(Clone)]
pub struct SecretKey(pub(super) crypto_box::SecretKey);

/// The error for a text that is not a key in Z85.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAKey;

impl fmt::Display for NotAKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key is 40 characters of Z85")
    }
}
impl std::error::Error for NotAKey {}

impl PublicKey {
    pub(super) fn key(&self) -> crypto_box::PublicKey {
        crypto_box::PublicKey::from(self.0)
    }
}

impl SecretKey {
    /// A new key from 32 random bytes, which the caller should clear.
    pub fn from_random(bytes: &[u8; 32]) -> Self {
        SecretKey(crypto_box::SecretKey::from(*bytes))
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(*self.0.public_key().as_bytes())
    }

    /// The key as text. The text is cleared when dropped, and should not be printed by accident.
    pub fn to_z85(&self) -> Zeroizing<String> {
        Zeroizing::new(encode(&Zeroizing::new(self.0.to_bytes())))
    }
}

impl PartialEq for SecretKey {
    fn eq(&self, other: &Self) -> bool {
        let (ours, theirs) = (Zeroizing::new(self.0.to_bytes()), Zeroizing::new(other.0.to_bytes()));
        ours.ct_eq(&*theirs).into()
    }
}

impl FromStr for PublicKey {
    type Err = NotAKey;
    fn from_str(text: &str) -> Result<Self, NotAKey> {
        Ok(PublicKey(*decode(text)?))
    }
}
impl FromStr for SecretKey {
    type Err = NotAKey;
    fn from_str(text: &str) -> Result<Self, NotAKey> {
        Ok(SecretKey::from_random(&*decode(text)?))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(&self.0))
    }
}
impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

const DIGITS: &[u8; 85] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

fn encode(key: &[u8; 32]) -> String {
    let mut text = String::with_capacity(40);
    for word in key.chunks_exact(4) {
        let word = u32::from_be_bytes(word.try_into().expect("four bytes"));
        for power in [52_200_625, 614_125, 7225, 85, 1] {
            text.push(char::from(DIGITS[(word / power % 85) as usize]));
        }
    }
    text
}

fn decode(text: &str) -> Result<Zeroizing<[u8; 32]>, NotAKey> {
    let mut key = Zeroizing::new([0; 32]);
    if text.len() != 40 {
        return Err(NotAKey);
    }
    for (digits, bytes) in text.as_bytes().chunks_exact(5).zip(key.chunks_exact_mut(4)) {
        let mut word = 0u32;
        for digit in digits {
            let digit = DIGITS.iter().position(|d| d == digit).ok_or(NotAKey)?;
            word = word.checked_mul(85).and_then(|w| w.checked_add(digit as u32)).ok_or(NotAKey)?;
        }
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 26 and 32: "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7" and its bytes.
    #[test]
    fn the_key_of_the_rfc_reads_and_writes() {
        let text = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
        let bytes = polywire_machine_testing::hex(
            "54 FC BA 24 E9 32 49 96 93 16 FB 61 7C 87 2B B0 C1 D1 FF 14 80 04 27 C5 94 CB FA CF 1B C2 D6 52",
        );
        let key: PublicKey = text.parse().unwrap();
        assert_eq!(key.0[..], bytes);
        assert_eq!(key.to_string(), text);
        let secret = SecretKey::from_random(&key.0);
        assert_eq!(*secret.to_z85(), text);
        assert_eq!(format!("{secret:?}"), "SecretKey(..)");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "rq:rM", &"#".repeat(40), &"~".repeat(40), &"é".repeat(20)] {
            assert_eq!(text.parse::<PublicKey>(), Err(NotAKey), "{text:?}");
        }
    }
}

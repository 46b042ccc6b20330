//! What is handed to a client and comes back: nobody else can read it, and what was changed does not open.

#[cfg(test)]
mod properties;

use std::{
    io,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

use crate::local_key;

/// The key in the user's data folder, for hosts that are given none.
const KEY_FILE: &str = "state.key";

/// What keys are derived for: a key of one purpose says nothing about the other.
const SEALING: &str = "mcpfn 2026-11-30 sealed state";
const SIGNING: &str = "mcpfn 2026-11-30 signed sessions";

const NONCE_LEN: usize = 24;
const EXPIRY_LEN: usize = 8;
const MAC_LEN: usize = 16;

/// Seals and signs with the key of this host, or of all hosts that share one.
pub struct Sealer {
    cipher: XChaCha20Poly1305,
    signing: [u8; 32],
}

/// What came of opening a sealed text.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened {
    /// The content.
    Content(Vec<u8>),
    /// It is ours, and its time is over.
    Expired,
    /// It is not ours, was changed, or belongs to something else.
    Foreign,
}

impl Sealer {
    /// With a secret that all hosts know.
    pub fn with_secret(secret: &str) -> Self {
        Self::new(secret.as_bytes())
    }

    /// With a key that the user of this machine has; whoever comes first makes it.
    pub fn local(data_folder: &Path) -> io::Result<Self> {
        Ok(Self::new(&local_key::open(data_folder, KEY_FILE)?))
    }

    /// With a key that is gone when the process ends.
    pub fn random() -> Self {
        let mut key = [0; local_key::LEN];
        getrandom::fill(&mut key).expect("the operating system gives randomness");
        Self::new(&key)
    }

    fn new(secret: &[u8]) -> Self {
        let sealing = blake3::derive_key(SEALING, secret);
        Self {
            cipher: XChaCha20Poly1305::new(&sealing.into()),
            signing: blake3::derive_key(SIGNING, secret),
        }
    }

    /// Seals a content for so long. It opens only with the same `binding`.
    pub fn seal(&self, content: &[u8], binding: &[u8], lifetime: Duration) -> String {
        self.seal_until(now().saturating_add(lifetime.as_secs()), content, binding)
    }

    fn seal_until(&self, expiry: u64, content: &[u8], binding: &[u8]) -> String {
        let mut plain = Vec::with_capacity(EXPIRY_LEN + content.len());
        plain.extend_from_slice(&expiry.to_be_bytes());
        plain.extend_from_slice(content);
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).expect("the operating system gives randomness");
        let payload = Payload { msg: &plain, aad: binding };
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .expect("the content is shorter than 256 GiB");
        URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())
    }

    /// Opens what [`seal`](Self::seal) gave.
    pub fn open(&self, sealed: &str, binding: &[u8]) -> Opened {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(sealed) else { return Opened::Foreign };
        let Some((nonce, sealed)) = bytes.split_first_chunk::<NONCE_LEN>() else {
            return Opened::Foreign;
        };
        let payload = Payload { msg: sealed, aad: binding };
        let Ok(plain) = self.cipher.decrypt(&XNonce::from(*nonce), payload) else {
            return Opened::Foreign;
        };
        match plain.split_first_chunk::<EXPIRY_LEN>() {
            Some((expiry, content)) if u64::from_be_bytes(*expiry) >= now() => {
                Opened::Content(content.to_vec())
            }
            Some(_) => Opened::Expired,
            None => Opened::Foreign,
        }
    }

    /// Signs a content that anyone may read: visible ASCII.
    pub fn sign(&self, content: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode([&self.mac(content)[..], content].concat())
    }

    /// The content, if it was signed with this key.
    pub fn verify(&self, signed: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(signed).ok()?;
        let (mac, content) = bytes.split_first_chunk::<MAC_LEN>()?;
        // In constant time, as the whole hash would be.
        let is_same =
            self.mac(content).iter().zip(mac).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0;
        is_same.then(|| content.to_vec())
    }

    fn mac(&self, content: &[u8]) -> [u8; MAC_LEN] {
        let hash = blake3::keyed_hash(&self.signing, content);
        *hash.as_bytes().first_chunk().expect("a hash is longer")
    }
}

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealer").finish_non_exhaustive()
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Opened, Sealer};

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn what_was_sealed_opens_where_it_belongs() {
        let key = Sealer::with_secret("a secret");
        let sealed = key.seal(b"content", b"here", MINUTE);
        assert_eq!(key.open(&sealed, b"here"), Opened::Content(b"content".to_vec()));
        assert_eq!(key.open(&sealed, b"there"), Opened::Foreign);
        assert_eq!(Sealer::random().open(&sealed, b"here"), Opened::Foreign);
        let same = Sealer::with_secret("a secret");
        assert_eq!(same.open(&sealed, b"here"), Opened::Content(b"content".to_vec()));
    }

    #[test]
    fn nothing_that_was_changed_opens() {
        let key = Sealer::random();
        let sealed = key.seal(b"content", b"", MINUTE);
        assert_eq!(key.open(&format!("{sealed}-TAMPERED"), b""), Opened::Foreign);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(key.open(&changed, b""), Opened::Foreign, "{place}");
            assert_eq!(key.open(&sealed[..place], b""), Opened::Foreign, "{place}");
        }
    }

    #[test]
    fn what_is_too_old_is_told_apart() {
        let key = Sealer::random();
        let sealed = key.seal_until(super::now() - 1, b"content", b"");
        assert_eq!(key.open(&sealed, b""), Opened::Expired);
    }

    #[test]
    fn a_signature_is_for_one_content_and_one_key() {
        let key = Sealer::random();
        let signed = key.sign(b"content");
        assert!(signed.bytes().all(|byte| byte.is_ascii_graphic()));
        assert_eq!(key.verify(&signed).as_deref(), Some(&b"content"[..]));
        assert_eq!(Sealer::random().verify(&signed), None);
        for foreign in ["", "x", "====", &signed[1..], &format!("{signed}A")] {
            assert_eq!(key.verify(foreign), None, "{foreign}");
        }
    }
}

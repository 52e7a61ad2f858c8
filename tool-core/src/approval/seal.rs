//! Sealing a call that waits, and opening it again.
//!
//! The seal is XChaCha20-Poly1305 under the executor's key. Associated data is
//! the readable part of the record, in bytes that stand for its meaning.
//! Encrypted are the exact arguments and a tag of the tool's definition: the
//! same cipher's authentication of nothing but the definition. The tag tells a
//! definition that has changed from a record that was forged.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::AeadInOut as _;
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use futures_util::FutureExt as _;
use serde_json::Value;

use super::canonical::{self, DEEPEST, TooDeep};
use super::fingerprint;
use super::key::ApprovalKey;
use super::ledger::{UseOnce, UsedIds, erase_ledger};
use super::pending::{Pending, PendingReason, ResumeError};
use crate::catalogue::Catalogue;
use crate::error::{ErrorKind, ToolError};
use crate::random::{self, NoRandomness};
use crate::tool::Tool;

/// What the two uses of the key begin their associated data with.
const RECORD: &str = "tool-core pending record 1";
const DEFINITION: &str = "tool-core definition 1";

const NONCE: usize = 24;
const TAG: usize = 16;

/// How far the clock of another process may be ahead, in seconds.
const SLACK: u64 = 300;

/// The last second of the year 9999, which every clock and every JSON number can hold.
const LATEST: u64 = 253_402_300_799;

/// Makes pending records and takes them back.
pub(crate) struct Sealer {
    cipher: OnceLock<XChaCha20Poly1305>,
    /// How long a record may be used, in seconds.
    lifetime: u64,
    ledger: UseOnce,
}

/// A record that was opened: what runs once it is redeemed.
pub(crate) struct Opened {
    pub(crate) tool: Tool,
    /// The exact arguments that were sealed.
    pub(crate) arguments: Value,
    id: String,
    expires: u64,
}

impl Sealer {
    /// How long a record may be used where nothing else is said: 24 hours.
    pub(crate) const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

    /// A sealer with this key, or one of its own, made when it is first needed.
    pub(crate) fn new(key: Option<&ApprovalKey>, lifetime: Duration) -> Self {
        let cipher = key.map_or_else(OnceLock::new, |key| OnceLock::from(cipher_of(key)));
        let whole_seconds = u64::from(lifetime.subsec_nanos() > 0);
        Self {
            cipher,
            lifetime: lifetime.as_secs().saturating_add(whole_seconds),
            ledger: erase_ledger(UsedIds::default()),
        }
    }

    /// The same with another ledger than the one in memory.
    pub(crate) fn with_ledger(mut self, ledger: UseOnce) -> Self {
        self.ledger = ledger;
        self
    }

    /// A record of this call. `arguments` are what will run, `shown` the same
    /// without secrets.
    ///
    /// # Errors
    ///
    /// For the model: when the arguments are nested too deep, or the system has
    /// no random numbers.
    pub(crate) fn seal(
        &self,
        call_id: &str,
        tool: &Tool,
        arguments: &Value,
        shown: Value,
        reason: PendingReason,
    ) -> Result<Pending, ToolError> {
        self.seal_at(now(), call_id, tool, arguments, shown, reason)
    }

    pub(super) fn seal_at(
        &self,
        now: u64,
        call_id: &str,
        tool: &Tool,
        arguments: &Value,
        shown: Value,
        reason: PendingReason,
    ) -> Result<Pending, ToolError> {
        let failed = |cause: &str| {
            let message = format!("Tool '{}' cannot wait for a decision: {cause}", tool.name());
            ToolError::with_kind(ErrorKind::Failed, message)
        };
        let too_deep = |TooDeep| {
            failed(&format!(
                "its arguments or its schema are nested deeper than {DEEPEST} levels"
            ))
        };
        let no_randomness =
            |error| failed("this system gives no random numbers").with_source(error);
        let cipher = self.cipher().map_err(no_randomness)?;
        let mut pending = Pending {
            call_id: call_id.to_owned(),
            tool: tool.name().to_owned(),
            arguments: shown,
            reason,
            created: now,
            expires: now.saturating_add(self.lifetime).min(LATEST),
            id: URL_SAFE_NO_PAD.encode(random::bytes::<16>().map_err(no_randomness)?),
            seal: String::new(),
        };

        let definition_nonce = random::bytes::<NONCE>().map_err(no_randomness)?;
        let definition = definition_bytes(tool).map_err(too_deep)?;
        let mut definition_tag = Vec::new();
        let mut secret = definition_nonce.to_vec();
        // A message that fits into memory is no message that the cipher refuses.
        let refused = |_| failed("it cannot be encrypted");
        cipher
            .encrypt_in_place(
                &XNonce::from(definition_nonce),
                &definition,
                &mut definition_tag,
            )
            .map_err(refused)?;
        secret.extend_from_slice(&definition_tag);
        serde_json::to_writer(&mut secret, arguments).map_err(|error| {
            failed("its arguments cannot be written as JSON").with_source(error)
        })?;

        let nonce = random::bytes::<NONCE>().map_err(no_randomness)?;
        let readable = readable_bytes(&pending).map_err(too_deep)?;
        cipher
            .encrypt_in_place(&XNonce::from(nonce), &readable, &mut secret)
            .map_err(refused)?;
        let mut seal = nonce.to_vec();
        seal.append(&mut secret);
        pending.seal = URL_SAFE_NO_PAD.encode(seal);
        Ok(pending)
    }

    /// What a record stands for. It is not yet marked as used.
    ///
    /// # Errors
    ///
    /// When the record is not one of this key as it was made, out of its time,
    /// or about a tool that is not there as it was; in this order.
    pub(crate) fn open(
        &self,
        pending: &Pending,
        catalogue: &Catalogue,
    ) -> Result<Opened, ResumeError> {
        self.open_at(now(), pending, catalogue)
    }

    pub(super) fn open_at(
        &self,
        now: u64,
        pending: &Pending,
        catalogue: &Catalogue,
    ) -> Result<Opened, ResumeError> {
        // Without a key nothing was ever sealed.
        let cipher = self.cipher.get().ok_or(ResumeError::Forged)?;
        let secret = unsealed(cipher, pending).ok_or(ResumeError::Forged)?;
        if pending.created > now.saturating_add(SLACK) {
            return Err(ResumeError::FromTheFuture);
        }
        if now >= pending.expires {
            return Err(ResumeError::Expired);
        }
        let name = &pending.tool;
        let Some(tool) = catalogue.get(name) else {
            return Err(ResumeError::UnknownTool(name.clone()));
        };
        if !same_definition(cipher, tool, &secret) {
            return Err(ResumeError::DefinitionChanged(name.clone()));
        }
        Ok(Opened {
            tool: tool.clone(),
            arguments: secret.arguments,
            id: pending.id.clone(),
            expires: pending.expires,
        })
    }

    /// Marks an opened record as used. Of any number of callers one succeeds.
    /// A ledger that panics has not said that this is the first use.
    ///
    /// # Errors
    ///
    /// When it has been used already.
    pub(crate) async fn redeem(&self, opened: &Opened) -> Result<(), ResumeError> {
        let expires = Duration::from_secs(opened.expires.min(LATEST));
        let expires = SystemTime::UNIX_EPOCH
            .checked_add(expires)
            .ok_or(ResumeError::Expired)?;
        let (ledger, id) = (Arc::clone(&self.ledger), opened.id.clone());
        let asked = async move { ledger(id, expires).await };
        let first = std::panic::AssertUnwindSafe(asked).catch_unwind().await;
        match first {
            Ok(true) => Ok(()),
            Ok(false) => Err(ResumeError::Replayed),
            Err(panic) => {
                // What was thrown may throw again when it is dropped.
                std::mem::forget(panic);
                tracing::error!(tool = opened.tool.name(), "the ledger panicked");
                Err(ResumeError::Replayed)
            }
        }
    }

    fn cipher(&self) -> Result<&XChaCha20Poly1305, NoRandomness> {
        if let Some(cipher) = self.cipher.get() {
            return Ok(cipher);
        }
        let made = cipher_of(&ApprovalKey::generate()?);
        Ok(self.cipher.get_or_init(|| made))
    }
}

/// What a seal holds, encrypted.
struct Secret {
    definition_nonce: [u8; NONCE],
    definition_tag: [u8; TAG],
    arguments: Value,
}

/// What the seal holds, if it is this record's seal.
fn unsealed(cipher: &XChaCha20Poly1305, pending: &Pending) -> Option<Secret> {
    let seal = URL_SAFE_NO_PAD.decode(&pending.seal).ok()?;
    let (nonce, secret) = seal.split_first_chunk::<NONCE>()?;
    let readable = readable_bytes(pending).ok()?;
    let mut secret = secret.to_vec();
    cipher
        .decrypt_in_place(&XNonce::from(*nonce), &readable, &mut secret)
        .ok()?;
    let (definition_nonce, rest) = secret.split_first_chunk::<NONCE>()?;
    let (definition_tag, arguments) = rest.split_first_chunk::<TAG>()?;
    Some(Secret {
        definition_nonce: *definition_nonce,
        definition_tag: *definition_tag,
        arguments: serde_json::from_slice(arguments).ok()?,
    })
}

fn same_definition(cipher: &XChaCha20Poly1305, tool: &Tool, secret: &Secret) -> bool {
    let Ok(definition) = definition_bytes(tool) else {
        return false;
    };
    let nonce = XNonce::from(secret.definition_nonce);
    let mut tag = secret.definition_tag.to_vec();
    cipher
        .decrypt_in_place(&nonce, &definition, &mut tag)
        .is_ok()
}

/// All of a record but its seal.
fn readable_bytes(pending: &Pending) -> Result<Vec<u8>, TooDeep> {
    // Taken apart, so that no field that is added later stays unbound.
    let Pending {
        call_id,
        tool,
        arguments,
        reason,
        created,
        expires,
        id,
        seal: _,
    } = pending;
    let mut out = Vec::new();
    for text in [RECORD, call_id, tool, reason.as_str(), id] {
        canonical::text(text, &mut out);
    }
    out.extend_from_slice(&created.to_le_bytes());
    out.extend_from_slice(&expires.to_le_bytes());
    canonical::value(arguments, &mut out)?;
    Ok(out)
}

fn definition_bytes(tool: &Tool) -> Result<Vec<u8>, TooDeep> {
    let mut out = Vec::new();
    canonical::text(DEFINITION, &mut out);
    fingerprint::write(tool.definition(), &mut out)?;
    Ok(out)
}

fn cipher_of(key: &ApprovalKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(key.bytes().into())
}

/// Seconds since 1970; a clock before that stands at zero.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

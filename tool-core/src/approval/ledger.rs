//! Which pending records have been used.

use std::collections::{BTreeSet, HashSet};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::invocation::BoxFuture;

/// Keeps which [`Pending`](crate::Pending) records have been used.
///
/// An executor keeps its own ledger in memory, which is enough where one
/// process resumes its own records. Where several processes share an
/// [`ApprovalKey`](crate::ApprovalKey), or one keeps its key over a restart,
/// keep the ledger where all can see it, or a record can be used once in each.
///
/// # Examples
///
/// ```
/// use std::collections::HashSet;
/// use std::sync::Mutex;
/// use std::time::SystemTime;
/// use tool_core::Ledger;
///
/// /// Stands for a table with a unique column: `INSERT … ON CONFLICT DO NOTHING`.
/// #[derive(Default)]
/// struct Table(Mutex<HashSet<String>>);
///
/// impl Ledger for Table {
///     async fn redeem(&self, id: &str, _expires: SystemTime) -> bool {
///         self.0.lock().is_ok_and(|mut used| used.insert(id.to_owned()))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let table = Table::default();
/// assert!(table.redeem("a", SystemTime::now()).await);
/// assert!(!table.redeem("a", SystemTime::now()).await);
/// # });
/// ```
pub trait Ledger: Send + Sync {
    /// Marks the record with this id as used, and says whether that was its
    /// first use. Of any number of callers at the same time, in all processes,
    /// exactly one may hear `true`. Where the ledger cannot tell, as when its
    /// database does not answer, it is `false`: the call does not run.
    ///
    /// The id can be forgotten some while after `expires`, when the record is
    /// refused in any case; wait longer than clocks may be wrong.
    fn redeem(&self, id: &str, expires: SystemTime) -> impl Future<Output = bool> + Send;
}

impl<L: Ledger> Ledger for Arc<L> {
    fn redeem(&self, id: &str, expires: SystemTime) -> impl Future<Output = bool> + Send {
        L::redeem(self, id, expires)
    }
}

/// A ledger of any type.
pub(crate) type UseOnce = Arc<dyn Fn(String, SystemTime) -> BoxFuture<bool> + Send + Sync>;

/// A ledger without its type.
pub(crate) fn erase_ledger(ledger: impl Ledger + 'static) -> UseOnce {
    let ledger = Arc::new(ledger);
    Arc::new(move |id, expires| {
        let ledger = Arc::clone(&ledger);
        Box::pin(async move { ledger.redeem(&id, expires).await })
    })
}

/// The ledger of one process. It forgets what has expired.
#[derive(Default)]
pub(super) struct UsedIds {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    used: HashSet<Arc<str>>,
    by_expiry: BTreeSet<(SystemTime, Arc<str>)>,
    /// Until when records have been forgotten: whether one that expires no
    /// later was used is not known any more. It matters when the clock is set back.
    forgotten: Option<SystemTime>,
}

impl UsedIds {
    pub(super) fn redeem_at(&self, id: &str, expires: SystemTime, now: SystemTime) -> bool {
        // No code of others runs under the lock, and none that stops half-way.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.forget_until(now);
        if state.forgotten.is_some_and(|until| expires <= until) {
            return false;
        }
        let id: Arc<str> = Arc::from(id);
        let first = state.used.insert(Arc::clone(&id));
        if first {
            state.by_expiry.insert((expires, id));
        }
        first
    }
}

impl State {
    fn forget_until(&mut self, now: SystemTime) {
        while let Some((expires, _)) = self.by_expiry.first()
            && *expires <= now
            && let Some((expires, id)) = self.by_expiry.pop_first()
        {
            self.used.remove(&id);
            self.forgotten = Some(expires);
        }
    }
}

impl Ledger for UsedIds {
    async fn redeem(&self, id: &str, expires: SystemTime) -> bool {
        self.redeem_at(id, expires, SystemTime::now())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::UsedIds;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn what_has_expired_is_forgotten_but_never_again_a_first_use() {
        let ids = UsedIds::default();
        assert!(ids.redeem_at("a", at(100), at(0)));
        assert!(ids.redeem_at("b", at(200), at(0)));
        assert!(!ids.redeem_at("a", at(100), at(99)));
        // The clock passes the first expiry and is set back.
        assert!(ids.redeem_at("c", at(300), at(150)));
        assert!(!ids.redeem_at("a", at(100), at(50)));
        assert!(!ids.redeem_at("b", at(200), at(50)));
        assert!(ids.redeem_at("d", at(101), at(50)));
    }

    #[test]
    fn memory_holds_what_has_not_expired() {
        let ids = UsedIds::default();
        for second in 0..1000 {
            assert!(ids.redeem_at(&format!("id {second}"), at(second + 10), at(second)));
        }
        let state = ids.state.lock().unwrap();
        assert!(state.used.len() <= 10, "{}", state.used.len());
        assert_eq!(state.used.len(), state.by_expiry.len());
    }
}

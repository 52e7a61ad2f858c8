//! At most so many calls in a period.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::{Instant, sleep, timeout};

use super::gate::{Entry, Gate};
use crate::definition::Rate;

/// Longer periods are taken as this one, as the limiter counts nanoseconds in
/// 64 bits: a hundred years.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// How late timers and the scheduler may be before a turn that was promised in
/// time is refused after all.
const LATENESS: Duration = Duration::from_millis(50);

/// Gives turns at a [`Rate`]: all calls of a period at once after a rest, and
/// then one each `period / calls`. Those who wait stand in a line, and only the
/// first of them sleeps until the next turn.
pub(crate) struct RateLimit {
    /// The time from one turn to the next.
    interval: Duration,
    clock: TokioClock,
    limiter: RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Duration>>,
    gate: Arc<Gate>,
    line: Mutex<Line>,
}

/// Those who wait for a turn.
#[derive(Default)]
struct Line {
    length: u32,
    /// When the first one's turn comes, on the limiter's clock.
    next: Duration,
}

impl RateLimit {
    /// A limit that nobody has used yet.
    pub(crate) fn new(rate: Rate) -> Self {
        // The fields are public, so that they may hold what `new` never makes.
        let rate = Rate::new(rate.calls, rate.period);
        let calls = NonZeroU32::new(rate.calls).unwrap_or(NonZeroU32::MIN);
        // Rounded up: at no time more calls than were allowed.
        let nanoseconds = rate
            .period
            .min(LONGEST)
            .as_nanos()
            .div_ceil(calls.get().into());
        let interval = Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX));
        let quota = Quota::with_period(interval)
            .unwrap_or(Quota::per_second(NonZeroU32::MIN))
            .allow_burst(calls);
        let clock = TokioClock(Instant::now());
        Self {
            interval,
            clock,
            limiter: RateLimiter::direct_with_clock(quota, clock),
            gate: Gate::new(1),
            line: Mutex::default(),
        }
    }

    /// Takes a turn now.
    ///
    /// # Errors
    ///
    /// How long it would take, behind those who wait, when there is none now.
    pub(crate) fn turn(&self) -> Result<(), Duration> {
        self.ask(&mut self.lock())
    }

    /// Waits for a turn if it comes within `at_most`, in the order of the first
    /// polls. A wait that is dropped leaves its turn to the others.
    ///
    /// # Errors
    ///
    /// How long it would take: at once when that is longer than `at_most`, and
    /// otherwise, should those before have been late, shortly after `at_most`.
    pub(crate) async fn wait(&self, at_most: Duration) -> Result<(), Duration> {
        let (place, entry) = {
            let mut line = self.lock();
            match self.ask(&mut line) {
                Ok(()) => return Ok(()),
                Err(time) if time > at_most => return Err(time),
                Err(_) => {
                    line.length = line.length.saturating_add(1);
                    (
                        Place {
                            limit: self,
                            served: false,
                        },
                        self.gate.enter(),
                    )
                }
            }
        };
        let served = timeout(at_most.saturating_add(LATENESS), place.serve(entry)).await;
        match served {
            Ok(()) => Ok(()),
            Err(_) => self.turn(),
        }
    }

    /// A turn for one who comes now.
    fn ask(&self, line: &mut Line) -> Result<(), Duration> {
        // Nobody overtakes those who wait.
        if line.length == 0 {
            return self.take(line);
        }
        let first = line.next.saturating_sub(self.clock.now());
        Err(first.saturating_add(self.interval.saturating_mul(line.length)))
    }

    /// A turn for the first in the line.
    fn take(&self, line: &mut Line) -> Result<(), Duration> {
        let now = self.clock.now();
        match self.limiter.check() {
            Ok(()) => {
                // What the next one in the line will be told when it asks.
                line.next = line.next.max(now).saturating_add(self.interval);
                Ok(())
            }
            Err(not_until) => {
                line.next = not_until.earliest_possible();
                Err(not_until.wait_time_from(now))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the line, which is left when this is dropped.
struct Place<'a> {
    limit: &'a RateLimit,
    served: bool,
}

impl Place<'_> {
    async fn serve(mut self, entry: Entry) {
        // Nobody lingers in this gate, and if it let two in at once, the limiter
        // would still give each turn once.
        let _pass = entry.await;
        while let Err(time) = self.take() {
            sleep(time).await;
        }
    }

    fn take(&mut self) -> Result<(), Duration> {
        let mut line = self.limit.lock();
        self.limit.take(&mut line)?;
        self.served = true;
        line.length = line.length.saturating_sub(1);
        Ok(())
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if !self.served {
            let mut line = self.limit.lock();
            line.length = line.length.saturating_sub(1);
        }
    }
}

/// The time since the limit was made on tokio's clock, which is the one that
/// the waiting sleeps by: the system's, or that of a test.
#[derive(Clone, Copy)]
struct TokioClock(Instant);

impl Clock for TokioClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

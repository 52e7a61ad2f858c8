//! Numbers that look like chance and are the same in every run.

/// `SplitMix64`: small, quick, and good enough to mix calls.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The numbers that follow from this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit above zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let number = self.next() % limit as u64;
        usize::try_from(number).expect("it is below a usize")
    }

    /// Whether something happens that happens once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several things, each as often as its weight says.
    pub(crate) fn weighted<'a, T>(
        &mut self,
        things: &'a [T],
        weight: impl Fn(&T) -> usize,
    ) -> &'a T {
        let total = things.iter().map(&weight).sum();
        let mut left = self.below(total);
        for thing in things {
            match left.checked_sub(weight(thing)) {
                Some(less) => left = less,
                None => return thing,
            }
        }
        unreachable!("the weights have this total")
    }
}

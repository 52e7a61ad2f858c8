//! Sharing room fairly.

/// How much of `room` each one gets that wants so many bytes: the small ones
/// all they want, the large ones the same. Together never more than `room`.
pub(super) fn share(wants: &[usize], room: usize) -> Vec<usize> {
    let mut by_size: Vec<usize> = (0..wants.len()).collect();
    by_size.sort_unstable_by_key(|index| wants[*index]);
    let mut shares = vec![0; wants.len()];
    let mut left = room;
    for (place, index) in by_size.iter().enumerate() {
        let fair = left / (wants.len() - place);
        shares[*index] = wants[*index].min(fair);
        left -= shares[*index];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::share;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_room_is_used_and_nobody_small_pays_for_a_large_one(
            wants in prop::collection::vec(0..1_000_usize, 0..20),
            room in 0..5_000_usize,
        ) {
            let shares = share(&wants, room);
            prop_assert_eq!(shares.iter().sum::<usize>(), room.min(wants.iter().sum()));
            let least_cut = shares.iter().zip(&wants).filter(|(share, want)| share < want).map(|(share, _)| *share).min();
            for (share, want) in shares.iter().zip(&wants) {
                prop_assert!(share <= want);
                if let Some(cut) = least_cut {
                    prop_assert!(share == want || *share >= cut);
                    prop_assert!(share == want || *want > cut);
                }
            }
        }
    }
}

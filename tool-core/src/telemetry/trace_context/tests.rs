//! What the standard allows and what it forbids.

use proptest::prelude::*;

use super::state::PASSED_ON_BYTES;
use super::{TRACEPARENT_BYTES, TraceContext, TraceContextError, is_hexadecimal};

const VALID: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn with_state(state: &str) -> Result<TraceContext, TraceContextError> {
    VALID
        .parse::<TraceContext>()
        .and_then(|context| context.with_tracestate(state))
}

#[test]
fn what_the_standard_forbids_is_an_error_that_names_the_header() {
    for wrong in [
        "",
        "00",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-+1",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-extra",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01extra",
        "00-0af7651916cd43dd8448eb211c80319cb-7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c8031-c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319ä-b7ad6b7169203331-01",
    ] {
        let error = wrong.parse::<TraceContext>().expect_err(wrong);
        assert_eq!(error.header(), "traceparent");
    }
}

#[test]
fn a_higher_version_is_read_as_far_as_it_is_known() {
    for text in [
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-what-comes-later",
        " \t01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03- ",
    ] {
        let context: TraceContext = text.parse().expect(text);
        assert_eq!(
            context.traceparent(),
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03"
        );
    }
}

#[test]
fn a_list_that_the_standard_forbids_is_refused_and_the_trace_kept() {
    let long_key = format!("{}=1", "a".repeat(257));
    let long_value = format!("a={}", "1".repeat(257));
    let many = (0..33).map(|n| format!("k{n}=1")).collect::<Vec<_>>();
    let endless = ",".repeat(1 << 20);
    for wrong in [
        "a",
        "a=",
        "=1",
        "A=1",
        "_a=1",
        "a b=1",
        "ä=1",
        "a=ü",
        "a=1=2",
        "a=1,a=2",
        "a=\u{7}",
        &long_key,
        &long_value,
        &many.join(","),
        &endless,
    ] {
        assert_eq!(with_state(wrong).expect_err(wrong).header(), "tracestate");
        let kept = TraceContext::from_headers(VALID, Some(wrong)).expect(wrong);
        assert_eq!((kept.traceparent(), kept.tracestate()), (VALID, None));
    }
}

#[test]
fn white_space_and_empty_members_are_left_out() {
    let context = with_state(" a=1 ,, b@c= 2 \t,\t").expect("it is well formed");
    assert_eq!(context.tracestate(), Some("a=1,b@c= 2"));
    assert_eq!(
        with_state(" , ").expect("it may be empty").tracestate(),
        None
    );
}

#[test]
fn long_members_go_before_others_and_then_the_last() {
    let long = format!("long={}", "x".repeat(200));
    let short = |n: usize| format!("k{n}={}", "y".repeat(90));
    let list = [
        short(1),
        long,
        short(2),
        short(3),
        short(4),
        short(5),
        short(6),
    ]
    .join(",");
    let context = with_state(&list).expect("it is well formed");
    let left = [short(1), short(2), short(3), short(4), short(5)].join(",");
    assert_eq!(context.tracestate(), Some(left.as_str()));
}

#[test]
fn the_state_is_not_in_what_debug_shows() {
    let context = with_state("vendor=opaque").expect("it is well formed");
    assert!(!format!("{context:?}").contains("opaque"));
}

proptest! {
    #[test]
    fn no_text_panics_and_what_is_accepted_reads_the_same_again(
        parent in any::<String>(), state in any::<String>(),
    ) {
        if let Ok(context) = TraceContext::from_headers(&parent, Some(&state)) {
            let again = TraceContext::from_headers(context.traceparent(), context.tracestate());
            prop_assert_eq!(again, Ok(context));
        }
    }

    #[test]
    fn one_changed_byte_is_refused_or_leaves_a_well_formed_context(
        index in 0_usize..55, byte in any::<char>(),
    ) {
        let mut text = VALID.to_owned();
        text.replace_range(index..=index, byte.encode_utf8(&mut [0; 4]));
        if let Ok(context) = text.parse::<TraceContext>() {
            prop_assert_eq!(context.traceparent().len(), TRACEPARENT_BYTES);
            prop_assert!(is_hexadecimal(context.trace_id(), 32));
            prop_assert!(is_hexadecimal(context.parent_id(), 16));
        }
    }

    #[test]
    fn every_well_formed_parent_is_accepted(
        trace in 1_u128.., parent in 1_u64.., flags in any::<u8>(), version in 0_u8..255,
    ) {
        let text = format!("{version:02x}-{trace:032x}-{parent:016x}-{flags:02x}");
        let context: TraceContext = text.parse().expect("it is well formed");
        prop_assert_eq!(context.trace_id(), format!("{trace:032x}"));
        prop_assert_eq!(context.parent_id(), format!("{parent:016x}"));
        prop_assert_eq!(context.is_sampled(), flags & 1 == 1);
    }

    #[test]
    fn a_well_formed_list_is_kept_in_order_as_far_as_it_fits(
        values in prop::collection::vec("[ -+\\--<>-~]{0,255}[!-+\\--<>-~]", 0..=32),
    ) {
        let members: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(n, value)| format!("k{n}={value}"))
            .collect();
        let list = members.join(",");
        let context = with_state(&list).expect("it is well formed");
        let kept = context.tracestate().unwrap_or_default();
        prop_assert!(kept.len() <= PASSED_ON_BYTES);
        if list.len() <= PASSED_ON_BYTES {
            prop_assert_eq!(kept, list);
        } else {
            let mut rest = members.iter();
            for member in kept.split(',').filter(|member| !member.is_empty()) {
                prop_assert!(rest.any(|whole| whole == member), "{}", member);
            }
        }
    }
}

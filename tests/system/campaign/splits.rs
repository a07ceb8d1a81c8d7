//! However a campaign is split, its parts merge into the campaign on the whole.

use std::ops::Range;
use std::sync::LazyLock;

use onnx_conformance::measure::campaign::{Campaign, MergeError, Shard, merge};
use proptest::prelude::*;
use proptest::sample::Index;

use super::subjects::{SQRT, every_977th_is_wrong};

/// The campaign on all float16 roots, of which some are wrong.
static WHOLE: LazyLock<Campaign> = LazyLock::new(|| part(None, None));

fn part(range: Option<Range<u64>>, shard: Option<Shard>) -> Campaign {
    SQRT.part(every_977th_is_wrong(), range, shard)
}

/// All but the provenance.
fn contents(document: &Campaign) -> Campaign {
    Campaign { provenance: Default::default(), ..document.clone() }
}

fn merged(parts: &[Campaign]) -> Result<Campaign, MergeError> {
    merge(parts.iter().enumerate().map(|(at, part)| (at.to_string(), part.clone())).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn ranges_merge_in_any_order_and_in_any_grouping(
        cuts in prop::collection::btree_set(1..65_536_u64, 1..6),
        swaps in prop::collection::vec(any::<(Index, Index)>(), 6),
        first in any::<Index>(),
    ) {
        let ends: Vec<u64> = [0].into_iter().chain(cuts).chain([65_536]).collect();
        let mut parts: Vec<_> = ends.windows(2).map(|e| part(Some(e[0]..e[1]), None)).collect();
        prop_assert_eq!(parts.iter().map(|part| part.promised).sum::<u64>(), WHOLE.promised);
        prop_assert!(parts.iter().all(|part| part.promised == part.executed));

        // Some that follow each other first, then these with the rest.
        let middle = 1 + first.index(parts.len() - 1);
        let groups = [merged(&parts[..middle]).unwrap(), merged(&parts[middle..]).unwrap()];
        prop_assert_eq!(contents(&merged(&groups).unwrap()), contents(&WHOLE));

        for (a, b) in &swaps {
            let (a, b) = (a.index(parts.len()), b.index(parts.len()));
            parts.swap(a, b);
        }
        let whole = merged(&parts).unwrap();
        prop_assert_eq!(contents(&whole), contents(&WHOLE));
        prop_assert_eq!(whole.promised, whole.executed);
        prop_assert!(whole.mismatches > 0);

        // Without one of them, or with one twice, there is no whole.
        let twice = [&parts[..], &parts[..1]].concat();
        let overlaps = matches!(merged(&twice), Err(MergeError::Overlap { .. }));
        prop_assert!(overlaps);
        let lost = parts.remove(first.index(parts.len()));
        let outer = lost.range.first == 0 || lost.range.end == 65_536;
        match merged(&parts) {
            Ok(less) => prop_assert!(outer && less.promised + lost.promised == WHOLE.promised),
            Err(MergeError::Gap { .. }) => prop_assert!(!outer),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn shards_merge_in_any_order_and_none_may_be_missing(
        count in 1..9_u64,
        rotation in any::<Index>(),
        lost in any::<Index>(),
    ) {
        let shard = |index| part(None, Some(Shard::new(index, count).unwrap()));
        let mut parts: Vec<_> = (1..=count).map(shard).collect();
        parts.rotate_left(rotation.index(count as usize));
        let whole = merged(&parts).unwrap();
        prop_assert_eq!(contents(&whole), contents(&WHOLE));
        parts.remove(lost.index(count as usize));
        let open = matches!(merged(&parts), Err(MergeError::Gap { .. } | MergeError::Nothing));
        prop_assert!(open);
    }
}

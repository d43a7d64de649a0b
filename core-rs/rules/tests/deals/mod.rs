//! What tests of determinization share: ways to deal.

use std::collections::BTreeMap;

use tablestate_rules::chance::{Chance, Fast};

/// How likely each deal is: piles of these sizes and the rest, one after the other, each sorted.
pub(crate) fn deals<T: Copy + Ord>(items: &[T], sizes: &[usize]) -> BTreeMap<Vec<T>, f64> {
    let orders = orders(items);
    let mut deals = BTreeMap::new();
    for mut order in orders.iter().cloned() {
        let mut rest = &mut order[..];
        for &size in sizes {
            let (pile, behind) = rest.split_at_mut(size);
            pile.sort_unstable();
            rest = behind;
        }
        rest.sort_unstable();
        *deals.entry(order).or_default() += 1.0 / orders.len() as f64;
    }
    deals
}

/// All orders of some items, equal ones told apart.
fn orders<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..items.len() {
        let mut rest = items.to_vec();
        let item = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.push(item);
            order
        }));
    }
    all
}

pub(crate) fn shuffle<T>(items: &mut [T], chance: &mut Fast) {
    for end in (1..items.len()).rev() {
        items.swap(end, chance.draw(end as u32 + 1) as usize);
    }
}

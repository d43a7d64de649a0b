use tablestate::fairness::{commitment, derive_seed, draw, entropy_hash};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/chance.txt");

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.trim_matches('-').as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn numbers(list: &str) -> Vec<u32> {
    list.split(',').map(|number| number.parse().unwrap()).collect()
}

/// Whether a line holds; none for what players cannot compute.
fn holds(line: &str) -> Option<bool> {
    let (given, expected) = line.split_once(" -> ")?;
    match given.split(' ').collect::<Vec<_>>()[..] {
        ["game", seed, stream, sizes] => {
            let drawn = draw(&bytes(seed), stream.parse().unwrap(), &numbers(sizes));
            Some(drawn == numbers(expected))
        }
        ["commitment", id, secret] => Some(commitment(id, &bytes(secret)) == bytes(expected)),
        ["seed", id, secret, entropies] => {
            let entropies: Vec<_> = entropies.split(',').map(bytes).collect();
            let entropies = entropies.iter().map(Vec::as_slice);
            Some(derive_seed(id, &bytes(secret), entropies) == bytes(expected))
        }
        _ => None,
    }
}

#[test]
fn chance_is_that_of_the_vectors() {
    let text = std::fs::read_to_string(VECTORS).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let held: Vec<_> = lines.filter_map(|line| Some((line, holds(line)?))).collect();
    assert!(held.len() > 25);
    for (line, holds) in held {
        assert!(holds, "{line}");
    }
}

#[test]
fn a_promise_is_framed() {
    let expected = "08614911f3a20612b262d99cbfd6e6c978c572aeff7f1be9696635854f98b221";
    assert_eq!(entropy_hash("m", &[1; 32]), bytes(expected));
}

#[test]
fn of_no_possibilities_nothing_is_drawn() {
    assert_eq!(draw(&[], 0, &[6, 0]), Vec::<u32>::new());
}

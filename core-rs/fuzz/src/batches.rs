//! What the streams of the engine are sent.

use tablestate_rules::{AnyOptions, Seat};
use tablestate_search::batch::{Actions, AnyBatch, Bots, Form, Part, Parts};
use tablestate_search::evaluated::{Answers, AnyForest, Packing, Plan};
use tablestate_wire::{self as wire, Message, v1};

const SLOTS: usize = 2;
const FORMS: [Form; 4] = [Form::None, Form::Index, Form::Rank, Form::Draw];

/// The number of a game, the form of the actions and their length, a byte each; the actions; and
/// bytes of [`WantedParts`](v1::WantedParts), or answers to leaves.
pub fn batches(data: &[u8]) {
    let Some((&[game, form, length], rest)) = data.split_first_chunk() else { return };
    let options: Vec<AnyOptions> = crate::defaults().collect();
    let options = &options[usize::from(game) % options.len()];
    let (actions, rest) = rest.split_at(usize::from(length).min(rest.len()));
    let mut batch = AnyBatch::start(options, &[1, 2], true, Bots::default());
    step(&mut batch, FORMS[usize::from(form) % FORMS.len()], actions, rest);
    answer(&batch, rest);
}

fn step(batch: &mut AnyBatch, form: Form, actions: &[u8], wanted: &[u8]) {
    let Ok(wanted) = v1::WantedParts::decode(wanted) else { return };
    let asked = [
        wanted.actors,
        wanted.flags,
        wanted.actions,
        wanted.returns,
        wanted.masks,
        wanted.observations,
    ];
    let mut parts = [const { Vec::new() }; Part::COUNT];
    for (part, bytes) in Part::ALL.into_iter().zip(&mut parts) {
        bytes
            .resize(if asked[part as usize] { SLOTS * batch.widths().of_part(part) } else { 0 }, 0);
    }
    let observer = wanted.observer.and_then(|seat| Seat::new(seat as usize));
    let observer = observer.filter(|seat| seat.index() < batch.widths().seats);
    for bytes in actions.chunks_exact(SLOTS * form.width().max(1)) {
        let slices = parts.each_mut().map(Vec::as_mut_slice);
        let actions = (form != Form::None).then_some(Actions { form, bytes });
        batch.step(actions, observer, Parts::new(slices), None);
        batch.ended();
    }
    for slot in 0..SLOTS {
        let saved = wire::save(&batch.position(slot)).encode_to_vec();
        assert!(wire::load(&saved).is_ok(), "what a batch holds can be loaded");
    }
}

/// Answers as bytes: first a value for each leaf, then the priors, over and over.
fn answer(batch: &AnyBatch, bytes: &[u8]) {
    let plan = Plan { simulations: 8, leaves: 2, exploration: 1.5, seed: 1, most_nodes: 100 };
    let positions = (0..SLOTS).map(|slot| batch.position(slot)).collect();
    let mut forest = AnyForest::new(positions, plan).expect("games of one batch");
    while forest.gather(None, &|| false) > 0 {
        let (leaves, actions) = (forest.waiting(), forest.widths().actions);
        let mut numbers = bytes.iter().copied().cycle();
        let mut some = |count| numbers.by_ref().take(4 * count).collect::<Vec<u8>>();
        let (values, priors) = (some(leaves), some(leaves * actions));
        let answers = Answers { priors: &priors, packing: Packing::All, values: &values };
        if forest.answer(answers, None).is_err() {
            return;
        }
    }
    let mut visits = vec![0; 4 * forest.size() * forest.widths().actions];
    let mut values = visits.clone();
    forest.write_actions(&mut visits, &mut values);
    forest.lines();
}

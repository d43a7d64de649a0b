//! The one table from the core's refusals to the Python exception.

use pyo3::prelude::*;
use tablestate_rules::Faults;
use tablestate_wire::Refusal;

pyo3::create_exception!(
    tablestate_service._core,
    CoreError,
    pyo3::exceptions::PyException,
    "A refusal by the core, fit to be shown to the caller of an RPC."
);

/// The exception for a refusal.
pub(crate) fn refuse(py: Python<'_>, refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Malformed => raise(py, "MALFORMED_REQUEST", "no message of this type", None),
        Refusal::Invalid(faults) => faulty(py, "INVALID_FIELD", &faults),
        Refusal::Options(faults) => faulty(py, "INVALID_OPTIONS", &faults),
        Refusal::Illegal { illegal, notation } => {
            let rule = Some((illegal.rule, notation.as_str()));
            raise(py, "ILLEGAL_ACTION", illegal.why, rule)
        }
        Refusal::Damaged => raise(py, "LOG_DAMAGED", "the stored action does not fit", None),
    }
}

/// The exception for a game that does not exist.
pub(crate) fn unknown_game(py: Python<'_>, game: &str) -> PyErr {
    let faults = Faults::one("game", game, "the name of a game");
    faulty(py, "GAME_NOT_FOUND", &faults)
}

fn faulty(py: Python<'_>, reason: &str, faults: &Faults) -> PyErr {
    let error = raise(py, reason, &faults.to_string(), None);
    let violations: Vec<_> =
        faults.iter().map(|f| (&f.field[..], &f.value[..], &f.expected[..])).collect();
    set(py, &error, "violations", violations);
    error
}

fn raise(py: Python<'_>, reason: &str, text: &str, rule: Option<(&str, &str)>) -> PyErr {
    let error = CoreError::new_err(text.to_owned());
    set(py, &error, "reason", reason);
    set(py, &error, "violations", Vec::<(String, String, String)>::new());
    set(py, &error, "rule", rule.map(|(rule, _)| rule));
    set(py, &error, "action", rule.map(|(_, action)| action));
    error
}

fn set<'py>(py: Python<'py>, error: &PyErr, name: &str, value: impl IntoPyObject<'py>) {
    // An exception object takes any attribute, so there is nothing to report.
    let _ = error.value(py).setattr(name, value);
}

use std::io;
use std::sync::Arc;

use tablestate::v1::ErrorReason;
use tablestate::{Error, ErrorKind};
use tonic::{Code, Status, TimeoutExpired};
use tonic_types::{ErrorDetails, StatusExt};

use crate::support::refusal;

fn kind_of(code: Code, reason: &str, facts: &[(&str, &str)]) -> ErrorKind {
    Error::from(refusal(code, reason, facts)).kind().clone()
}

#[test]
fn an_error_has_the_kind_of_its_reason_and_its_facts() {
    let illegal = [("rule", "R3"), ("action", "e3e4")];
    assert_eq!(
        kind_of(Code::FailedPrecondition, "ILLEGAL_ACTION", &illegal),
        ErrorKind::IllegalAction { rule: "R3".into(), action: "e3e4".into() }
    );
    assert_eq!(
        kind_of(Code::FailedPrecondition, "NOT_THE_ACTOR", &[("actor", "0"), ("seat", "1")]),
        ErrorKind::NotTheActor { actor: Some(0), seat: Some(1) }
    );
    let stale = [("current_version", "7"), ("expected_version", "5")];
    assert_eq!(
        kind_of(Code::Aborted, "STALE_VERSION", &stale),
        ErrorKind::StaleVersion { current_version: Some(7), expected_version: Some(5) }
    );
    assert_eq!(
        kind_of(Code::Internal, "INTERNAL", &[("incident", "4711")]),
        ErrorKind::Internal { incident: "4711".into() }
    );
}

#[test]
fn every_reason_of_the_contract_becomes_a_kind_that_says_what_to_do() {
    let reasons = (1..).map_while(|number| ErrorReason::try_from(number).ok());
    let names: Vec<_> = reasons.map(|reason| reason.as_str_name()).collect();
    assert!(names.len() > 40);
    for name in names {
        let reason = name.trim_start_matches("ERROR_REASON_");
        let kind = kind_of(Code::FailedPrecondition, reason, &[]);
        assert_ne!(kind, ErrorKind::Other, "{reason}");
    }
}

#[test]
fn fields_that_are_wrong_are_listed() {
    let details = ErrorDetails::with_bad_request_violation("points_to_win", "99, expected 1 to 6");
    let error = Error::from(Status::with_error_details(Code::InvalidArgument, "no", details));
    assert_eq!(*error.kind(), ErrorKind::InvalidRequest);
    assert_eq!(error.violations()[0].description, "99, expected 1 to 6");
    assert!(error.to_string().contains("points_to_win: 99"), "{error}");
}

#[test]
fn a_connection_that_closes_before_the_call_is_a_server_that_is_away() {
    // As hyper tells of it, and then tonic: the caller has cancelled nothing.
    let mut closed = Status::cancelled("operation was canceled");
    closed.set_source(Arc::new(io::Error::from(io::ErrorKind::BrokenPipe)));
    assert_eq!(*Error::from(closed).kind(), ErrorKind::Unavailable);
    let late = Status::from_error(Box::new(TimeoutExpired(())));
    assert_eq!(*Error::from(late).kind(), ErrorKind::Cancelled);
    let by_server = Status::cancelled("");
    assert_eq!(*Error::from(by_server).kind(), ErrorKind::Cancelled);
}

#[test]
fn a_reason_of_somebody_else_counts_for_nothing() {
    let details = ErrorDetails::with_error_info(
        "ILLEGAL_ACTION",
        "elsewhere",
        [("rule".to_owned(), "R1".to_owned())],
    );
    let error = Error::from(Status::with_error_details(Code::NotFound, "no", details));
    assert_eq!((error.kind(), error.reason()), (&ErrorKind::NotFound, ""));
}

#[test]
fn a_connection_that_breaks_is_an_unavailable_server() {
    let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let error = Error::from(Status::from_error(Box::new(broken)));
    assert_eq!(*error.kind(), ErrorKind::Unavailable);
}

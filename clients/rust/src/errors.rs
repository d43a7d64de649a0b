//! What can go wrong, as typed errors.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::{ErrorDetails, StatusExt};

use crate::credentials::Intent;
use crate::v1::PlayRefusal;

const DOMAIN: &str = "tablestate";

/// What a call gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One field of a request that was not acceptable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The field's path, as `choice.notation`.
    pub field: String,
    /// Its value and what was expected.
    pub description: String,
}

/// What went wrong, by what a caller can do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is wrong whatever the match's state: see [`Error::violations`].
    InvalidRequest,
    /// What was given to the client cannot be sent; no call was made. See [`Error::violations`].
    InvalidArgument,
    /// There is no such match or game.
    NotFound,
    /// The key or token is missing, or not the right one.
    PermissionDenied,
    /// The action is not legal now.
    IllegalAction {
        /// The number or section of the rule that forbids it.
        rule: String,
        /// The action in notation.
        action: String,
    },
    /// Another seat must decide.
    NotTheActor {
        /// The seat that must decide.
        actor: Option<u32>,
        /// The seat that tried.
        seat: Option<u32>,
    },
    /// The match has not started, has started already, is paused or has ended.
    MatchPhase {
        /// The phase that the match is in.
        phase: String,
    },
    /// The seat, or every seat, is taken.
    SeatTaken,
    /// The match cannot start while seats are open.
    SeatsOpen,
    /// The match has not yet reached the version asked for.
    VersionNotReached {
        /// The version the match is at.
        current_version: Option<u64>,
    },
    /// The server does not have the version of the rules that the match began on.
    RulesVersionUnsupported,
    /// The request is wrong now, for another reason: see [`Error::reason`].
    Precondition,
    /// A token or a request id was used before for something else.
    Conflict,
    /// The match has moved on since the decision was made: read it again and decide anew.
    StaleVersion {
        /// The version the match is at.
        current_version: Option<u64>,
        /// The version the decision was made on.
        expected_version: Option<u64>,
    },
    /// A limit, the store's room or the server's patience with a watcher is used up.
    ResourceExhausted,
    /// The stored log of the match is damaged.
    DataLoss,
    /// The server could not be reached, or its store does not answer.
    Unavailable,
    /// The answer did not come in time. Whether the call took effect is not known.
    DeadlineExceeded,
    /// The server gave the call up.
    Cancelled,
    /// A fault of the server.
    Internal {
        /// The number to quote to the operator; empty if there is none.
        incident: String,
    },
    /// Something else: see [`Error::code`].
    Other,
}

/// A call that failed.
#[derive(Clone, Debug)]
pub struct Error(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    kind: ErrorKind,
    code: Code,
    message: String,
    reason: String,
    metadata: HashMap<String, String>,
    violations: Vec<Violation>,
    retry_after: Option<Duration>,
    intent: Option<Intent>,
}

impl Error {
    /// What went wrong, with the facts that belong to it.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The status code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What happened, in words.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The name in `ErrorReason` without its prefix, as `STALE_VERSION`; empty if the error came
    /// from the transport and not from the service.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// The facts that belong to the reason, by name; see `error_reason.proto`.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// The fields that were not acceptable.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// After how long the call may be made again, if the server says so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Of a call that changes something: repeat it with this, and it has one effect.
    pub fn intent(&self) -> Option<&Intent> {
        self.0.intent.as_ref()
    }

    /// The error of what was given to the client and cannot be sent.
    pub(crate) fn argument(field: &str, expected: &str) -> Self {
        let description = format!("must be {expected}");
        let violations = vec![Violation { field: field.into(), description }];
        let parts = Parts {
            kind: ErrorKind::InvalidArgument,
            reason: "INVALID_FIELD".into(),
            violations,
            ..Parts::bare(Code::InvalidArgument, "no call was made")
        };
        Self(Box::new(parts))
    }

    /// The same with the value that was given, which is no secret.
    pub(crate) fn refused(field: &str, value: &str, expected: &str) -> Self {
        let mut refused = Self::argument(field, expected);
        for fault in &mut refused.0.violations {
            fault.description = format!("{value}: {}", fault.description);
        }
        refused
    }

    /// An error that the client itself tells.
    pub(crate) fn own(code: Code, message: impl Into<String>) -> Self {
        let parts = Parts::bare(code, message);
        Self(Box::new(Parts { kind: kind(code, "", &HashMap::new()), ..parts }))
    }

    /// The error of a stream that has ended where an answer was due.
    pub(crate) fn ended() -> Self {
        Self::own(Code::Ok, "the stream has ended")
    }

    pub(crate) fn with_intent(mut self, intent: Intent) -> Self {
        self.0.intent = Some(intent);
        self
    }
}

impl Parts {
    fn bare(code: Code, message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Other,
            code,
            message: message.into(),
            reason: String::new(),
            metadata: HashMap::new(),
            violations: Vec::new(),
            retry_after: None,
            intent: None,
        }
    }
}

impl fmt::Display for Error {
    /// Tells everything a person needs, one fault a line.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { code, message, reason, violations, .. } = &*self.0;
        match reason.as_str() {
            "" => write!(to, "{code:?}")?,
            reason => write!(to, "{reason}")?,
        }
        match &violations[..] {
            [] => write!(to, ": {message}")?,
            faults => {
                for Violation { field, description } in faults {
                    write!(to, "\n  {field}: {description}")?;
                }
            }
        }
        match &self.0.kind {
            ErrorKind::Internal { incident } if !incident.is_empty() => {
                write!(to, " (incident {incident})")
            }
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let (reason, metadata) = told(&details);
        let code = if reason.is_empty() { code_of(&status) } else { status.code() };
        let parts = Parts {
            kind: kind(code, &reason, &metadata),
            reason,
            metadata,
            violations: violations(&details),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
            ..Parts::bare(code, status.message())
        };
        Self(Box::new(parts))
    }
}

impl From<PlayRefusal> for Error {
    fn from(refusal: PlayRefusal) -> Self {
        let PlayRefusal { code, message, status, .. } = refusal;
        Status::with_details(Code::from(code), message, status.into()).into()
    }
}

/// The reason, with its facts, if the service gave one.
fn told(details: &ErrorDetails) -> (String, HashMap<String, String>) {
    match details.error_info() {
        Some(info) if info.domain == DOMAIN => (info.reason.clone(), info.metadata.clone()),
        _ => Default::default(),
    }
}

fn violations(details: &ErrorDetails) -> Vec<Violation> {
    let faults = details.bad_request().map_or(&[][..], |request| &request.field_violations);
    let copy = |fault: &tonic_types::FieldViolation| Violation {
        field: fault.field.clone(),
        description: fault.description.clone(),
    };
    faults.iter().map(copy).collect()
}

/// The code of a status that gives no reason: whatever the transport met on its way, other than
/// that time was up, means that the server could not be reached.
fn code_of(status: &Status) -> Code {
    use std::error::Error as _;
    match status.code() {
        Code::DeadlineExceeded => Code::DeadlineExceeded,
        code if status.source().is_none() || is_out_of_time(status) => code,
        _ => Code::Unavailable,
    }
}

/// Whether it was the transport's timer that ended a call. It calls that cancelled, as it does
/// calls whose connection was closed before they were sent.
fn is_out_of_time(status: &Status) -> bool {
    use std::error::Error as _;
    std::iter::successors(status.source(), |&cause| cause.source())
        .any(|cause| cause.is::<TimeoutExpired>())
}

fn kind(code: Code, reason: &str, facts: &HashMap<String, String>) -> ErrorKind {
    let text = |name: &str| facts.get(name).cloned().unwrap_or_default();
    let seat = |name: &str| facts.get(name).and_then(|fact| fact.parse().ok());
    let version = |name: &str| facts.get(name).and_then(|fact| fact.parse().ok());
    match reason {
        "ILLEGAL_ACTION" => ErrorKind::IllegalAction { rule: text("rule"), action: text("action") },
        "NOT_THE_ACTOR" => ErrorKind::NotTheActor { actor: seat("actor"), seat: seat("seat") },
        "MATCH_NOT_STARTED"
        | "MATCH_ALREADY_STARTED"
        | "MATCH_ENDED"
        | "MATCH_NOT_ENDED"
        | "MATCH_PAUSED"
        | "NOT_PAUSED"
        | "ENTROPY_DUE" => ErrorKind::MatchPhase { phase: text("phase") },
        "SEAT_TAKEN" => ErrorKind::SeatTaken,
        "SEATS_OPEN" => ErrorKind::SeatsOpen,
        "STALE_VERSION" => ErrorKind::StaleVersion {
            current_version: version("current_version"),
            expected_version: version("expected_version"),
        },
        "VERSION_NOT_REACHED" => {
            ErrorKind::VersionNotReached { current_version: version("current_version") }
        }
        "RULES_VERSION_UNSUPPORTED" => ErrorKind::RulesVersionUnsupported,
        _ => by_code(code, text("incident")),
    }
}

/// For the reasons that say no more than their code, and for errors without one.
fn by_code(code: Code, incident: String) -> ErrorKind {
    match code {
        Code::InvalidArgument => ErrorKind::InvalidRequest,
        Code::NotFound => ErrorKind::NotFound,
        Code::PermissionDenied | Code::Unauthenticated => ErrorKind::PermissionDenied,
        Code::FailedPrecondition => ErrorKind::Precondition,
        Code::AlreadyExists => ErrorKind::Conflict,
        Code::ResourceExhausted => ErrorKind::ResourceExhausted,
        Code::DataLoss => ErrorKind::DataLoss,
        Code::Unavailable => ErrorKind::Unavailable,
        Code::DeadlineExceeded => ErrorKind::DeadlineExceeded,
        Code::Cancelled => ErrorKind::Cancelled,
        Code::Internal => ErrorKind::Internal { incident },
        _ => ErrorKind::Other,
    }
}

package tablestate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

const domain = "tablestate"

// Violation is a fault of one field of a request.
type Violation struct {
	// Field is its path, as "options.offboard.points_to_win".
	Field string
	// Description says what is wrong with it, and what was expected.
	Description string
}

// CallError is any failure of a call. Programs go by Code and Reason.
type CallError struct {
	// Code is the status code.
	Code codes.Code
	// Reason says why; unspecified: the server gave none, or one newer than this client.
	Reason pb.ErrorReason
	// ReasonName is the name in ErrorReason without its prefix, as "ILLEGAL_ACTION"; "": none.
	ReasonName string
	// Message is for people, and may change.
	Message string
	// Metadata holds facts that belong to the reason.
	Metadata map[string]string
	// Violations are the fields that are wrong.
	Violations []Violation
	// RetryAfter says after how long the call may be made again; 0: the server did not say.
	RetryAfter time.Duration
	// Intent is that of a call which changes something: repeat it with this, and it has one effect.
	Intent *Intent

	cause error
}

// Error names the reason, and what people should know.
func (e *CallError) Error() string {
	name := e.ReasonName
	if name == "" {
		name = e.Code.String()
	}
	text := name + ": " + e.Message
	if incident := e.Metadata["incident"]; incident != "" {
		text += " (incident " + incident + ")"
	}
	return text
}

// Unwrap returns what the call failed with: gRPC's error, or that of the context.
func (e *CallError) Unwrap() error { return e.cause }

// Is makes [errors.Is] work with the errors of this package that stand for a kind, as [ErrNotFound].
func (e *CallError) Is(target error) bool {
	known, ok := target.(*kind)
	return ok && known.code == e.Code
}

// GRPCStatus makes [status.Code] and [status.Convert] work.
func (e *CallError) GRPCStatus() *status.Status { return status.New(e.Code, e.Message) }

func (e *CallError) number(key string) uint64 {
	value, _ := strconv.ParseUint(e.Metadata[key], 10, 64)
	return value
}

type kind struct {
	code codes.Code
	text string
}

func (k *kind) Error() string { return k.text }

// Kinds of failures, for [errors.Is].
var (
	// ErrInvalidRequest: wrong whatever the match's state is; see [InvalidRequestError].
	ErrInvalidRequest error = &kind{codes.InvalidArgument, "invalid request"}
	// ErrNotFound: no such match or game.
	ErrNotFound error = &kind{codes.NotFound, "not found"}
	// ErrPermissionDenied: the token, or the role of the key, is not the right one.
	ErrPermissionDenied error = &kind{codes.PermissionDenied, "permission denied"}
	// ErrUnauthenticated: the key is missing or unknown.
	ErrUnauthenticated error = &kind{codes.Unauthenticated, "unauthenticated"}
	// ErrPrecondition: the request is wrong now.
	ErrPrecondition error = &kind{codes.FailedPrecondition, "not now"}
	// ErrConflict: a token or request id was used before for something else.
	ErrConflict error = &kind{codes.AlreadyExists, "used before"}
	// ErrStaleVersion: the match has moved on; see [StaleVersionError].
	ErrStaleVersion error = &kind{codes.Aborted, "stale version"}
	// ErrResourceExhausted: a limit or the store's room is used up.
	ErrResourceExhausted error = &kind{codes.ResourceExhausted, "resource exhausted"}
	// ErrUnavailable: no answer, after all retries. Whether the call took effect is not known.
	ErrUnavailable error = &kind{codes.Unavailable, "unavailable"}
	// ErrDeadlineExceeded: no answer in time. Whether the call took effect is not known.
	ErrDeadlineExceeded error = &kind{codes.DeadlineExceeded, "deadline exceeded"}
	// ErrDataLoss: the match's log is damaged.
	ErrDataLoss error = &kind{codes.DataLoss, "data loss"}
	// ErrInternal: a fault of the server.
	ErrInternal error = &kind{codes.Internal, "internal"}
)

// ErrClosed is what calls on something that was closed end with.
var ErrClosed = errors.New("tablestate: closed")

// InvalidRequestError says that the request is wrong whatever the match's state is: Violations lists
// the faults.
type InvalidRequestError struct{ *CallError }

// IllegalActionError says that the action is not legal now.
type IllegalActionError struct{ *CallError }

// Rule is the number or section of the rule that forbids it.
func (e *IllegalActionError) Rule() string { return e.Metadata["rule"] }

// Action is the action in notation.
func (e *IllegalActionError) Action() string { return e.Metadata["action"] }

// NotTheActorError says that another seat must decide.
type NotTheActorError struct{ *CallError }

// Actor is the seat that must decide.
func (e *NotTheActorError) Actor() uint32 { return uint32(e.number("actor")) }

// Seat is the one that tried.
func (e *NotTheActorError) Seat() uint32 { return uint32(e.number("seat")) }

// MatchPhaseError says that the match has not started, has started already, is paused, waits for
// entropies or has ended.
type MatchPhaseError struct{ *CallError }

// Phase is the one that the match is in, as "WAITING".
func (e *MatchPhaseError) Phase() string { return e.Metadata["phase"] }

// StaleVersionError says that the match has moved on: read it again and decide anew.
type StaleVersionError struct{ *CallError }

// CurrentVersion is the version that the match is at.
func (e *StaleVersionError) CurrentVersion() uint64 { return e.number("current_version") }

// ExpectedVersion is the version that the decision was made on.
func (e *StaleVersionError) ExpectedVersion() uint64 { return e.number("expected_version") }

// VersionNotReachedError says that the match has not reached the version asked for.
type VersionNotReachedError struct{ *CallError }

// CurrentVersion is the version that the match is at.
func (e *VersionNotReachedError) CurrentVersion() uint64 { return e.number("current_version") }

// Unwrap makes [errors.As] find the [*CallError].
func (e *InvalidRequestError) Unwrap() error { return e.CallError }

// Unwrap makes [errors.As] find the [*CallError].
func (e *IllegalActionError) Unwrap() error { return e.CallError }

// Unwrap makes [errors.As] find the [*CallError].
func (e *NotTheActorError) Unwrap() error { return e.CallError }

// Unwrap makes [errors.As] find the [*CallError].
func (e *MatchPhaseError) Unwrap() error { return e.CallError }

// Unwrap makes [errors.As] find the [*CallError].
func (e *StaleVersionError) Unwrap() error { return e.CallError }

// Unwrap makes [errors.As] find the [*CallError].
func (e *VersionNotReachedError) Unwrap() error { return e.CallError }

// ReasonOf tells why a call failed; unspecified for what is no failure of a call.
func ReasonOf(err error) pb.ErrorReason {
	var failure *CallError
	if errors.As(err, &failure) {
		return failure.Reason
	}
	return pb.ErrorReason_ERROR_REASON_UNSPECIFIED
}

// refusal is for what cannot be sent; no call was made.
func refusal(field, description string) error { return typed(refused(field, description)) }

func refused(field, description string) *CallError {
	return &CallError{
		Code:       codes.InvalidArgument,
		Reason:     pb.ErrorReason_ERROR_REASON_INVALID_FIELD,
		ReasonName: "INVALID_FIELD",
		Message:    field + " " + description,
		Violations: []Violation{{field, description}},
	}
}

// failureOf reads what a call failed with. Where the service gave no reason, the caller's context may.
func failureOf(ctx context.Context, err error) *CallError {
	var failure *CallError
	if !errors.As(err, &failure) {
		failure = fromStatus(status.Convert(err))
		failure.cause = err
	}
	if given := ctx.Err(); given != nil && failure.ReasonName == "" {
		failure.cause = given
		failure.Code = status.FromContextError(given).Code()
		failure.Message = fmt.Sprintf("the caller gave up: %v", given)
	}
	return failure
}

func fromStatus(told *status.Status) *CallError {
	if field, is := strings.CutPrefix(told.Message(), unwritableInGRPC); is {
		return refused(field, "must be valid UTF-8")
	}
	failure := &CallError{Code: told.Code(), Message: told.Message()}
	for _, detail := range told.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == domain {
				failure.ReasonName, failure.Metadata = detail.GetReason(), detail.GetMetadata()
				failure.Reason = pb.ErrorReason(pb.ErrorReason_value["ERROR_REASON_"+detail.GetReason()])
			}
		case *errdetails.BadRequest:
			for _, each := range detail.GetFieldViolations() {
				violation := Violation{each.GetField(), each.GetDescription()}
				failure.Violations = append(failure.Violations, violation)
			}
		case *errdetails.RetryInfo:
			failure.RetryAfter = max(0, detail.GetRetryDelay().AsDuration())
		}
	}
	return failure
}

// fromRefusal reads what an action on a stream was refused with.
func fromRefusal(refused *pb.PlayRefusal) error {
	var told statuspb.Status
	if err := proto.Unmarshal(refused.GetStatus(), &told); err != nil || told.GetCode() == 0 {
		told = statuspb.Status{Code: refused.GetCode(), Message: refused.GetMessage()}
	}
	failure := fromStatus(status.FromProto(&told))
	if failure.ReasonName == "" {
		failure.Reason = refused.GetReason()
		failure.ReasonName = strings.TrimPrefix(refused.GetReason().String(), "ERROR_REASON_")
	}
	return typed(failure)
}

// typed gives a failure the type of its reason.
func typed(failure *CallError) error {
	switch failure.Reason {
	case pb.ErrorReason_ERROR_REASON_ILLEGAL_ACTION:
		return &IllegalActionError{failure}
	case pb.ErrorReason_ERROR_REASON_NOT_THE_ACTOR:
		return &NotTheActorError{failure}
	case pb.ErrorReason_ERROR_REASON_STALE_VERSION:
		return &StaleVersionError{failure}
	case pb.ErrorReason_ERROR_REASON_VERSION_NOT_REACHED:
		return &VersionNotReachedError{failure}
	case pb.ErrorReason_ERROR_REASON_MATCH_NOT_STARTED,
		pb.ErrorReason_ERROR_REASON_MATCH_ALREADY_STARTED,
		pb.ErrorReason_ERROR_REASON_MATCH_ENDED,
		pb.ErrorReason_ERROR_REASON_MATCH_NOT_ENDED,
		pb.ErrorReason_ERROR_REASON_MATCH_PAUSED,
		pb.ErrorReason_ERROR_REASON_NOT_PAUSED,
		pb.ErrorReason_ERROR_REASON_ENTROPY_DUE:
		return &MatchPhaseError{failure}
	}
	if failure.Code == codes.InvalidArgument {
		return &InvalidRequestError{failure}
	}
	return failure
}

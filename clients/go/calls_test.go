package tablestate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

func created(*pb.CreateMatchRequest) (*pb.CreateMatchResponse, error) {
	return &pb.CreateMatchResponse{Match: &pb.Match{MatchId: matchID}}, nil
}

func TestACallIsRepeatedAsItWas(t *testing.T) {
	matches := &fakeMatches{}
	matches.create = func(try int, request *pb.CreateMatchRequest) (*pb.CreateMatchResponse, error) {
		if try < 4 {
			return nil, []error{
				away(), status.Error(codes.Canceled, "stopping"), status.Error(codes.DeadlineExceeded, ""),
			}[try-1]
		}
		return created(request)
	}
	client := serve(t, matches)
	settings := MatchSettings{Metadata: map[string]string{"a": "1", "b": "2"}, WaitingLimit: time.Hour}
	match := ok(client.CreateMatch(t.Context(), Offboard(nil), settings))(t)
	if match.ID() != matchID || len(matches.created) != 4 {
		t.Fatalf("%v after %d tries", match.ID(), len(matches.created))
	}
	first := matches.created[0]
	if len(first.GetRequestId()) != 32 || len(first.GetHostToken()) != 32 {
		t.Errorf("request id %q, token of %d bytes", first.GetRequestId(), len(first.GetHostToken()))
	}
	if first.GetWaitingLimit().AsDuration() != time.Hour || first.GetEntropyLimit() != nil {
		t.Errorf("limits %v, %v", first.GetWaitingLimit(), first.GetEntropyLimit())
	}
	for _, again := range matches.created[1:] {
		if !proto.Equal(again, first) {
			t.Errorf("%v was repeated as %v", first, again)
		}
	}
}

func TestEqualRequestsHaveEqualBytes(t *testing.T) {
	settings := MatchSettings{Metadata: map[string]string{}}
	for _, key := range strings.Split("abcdefghijklmnop", "") {
		settings.Metadata[key] = key
	}
	request := settings.request(NewIntent())
	first := ok(codec{}.Marshal(request))(t).Materialize()
	for range 50 {
		again := ok(codec{}.Marshal(request))(t).Materialize()
		if string(again) != string(first) {
			t.Fatal("the same request was written in two ways")
		}
	}
	read := &pb.CreateMatchRequest{}
	if err := proto.Unmarshal(first, read); err != nil || !proto.Equal(read, request) {
		t.Fatalf("%v was read as %v: %v", request, read, err)
	}
}

func TestWhatCannotSucceedIsNotRepeated(t *testing.T) {
	matches := &fakeMatches{}
	matches.create = func(int, *pb.CreateMatchRequest) (*pb.CreateMatchResponse, error) {
		violations := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "options.offboard.points_to_win", Description: "'99': expected 1 to 24"},
		}}
		return nil, told(codes.InvalidArgument, "INVALID_OPTIONS", nil, protoadapt.MessageV1Of(violations))
	}
	_, err := serve(t, matches).CreateMatch(t.Context(), Offboard(nil), MatchSettings{})
	var invalid *InvalidRequestError
	if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalidRequest) || len(matches.created) != 1 {
		t.Fatalf("%v after %d tries", err, len(matches.created))
	}
	if got := invalid.Violations[0].Field; got != "options.offboard.points_to_win" {
		t.Errorf("violation of %q", got)
	}
	if ReasonOf(err) != pb.ErrorReason_ERROR_REASON_INVALID_OPTIONS {
		t.Errorf("reason %v", ReasonOf(err))
	}
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("code %v", status.Code(err))
	}
}

func TestAnErrorTellsTheIntentToRepeatTheCallWith(t *testing.T) {
	matches := &fakeMatches{}
	matches.create = func(try int, request *pb.CreateMatchRequest) (*pb.CreateMatchResponse, error) {
		if try == 1 {
			return nil, told(codes.ResourceExhausted, "STORAGE_FULL", nil)
		}
		return created(request)
	}
	client := serve(t, matches)
	_, err := client.CreateMatch(t.Context(), Offboard(nil), MatchSettings{})
	var failure *CallError
	if !errors.As(err, &failure) || failure.Intent == nil || !errors.Is(err, ErrResourceExhausted) {
		t.Fatalf("%v", err)
	}
	again := WithIntent(*failure.Intent)
	match := ok(client.CreateMatch(t.Context(), Offboard(nil), MatchSettings{}, again))(t)
	if !proto.Equal(matches.created[0], matches.created[1]) {
		t.Error("the call was repeated with other fields")
	}
	if string(match.Credential().Token) != string(matches.created[0].GetHostToken()) {
		t.Error("the host has another token")
	}
}

func TestACallWaitsAsLongAsItIsTold(t *testing.T) {
	matches := &fakeMatches{}
	pause := 30 * time.Millisecond
	matches.create = func(try int, request *pb.CreateMatchRequest) (*pb.CreateMatchResponse, error) {
		if try == 1 {
			hint := &errdetails.RetryInfo{RetryDelay: durationpb.New(pause)}
			return nil, told(codes.ResourceExhausted, "TOO_MANY_CALLS", nil, protoadapt.MessageV1Of(hint))
		}
		return created(request)
	}
	begun := time.Now()
	ok(serve(t, matches).CreateMatch(t.Context(), Offboard(nil), MatchSettings{}))(t)
	if took := time.Since(begun); took < pause {
		t.Errorf("called again after %v", took)
	}
}

func TestTheDeadlineOfTheContextHoldsForAllAttempts(t *testing.T) {
	matches := &fakeMatches{get: func(context.Context) (*pb.GetMatchResponse, error) { return nil, away() }}
	client := serve(t, matches, WithTimeout(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Match(ctx, matchID, 0)
	if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrDeadlineExceeded) {
		t.Fatalf("%v", err)
	}
}

func TestADeadlineThatTheServerTellsFirstIsThatOfTheContext(t *testing.T) {
	matches := &fakeMatches{get: func(context.Context) (*pb.GetMatchResponse, error) {
		return nil, status.Error(codes.DeadlineExceeded, "Deadline Exceeded")
	}}
	retry := hasty
	retry.InitialDelay, retry.MaxDelay = time.Hour, time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := serve(t, matches, WithRetry(retry)).Match(ctx, matchID, 0)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrDeadlineExceeded) {
		t.Fatalf("%v", err)
	}
}

func TestTheTimeoutOfTheClientHoldsWithoutADeadline(t *testing.T) {
	matches := &fakeMatches{get: func(context.Context) (*pb.GetMatchResponse, error) { return nil, away() }}
	_, err := serve(t, matches, WithTimeout(20*time.Millisecond)).Match(t.Context(), matchID, 0)
	if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrDeadlineExceeded) {
		t.Fatalf("%v", err)
	}
}

func TestAnAttemptThatHangsIsMadeAgain(t *testing.T) {
	tries := 0
	matches := &fakeMatches{get: func(ctx context.Context) (*pb.GetMatchResponse, error) {
		if tries++; tries == 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return &pb.GetMatchResponse{Match: &pb.Match{Version: 7}}, nil
	}}
	retry := hasty
	retry.AttemptTimeout = 50 * time.Millisecond
	match := ok(serve(t, matches, WithRetry(retry)).Match(t.Context(), matchID, 0))(t)
	if match.GetVersion() != 7 || tries != 2 {
		t.Errorf("version %d after %d tries", match.GetVersion(), tries)
	}
}

func TestWhoeverGivesUpIsTold(t *testing.T) {
	matches := &fakeMatches{get: func(ctx context.Context) (*pb.GetMatchResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := serve(t, matches).Match(ctx, matchID, 0)
	if !errors.Is(err, context.Canceled) || status.Code(err) != codes.Canceled {
		t.Fatalf("%v", err)
	}
}

func TestAClosedClientIsNotWaitedFor(t *testing.T) {
	asked := make(chan struct{})
	matches := &fakeMatches{get: func(ctx context.Context) (*pb.GetMatchResponse, error) {
		close(asked)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	client := serve(t, matches, WithTimeout(time.Hour))
	go func() {
		<-asked
		_ = client.Close()
	}()
	for range 2 { // one that is under way, and a later one
		if _, err := client.Match(t.Context(), matchID, 0); !errors.Is(err, ErrClosed) {
			t.Errorf("%v", err)
		}
	}
	for _, err := range client.Watch(t.Context(), WatchOptions{}, Spectated(matchID)) {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%v", err)
		}
	}
}

func TestHeadersAreSentWithEveryCall(t *testing.T) {
	var keys []string
	matches := &fakeMatches{get: func(ctx context.Context) (*pb.GetMatchResponse, error) {
		headers, _ := metadata.FromIncomingContext(ctx)
		keys = append(keys, strings.Join(headers["authorization"], ","))
		return &pb.GetMatchResponse{}, nil
	}}
	matches.watch = func(_ int, stream grpc.ServerStreamingServer[pb.WatchMatchesResponse]) error {
		headers, _ := metadata.FromIncomingContext(stream.Context())
		keys = append(keys, strings.Join(headers["authorization"], ","))
		return stream.Send(&pb.WatchMatchesResponse{Update: lastUpdate(1)})
	}
	client := serve(t, matches, WithKey("secret"))
	ok(client.Match(t.Context(), matchID, 0))(t)
	for _, err := range client.Watch(t.Context(), WatchOptions{}, Spectated(matchID)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(keys, " ") != "Bearer secret Bearer secret" {
		t.Errorf("keys %q", keys)
	}
}

func TestErrorsHaveTheTypeOfTheirReason(t *testing.T) {
	matches := &fakeMatches{}
	player := serve(t, matches).Player(SeatCredential{MatchID: matchID, Token: NewToken()})
	submit := func(refused error) error {
		matches.submit = func(*pb.SubmitActionRequest) (*pb.SubmitActionResponse, error) {
			return nil, refused
		}
		_, err := player.Submit(t.Context(), Notation("e3e4"), SubmitOptions{})
		return err
	}
	var illegal *IllegalActionError
	facts := map[string]string{"rule": "Move", "action": "e3e4"}
	err := submit(told(codes.FailedPrecondition, "ILLEGAL_ACTION", facts))
	if !errors.As(err, &illegal) || illegal.Rule() != "Move" || illegal.Action() != "e3e4" {
		t.Errorf("%v", err)
	}
	if !errors.Is(err, ErrPrecondition) || errors.Is(err, ErrNotFound) {
		t.Errorf("%v is of another kind", err)
	}
	var other *NotTheActorError
	err = submit(told(codes.FailedPrecondition, "NOT_THE_ACTOR", map[string]string{"actor": "1", "seat": "3"}))
	if !errors.As(err, &other) || other.Actor() != 1 || other.Seat() != 3 {
		t.Errorf("%v", err)
	}
	var stale *StaleVersionError
	facts = map[string]string{"current_version": "9", "expected_version": "8"}
	err = submit(told(codes.Aborted, "STALE_VERSION", facts))
	if !errors.As(err, &stale) || stale.CurrentVersion() != 9 || stale.ExpectedVersion() != 8 {
		t.Errorf("%v", err)
	}
	var phase *MatchPhaseError
	err = submit(told(codes.FailedPrecondition, "MATCH_ENDED", map[string]string{"phase": "OVER"}))
	if !errors.As(err, &phase) || phase.Phase() != "OVER" {
		t.Errorf("%v", err)
	}
	err = submit(told(codes.FailedPrecondition, "NEWER_THAN_THIS", nil))
	var failure *CallError
	if !errors.As(err, &failure) || failure.ReasonName != "NEWER_THAN_THIS" || failure.Reason != 0 {
		t.Errorf("%v", err)
	}
	err = submit(told(codes.Internal, "INTERNAL", map[string]string{"incident": "ab12"}))
	if !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "incident ab12") {
		t.Errorf("%v", err)
	}
}

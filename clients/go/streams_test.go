package tablestate

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

type (
	watchStream = grpc.ServerStreamingServer[pb.WatchMatchesResponse]
	playStream  = grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]
)

func send(stream watchStream, updates ...*pb.MatchUpdate) {
	for _, each := range updates {
		_ = stream.Send(&pb.WatchMatchesResponse{Update: each})
	}
}

func cursorsOf(matches *fakeMatches) []uint64 {
	var cursors []uint64
	for _, request := range matches.watched {
		cursors = append(cursors, request.GetSubscriptions()[0].GetAfterVersion())
	}
	return cursors
}

// versions reads a watch to its end, or to its error.
func versions(client *Client, ctx context.Context, options WatchOptions) ([]uint64, error) {
	var seen []uint64
	for update, err := range client.Watch(ctx, options, Spectated(matchID)) {
		if err != nil {
			return seen, err
		}
		seen = append(seen, update.GetVersion())
	}
	return seen, nil
}

func TestAWatchGoesOnWhereItBroke(t *testing.T) {
	matches := &fakeMatches{watch: func(try int, stream watchStream) error {
		switch try {
		case 1:
			send(stream, update(1), update(2))
			return away()
		case 2: // what was seen comes again, and then there is a gap
			send(stream, update(2), update(3), update(5))
			return nil
		case 3:
			return told(codes.ResourceExhausted, "WATCHER_TOO_SLOW", nil)
		}
		send(stream, update(4), lastUpdate(5))
		return nil
	}}
	var breaks []error
	options := WatchOptions{OnBreak: func(err error) { breaks = append(breaks, err) }}
	seen, err := versions(serve(t, matches), t.Context(), options)
	if err != nil || !slices.Equal(seen, []uint64{1, 2, 3, 4, 5}) {
		t.Fatalf("%v, %v", seen, err)
	}
	if got := cursorsOf(matches); !slices.Equal(got, []uint64{0, 2, 3, 3}) {
		t.Errorf("the streams began after %v", got)
	}
	if len(breaks) != 3 || ReasonOf(breaks[2]) != pb.ErrorReason_ERROR_REASON_WATCHER_TOO_SLOW {
		t.Errorf("breaks %v", breaks)
	}
}

func TestAWatchGivesUpWhenPatienceIsOver(t *testing.T) {
	matches := &fakeMatches{watch: func(int, watchStream) error { return away() }}
	seen, err := versions(serve(t, matches), t.Context(), WatchOptions{AfterVersion: 6})
	if len(seen) != 0 || !errors.Is(err, ErrUnavailable) {
		t.Fatalf("%v, %v", seen, err)
	}
	if cursorsOf(matches)[0] != 6 || len(matches.watched) < 2 {
		t.Errorf("the streams began after %v", cursorsOf(matches))
	}
}

func TestAWatchThatIsRefusedEnds(t *testing.T) {
	matches := &fakeMatches{watch: func(int, watchStream) error {
		return told(codes.NotFound, "MATCH_NOT_FOUND", nil)
	}}
	_, err := versions(serve(t, matches), t.Context(), WatchOptions{})
	if !errors.Is(err, ErrNotFound) || len(matches.watched) != 1 {
		t.Fatalf("%v after %d streams", err, len(matches.watched))
	}
}

func TestWhoeverLeavesAWatchEndsItsStream(t *testing.T) {
	ended := make(chan struct{})
	matches := &fakeMatches{watch: func(_ int, stream watchStream) error {
		send(stream, update(1), update(2))
		<-stream.Context().Done()
		close(ended)
		return stream.Context().Err()
	}}
	for range serve(t, matches).Watch(t.Context(), WatchOptions{}, Spectated(matchID)) {
		break
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the stream goes on")
	}
}

func TestAPlayerRevealsWhatIsDueAndLearnsItsSeat(t *testing.T) {
	entropy := NewToken()
	var revealed []byte
	matches := &fakeMatches{
		watch: func(_ int, stream watchStream) error {
			due, seated := update(1), lastUpdate(2)
			due.EntropyAwaited, seated.YourSeat = []uint32{0}, Seat(3)
			send(stream, due, seated)
			return nil
		},
		reveal: func(request *pb.RevealEntropyRequest) (*pb.RevealEntropyResponse, error) {
			revealed = request.GetEntropy()
			return nil, told(codes.FailedPrecondition, "ENTROPY_NOT_DUE", nil) // another has revealed it
		},
	}
	key := SeatCredential{MatchID: matchID, Token: NewToken(), Entropy: entropy}
	player := serve(t, matches).Player(key)
	for _, err := range player.Watch(t.Context(), WatchOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(revealed, entropy) {
		t.Errorf("revealed %x", revealed)
	}
	if player.Seat() != 3 || !slices.Equal(player.Credential().Token, key.Token) {
		t.Errorf("the player is on %v", player.Credential())
	}
}

func TestAFeedGoesOnFromItsCursor(t *testing.T) {
	var begun []string
	matches := &fakeMatches{feed: func(request *pb.WatchFeedRequest, send func(string)) error {
		begun = append(begun, request.GetCursor())
		if request.GetFeedSecret() != "s" || request.GetTenant() != "club" {
			return told(codes.PermissionDenied, "WRONG_FEED_SECRET", nil)
		}
		send(request.GetCursor() + "x")
		return away()
	}}
	var seen []string
	options := FeedOptions{Secret: "s", Tenant: "club", Cursor: "a"}
	for news, err := range serve(t, matches).WatchFeed(t.Context(), options) {
		if err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, news.GetCursor()); len(seen) == 3 {
			break
		}
	}
	if !slices.Equal(seen, []string{"ax", "axx", "axxx"}) || !slices.Equal(begun, []string{"a", "ax", "axx"}) {
		t.Errorf("saw %v, streams began at %v", seen, begun)
	}
}

func tell(stream playStream, told *pb.MatchUpdate) {
	_ = stream.Send(&pb.PlayResponse{Message: &pb.PlayResponse_Update{Update: told}})
}

func answer(stream playStream, answer *pb.PlayAnswer) {
	_ = stream.Send(&pb.PlayResponse{Message: &pb.PlayResponse_Answer{Answer: answer}})
}

func taken(asked *pb.PlayRequest, version uint64) *pb.PlayAnswer {
	id := asked.GetAction().GetRequestId() + asked.GetResign().GetRequestId()
	return &pb.PlayAnswer{RequestId: id, Result: &pb.PlayAnswer_Version{Version: version}}
}

func yellow(client *Client) *SeatedPlayer {
	return client.Player(SeatCredential{MatchID: matchID, Seat: 1, Token: NewToken()})
}

func TestAnActionWithoutAnAnswerIsSentAgain(t *testing.T) {
	var begins, asked []*pb.PlayRequest
	matches := &fakeMatches{play: func(try int, stream playStream) error {
		begin, _ := stream.Recv()
		begins = append(begins, begin)
		if try == 1 {
			tell(stream, update(3))
		}
		action, err := stream.Recv()
		if err != nil {
			return err
		}
		asked = append(asked, action)
		if try == 1 {
			tell(stream, update(4)) // it was taken, and the connection breaks before the answer
			return away()
		}
		answer(stream, taken(action, 4))
		tell(stream, lastUpdate(5))
		return nil
	}}
	play := yellow(serve(t, matches)).Play(t.Context(), PlayOptions{})
	defer play.Close()
	var seen []uint64
	for turn, err := range play.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, turn.GetVersion())
		if len(seen) == 1 {
			if version := ok(play.Act(Index(7)))(t); version != 4 {
				t.Errorf("taken at version %d", version)
			}
		}
	}
	if !slices.Equal(seen, []uint64{3, 4}) {
		t.Errorf("turns %v", seen)
	}
	if len(asked) != 2 || !proto.Equal(asked[0], asked[1]) {
		t.Fatalf("asked %v", asked)
	}
	if got := asked[0].GetAction().GetExpectedVersion(); got != 3 {
		t.Errorf("expected version %d", got)
	}
	first, second := begins[0].GetBegin(), begins[1].GetBegin()
	if first.AfterVersion != nil || second.GetAfterVersion() != 4 || !first.GetIncludeLegalActions() {
		t.Errorf("begun with %v and %v", first, second)
	}
}

func TestARefusedActionDoesNotEndThePlay(t *testing.T) {
	matches := &fakeMatches{play: func(_ int, stream playStream) error {
		if _, err := stream.Recv(); err != nil {
			return err
		}
		tell(stream, update(3))
		action, _ := stream.Recv()
		answer(stream, &pb.PlayAnswer{
			RequestId: action.GetAction().GetRequestId(),
			Result: &pb.PlayAnswer_Refusal{Refusal: &pb.PlayRefusal{
				Code:    int32(codes.FailedPrecondition),
				Reason:  pb.ErrorReason_ERROR_REASON_ILLEGAL_ACTION,
				Message: "no",
			}},
		})
		resign, _ := stream.Recv()
		answer(stream, taken(resign, 4))
		tell(stream, lastUpdate(4))
		return nil
	}}
	play := yellow(serve(t, matches)).Play(t.Context(), PlayOptions{})
	defer play.Close()
	for _, err := range play.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		_, err = play.Act(Notation("e3e4"))
		var illegal *IllegalActionError
		if !errors.As(err, &illegal) || illegal.Intent == nil {
			t.Fatalf("%v", err)
		}
		if version := ok(play.Resign())(t); version != 4 {
			t.Errorf("resigned at version %d", version)
		}
	}
}

func TestAnActionIsAskedForApartWhenTheMatchHasEnded(t *testing.T) {
	var apart *pb.SubmitActionRequest
	var sent *pb.PlayAction
	matches := &fakeMatches{play: func(try int, stream playStream) error {
		_, _ = stream.Recv()
		if try > 1 {
			return nil // the match has ended: there is nothing to stream
		}
		tell(stream, update(3))
		action, err := stream.Recv()
		if err == nil || !errors.Is(err, io.EOF) {
			sent = action.GetAction()
		}
		tell(stream, lastUpdate(4))
		return away()
	}}
	matches.submit = func(request *pb.SubmitActionRequest) (*pb.SubmitActionResponse, error) {
		apart = request
		return &pb.SubmitActionResponse{Update: lastUpdate(4)}, nil
	}
	play := yellow(serve(t, matches)).Play(t.Context(), PlayOptions{})
	defer play.Close()
	for _, err := range play.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if version := ok(play.Act(Index(7)))(t); version != 4 {
			t.Errorf("taken at version %d", version)
		}
	}
	if apart.GetRequestId() == "" || apart.GetRequestId() != sent.GetRequestId() {
		t.Errorf("sent %v, asked apart for %v", sent, apart)
	}
	if apart.GetExpectedVersion() != 3 || apart.GetChoice().GetIndex() != 7 {
		t.Errorf("asked apart for %v", apart)
	}
}

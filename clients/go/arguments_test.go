package tablestate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// isRefused looks that an error names a field, says what was expected, and shows no secret.
func isRefused(t *testing.T, err error, field, said string) {
	t.Helper()
	var refused *InvalidRequestError
	if !errors.As(err, &refused) {
		t.Fatalf("%T %v is no refusal of %s", err, err, field)
	}
	if len(refused.Violations) != 1 || refused.Violations[0].Field != field {
		t.Errorf("the faults are %v, not of %s", refused.Violations, field)
	}
	if text := refused.Error(); !strings.Contains(text, said) || strings.Contains(text, "s3cret") {
		t.Errorf("%q does not say %q", text, said)
	}
}

func TestTargetsAreAddressesWithAPortOrWhatGRPCNames(t *testing.T) {
	for _, target := range []string{
		"127.0.0.1:50051", "[::1]:1", ":65535", "a_b.c:80", "dns:///example.org", "unix:/run/socket",
	} {
		if client, err := NewClient(target); err != nil {
			t.Errorf("%s: %v", target, err)
		} else {
			_ = client.Close()
		}
	}
	for _, target := range []string{
		"", "127.0.0.1", "localhost:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1", "a b:1",
		"http://127.0.0.1:50051", "https://example.org", "127.0.0.1:1/x", "127.0.0.1:1\n",
		"dns:///\xff", "::1:50051", "ipv4:127.0.0.1:1,127.0.0.1:2",
	} {
		_, err := NewClient(target)
		isRefused(t, err, "target", "must say where the server is, as 127.0.0.1:50051")
	}
}

func TestOptionsThatCannotBeAreRefused(t *testing.T) {
	policy := func(change func(*RetryPolicy)) Option {
		chosen := DefaultRetry
		change(&chosen)
		return WithRetry(chosen)
	}
	for _, each := range []struct {
		option      Option
		field, said string
	}{
		{WithTransportCredentials(nil), "transport_credentials", "must not be nil"},
		{WithDialOptions(nil), "dial_options", "must not be nil"},
		{WithTimeout(0), "timeout", "0s: must be more than 0"},
		{WithTimeout(-time.Second), "timeout", "-1s: must be more than 0"},
		{WithKey("s3cret\n"), "header.authorization", "must be of characters of ASCII that print"},
		{WithKey("s3crét"), "header.authorization", "must be of characters of ASCII that print"},
		{WithHeader("", "s3cret"), "header.name", `"": must be of the characters`},
		{WithHeader("a b", "s3cret"), "header.name", `"a b": must be of the characters`},
		{WithHeader("grpc-timeout", "1S"), "header.name", "not one of gRPC's own"},
		{policy(func(p *RetryPolicy) { p.Multiplier = math.NaN() }), "retry.multiplier", "NaN: must"},
		{policy(func(p *RetryPolicy) { p.MaxDelay = -1 }), "retry.max_delay", "-1ns: must be more"},
	} {
		_, err := NewClient("127.0.0.1:1", nil, each.option)
		isRefused(t, err, each.field, each.said)
	}
	client := ok(NewClient("127.0.0.1:1", WithHeader("X-Trace-Bin", "\xff")))(t)
	if err := errors.Join(client.Close(), client.Close()); err != nil {
		t.Errorf("to close a client twice: %v", err)
	}
}

func TestWhatIsNoTextIsRefusedByItsField(t *testing.T) {
	client, ctx := serve(t, &fakeMatches{}), context.Background()
	_, err := client.CreateMatch(ctx, Offboard(nil), MatchSettings{Tenant: "\xff"}, nil)
	isRefused(t, err, "tenant", "must be valid UTF-8")
	_, err = client.CreateMatch(ctx, nil, MatchSettings{Metadata: map[string]string{"\xff": ""}})
	isRefused(t, err, "metadata", "must be valid UTF-8")
	_, err = client.ForkMatch(ctx, "\xff", 1, MatchSettings{})
	isRefused(t, err, "source.match_id", "must be valid UTF-8")
	player := client.Player(SeatCredential{MatchID: "m", Token: NewToken()})
	_, err = player.Submit(ctx, Notation("\xff"), SubmitOptions{})
	isRefused(t, err, "choice.notation", "must be valid UTF-8")
}

func TestWhatIsNotWatchedIsRefused(t *testing.T) {
	client := serve(t, &fakeMatches{})
	seat := SeatCredential{MatchID: "m", Token: NewToken()}
	for _, each := range []struct {
		watched     []Watched
		field, said string
	}{
		{nil, "watched", "must be one match or more"},
		{[]Watched{seat, nil}, "watched[1]", "must not be nil"},
		{[]Watched{From(nil, 1)}, "watched[0]", "must not be nil"},
		{[]Watched{Spectated("m"), seat}, "watched", `"m": must be named once`},
		{[]Watched{SeatCredential{MatchID: "m"}}, "seat_token", "must be 32 bytes"},
	} {
		var told error
		for _, told = range client.Watch(context.Background(), WatchOptions{}, each.watched...) {
		}
		isRefused(t, told, each.field, each.said)
	}
}

// The server would answer as to a spectator.
func TestWithoutATokenNobodyIsAPlayerOrAHost(t *testing.T) {
	client, ctx := serve(t, &fakeMatches{}), context.Background()
	player := client.Player(SeatCredential{MatchID: "m"})
	_, get := player.Get(ctx)
	_, view := player.View(ctx, ViewOptions{})
	_, replayed := player.Replay(ctx)
	_, verified := player.VerifyReplay(ctx)
	for _, err := range []error{get, view, replayed, verified} {
		isRefused(t, err, "seat_token", "must be 32 bytes")
	}
	_, err := client.Host(HostCredential{MatchID: "m"}).Get(ctx)
	isRefused(t, err, "host_token", "must be 32 bytes")
}

func TestTimesOfSearchesThatDoNotFitAreRefused(t *testing.T) {
	client, ctx := serve(t, &fakeMatches{}), context.Background()
	for _, each := range []struct {
		options     SearchOptions
		field, said string
	}{
		{SearchOptions{}, "budget", "must be either iterations or a time"},
		{SearchOptions{Time: -5 * time.Second}, "time", "-5s: must be from 0"},
		{SearchOptions{Time: 1e6 * time.Hour}, "time", "1000000h0m0s: must be from 0"},
		{
			SearchOptions{Iterations: 1, Progress: -1, OnProgress: func(*pb.SearchResponse) {}},
			"progress", "-1ns: must be from 0",
		},
	} {
		_, err := client.Search(ctx, Offboard(nil), nil, 0, each.options)
		isRefused(t, err, each.field, each.said)
	}
	if least, err := whole("time", 1); least != 1 || err != nil {
		t.Errorf("a nanosecond is %d ms, %v", least, err)
	}
}

func TestStepsAndAnswersOfAnotherLengthAreNotSent(t *testing.T) {
	// Nothing can be sent: there is no stream.
	batch := &Batch{Shape: &pb.BatchShape{Size: 2, MaskBytes: 1, Actions: 3}, Masks: []byte{1, 4}}
	isRefused(t, batch.StepIndices([]uint16{1}), "indices", "1 of them: must be 2")
	isRefused(t, batch.StepRanks(nil), "ranks", "0 of them: must be 2")
	isRefused(t, batch.StepDraws(make([]uint32, 3)), "draws", "3 of them: must be 2")
	form := pb.ActionForm_ACTION_FORM_DRAW
	isRefused(t, batch.Begin(form, make([]byte, 4)), "actions", "4 bytes: must be 8")
	for _, each := range []struct {
		slot  int
		index uint32
		legal bool
	}{{0, 0, true}, {0, 2, false}, {1, 2, true}, {-1, 0, false}, {2, 0, false}, {0, 10, false}} {
		if batch.Legal(each.slot, each.index) != each.legal {
			t.Errorf("%+v", each)
		}
	}
	search := &TreeSearch{
		Shape:  &pb.BatchShape{Seats: 2, MaskBytes: 1, Actions: 3},
		leaves: &Leaves{Actors: []byte{0, 1}, Masks: []byte{5, 2}},
	}
	rows := [][]float32{{1, 0}, {1}}
	isRefused(t, search.Answer(rows[:1], nil), "priors", "1 of them: must be 2")
	isRefused(t, search.Answer([][]float32{{1}, {1}}, nil), "priors[0]", "must be 2, one for each legal action")
	isRefused(t, search.Answer(rows, make([]float32, 3)), "values", "3 of them: must be 2 or 4")
	if none := search.Legal(search.leaves, 2); none != nil {
		t.Errorf("a leaf that there is not has %v", none)
	}
}

func TestStreamsOfAClosedClientEndWithErrClosed(t *testing.T) {
	client, ctx := serve(t, &fakeMatches{}), context.Background()
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	_, simulation := client.Simulation(ctx)
	_, search := client.Evaluate(ctx, nil)
	_, info := client.ServerInfo(ctx)
	for _, err := range []error{simulation, search, info} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%T %v is not ErrClosed", err, err)
		}
	}
}

package tablestate

import (
	"context"
	"time"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// Start is where games start: [NewGame] or [FromState].
type Start struct {
	options *pb.GameOptions
	state   *pb.GameState
}

// NewGame starts with new games of these options.
func NewGame(options *pb.GameOptions) Start { return Start{options: options} }

// FromState starts with a full state.
func FromState(state *pb.GameState) Start { return Start{state: state} }

// SearchOptions says how much is searched: give Iterations, for an answer that is the same on any
// machine, or Time.
type SearchOptions struct {
	Iterations uint64
	// Time comes on top of the client's timeout, where the context has no deadline.
	Time time.Duration
	Seed uint64
	// Threads share the work; 0: one.
	Threads uint32
	// OnProgress is told what has been found so far, every Progress at most (0: a quarter second).
	OnProgress func(*pb.SearchResponse)
	Progress   time.Duration
}

// Search searches for the best action of the seat that must decide. The server is told the options,
// what the seat sees, and nothing else. When the context is over the work stops.
func (c *Client) Search(
	ctx context.Context, options *pb.GameOptions, view *pb.GameView, seat uint32, search SearchOptions,
) (*pb.SearchResponse, error) {
	request := &pb.SearchRequest{
		Options: options, View: view, Seat: &seat, Seed: search.Seed, Threads: search.Threads,
	}
	if err := search.settle(request); err != nil {
		return nil, err
	}
	tell := func(part *pb.SearchResponse) {
		if search.OnProgress != nil && !part.GetDone() {
			search.OnProgress(part)
		}
	}
	parts, err := collect(ctx, c.transport, c.timeout+search.Time, c.engine.Search, request, tell)
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	return parts[len(parts)-1], nil
}

// settle says how much is searched.
func (s SearchOptions) settle(request *pb.SearchRequest) error {
	if (s.Iterations == 0) == (s.Time == 0) {
		return refusal("budget", "must be either iterations or a time")
	}
	time, err := whole("time", s.Time)
	if err != nil {
		return err
	}
	request.Budget = &pb.SearchRequest_Milliseconds{Milliseconds: time}
	if s.Time == 0 {
		request.Budget = &pb.SearchRequest_Iterations{Iterations: s.Iterations}
	}
	if s.OnProgress == nil {
		return nil
	}
	if request.ProgressMilliseconds, err = whole("progress", s.Progress); s.Progress == 0 {
		request.ProgressMilliseconds = 250
	}
	return err
}

// PlayoutOptions says how games are played to their ends.
type PlayoutOptions struct {
	Games uint32
	Seed  uint64
	// Player is the bot on every seat; "": random.
	Player   string
	MaxPlies uint32
	// Threads share the games; 0: one.
	Threads uint32
}

// Playout plays games to their ends, and adds up the results.
func (c *Client) Playout(
	ctx context.Context, start Start, options PlayoutOptions,
) (*pb.PlayoutResponse, error) {
	request := &pb.PlayoutRequest{
		Games: options.Games, Seed: options.Seed, Player: options.Player,
		MaxPlies: options.MaxPlies, Threads: options.Threads,
		Start: &pb.PlayoutRequest_Options{Options: start.options},
	}
	if start.state != nil {
		request.Start = &pb.PlayoutRequest_State{State: start.state}
	}
	return callLong(ctx, c.transport, c.engine.Playout, request)
}

// Perft counts the sequences of decisions of a length; with divide for each first action too.
func (c *Client) Perft(
	ctx context.Context, start Start, depth uint32, divide bool,
) (*pb.PerftResponse, error) {
	request := &pb.PerftRequest{
		Depth: depth, Divide: divide, Start: &pb.PerftRequest_Options{Options: start.options},
	}
	if start.state != nil {
		request.Start = &pb.PerftRequest_State{State: start.state}
	}
	return callLong(ctx, c.transport, c.engine.Perft, request)
}

package tablestate

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/protoadapt"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// fakeMatches answers as a test says, and keeps what it was sent.
type fakeMatches struct {
	pb.UnimplementedMatchServiceServer
	lock    sync.Mutex
	created []*pb.CreateMatchRequest
	create  func(try int, request *pb.CreateMatchRequest) (*pb.CreateMatchResponse, error)
	submit  func(request *pb.SubmitActionRequest) (*pb.SubmitActionResponse, error)
	reveal  func(request *pb.RevealEntropyRequest) (*pb.RevealEntropyResponse, error)
	get     func(ctx context.Context) (*pb.GetMatchResponse, error)
	watched []*pb.WatchMatchesRequest
	watch   func(try int, stream grpc.ServerStreamingServer[pb.WatchMatchesResponse]) error
	plays   int
	play    func(try int, stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error
	feed    func(request *pb.WatchFeedRequest, send func(cursor string)) error
}

func (f *fakeMatches) CreateMatch(
	_ context.Context, request *pb.CreateMatchRequest,
) (*pb.CreateMatchResponse, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.created = append(f.created, request)
	return f.create(len(f.created), request)
}

func (f *fakeMatches) SubmitAction(
	_ context.Context, request *pb.SubmitActionRequest,
) (*pb.SubmitActionResponse, error) {
	return f.submit(request)
}

func (f *fakeMatches) RevealEntropy(
	_ context.Context, request *pb.RevealEntropyRequest,
) (*pb.RevealEntropyResponse, error) {
	return f.reveal(request)
}

func (f *fakeMatches) GetMatch(
	ctx context.Context, _ *pb.GetMatchRequest,
) (*pb.GetMatchResponse, error) {
	return f.get(ctx)
}

func (f *fakeMatches) WatchMatches(
	request *pb.WatchMatchesRequest, stream grpc.ServerStreamingServer[pb.WatchMatchesResponse],
) error {
	f.lock.Lock()
	f.watched = append(f.watched, request)
	try := len(f.watched)
	f.lock.Unlock()
	return f.watch(try, stream)
}

func (f *fakeMatches) Play(
	stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse],
) error {
	f.lock.Lock()
	f.plays++
	try := f.plays
	f.lock.Unlock()
	return f.play(try, stream)
}

func (f *fakeMatches) WatchFeed(
	request *pb.WatchFeedRequest, stream grpc.ServerStreamingServer[pb.WatchFeedResponse],
) error {
	return f.feed(request, func(cursor string) {
		_ = stream.Send(&pb.WatchFeedResponse{Cursor: cursor})
	})
}

var hasty = RetryPolicy{
	InitialDelay:   time.Millisecond,
	Multiplier:     2,
	MaxDelay:       4 * time.Millisecond,
	AttemptTimeout: 2 * time.Second,
	WatchPatience:  100 * time.Millisecond,
}

// serve gives a client of a fake service that is in this process.
func serve(t *testing.T, matches *fakeMatches, options ...Option) *Client {
	t.Helper()
	listener, server := bufconn.Listen(1<<20), grpc.NewServer()
	pb.RegisterMatchServiceServer(server, matches)
	go func() { _ = server.Serve(listener) }()
	dial := WithDialOptions(grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		return listener.DialContext(ctx)
	}))
	all := append([]Option{WithRetry(hasty), WithTimeout(5 * time.Second), dial}, options...)
	client, err := NewClient("passthrough:fake", all...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		server.Stop()
	})
	return client
}

// told is an error as the service tells it.
func told(code codes.Code, reason string, facts map[string]string, more ...protoadapt.MessageV1) error {
	info := &errdetails.ErrorInfo{Reason: reason, Domain: domain, Metadata: facts}
	details := append([]protoadapt.MessageV1{protoadapt.MessageV1Of(info)}, more...)
	full, err := status.New(code, "as told").WithDetails(details...)
	if err != nil {
		panic(err)
	}
	return full.Err()
}

func away() error { return status.Error(codes.Unavailable, "away") }

const matchID = "0123456789abcdef0123456789abcdef"

func update(version uint64) *pb.MatchUpdate {
	return &pb.MatchUpdate{
		MatchId: matchID, Version: version, Phase: pb.MatchPhase_MATCH_PHASE_RUNNING,
		Actors: []uint32{1},
	}
}

func lastUpdate(version uint64) *pb.MatchUpdate {
	last := update(version)
	last.Phase, last.Actors = pb.MatchPhase_MATCH_PHASE_OVER, nil
	return last
}

func ok[T any](answer T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

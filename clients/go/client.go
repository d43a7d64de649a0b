package tablestate

import (
	"context"
	"iter"
	"time"

	"google.golang.org/grpc"
	grpcbackoff "google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// DefaultTimeout is for all attempts of a call together, where neither its context nor the client
// says otherwise.
const DefaultTimeout = 10 * time.Second

// Client is a connection to a Tablestate server. It may be used by many goroutines.
type Client struct {
	*transport
	conn *grpc.ClientConn
}

// Option says how a client reaches its server; nil says nothing.
type Option func(*settings)

type settings struct {
	credentials credentials.TransportCredentials
	given       []header
	headers     metadata.MD
	timeout     time.Duration
	retry       RetryPolicy
	dial        []grpc.DialOption
}

// WithTransportCredentials encrypts the connection, as credentials.NewTLS(nil) does. Without this
// it is not encrypted.
func WithTransportCredentials(given credentials.TransportCredentials) Option {
	return func(s *settings) { s.credentials = given }
}

// WithKey sends an API key, or the token of an identity provider, with every call.
func WithKey(key string) Option { return WithHeader("authorization", "Bearer "+key) }

// WithHeader sends a header with every call.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.given = append(s.given, header{name, value}) }
}

// WithTimeout says how long a call may take with all its attempts, if its context has no deadline.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetry says how calls are tried again; [DefaultRetry] without this.
func WithRetry(retry RetryPolicy) Option {
	return func(s *settings) { s.retry = retry }
}

// WithDialOptions sets what gRPC can do beyond this, such as interceptors and proxies.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

// NewClient makes a client of the server at a target, as "127.0.0.1:50051"; it connects with the
// first call. Close it.
func NewClient(target string, options ...Option) (*Client, error) {
	chosen := settings{
		credentials: insecure.NewCredentials(),
		headers:     metadata.MD{},
		timeout:     DefaultTimeout,
		retry:       DefaultRetry,
	}
	for _, option := range options {
		if option != nil {
			option(&chosen)
		}
	}
	if err := chosen.check(target); err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(target, append(dialOptions(&chosen), chosen.dial...)...)
	if err != nil {
		return nil, notATarget(target)
	}
	return &Client{newTransport(conn, chosen.timeout, chosen.retry), conn}, nil
}

// A match on a dead connection must be noticed, and a server that is back be found soon: by default
// gRPC never pings and lets up to two minutes pass between attempts to connect.
func dialOptions(s *settings) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(s.credentials),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{})),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time:    30 * time.Second,
			Timeout: 10 * time.Second,
		}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: grpcbackoff.Config{
				BaseDelay:  100 * time.Millisecond,
				Multiplier: 1.6,
				Jitter:     0.2,
				MaxDelay:   2 * time.Second,
			},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithChainUnaryInterceptor(unaryHeaders(s.headers)),
		grpc.WithChainStreamInterceptor(streamHeaders(s.headers)),
	}
}

func unaryHeaders(headers metadata.MD) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, answer any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		return invoke(withHeaders(ctx, headers), method, request, answer, conn, options...)
	}
}

func streamHeaders(headers metadata.MD) grpc.StreamClientInterceptor {
	return func(
		ctx context.Context, desc *grpc.StreamDesc,
		conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		return open(withHeaders(ctx, headers), desc, conn, method, options...)
	}
}

func withHeaders(ctx context.Context, headers metadata.MD) context.Context {
	if len(headers) == 0 {
		return ctx
	}
	own, _ := metadata.FromOutgoingContext(ctx)
	return metadata.NewOutgoingContext(ctx, metadata.Join(own, headers))
}

// Close closes the connection; calls still open, and all later ones, end with [ErrClosed]. A client
// that is closed may be closed again.
func (c *Client) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.conn.Close()
}

// Conn is the connection, for generated stubs: tablestatev1.NewMatchServiceClient(client.Conn()).
// Headers and the deterministic encoding hold there too, retries do not.
func (c *Client) Conn() grpc.ClientConnInterface { return c.conn }

// ServerInfo tells the server's version, the names of its games and its limits.
func (c *Client) ServerInfo(ctx context.Context) (*pb.GetServerInfoResponse, error) {
	return call(ctx, c.transport, c.catalog.GetServerInfo, &pb.GetServerInfoRequest{})
}

// Games lists the games with their options, bots and action index, by name.
func (c *Client) Games(ctx context.Context) ([]*pb.GameInfo, error) {
	answer, err := call(ctx, c.transport, c.catalog.ListGames, &pb.ListGamesRequest{})
	return answer.GetGames(), err
}

// Game tells of one game; [ErrNotFound].
func (c *Client) Game(ctx context.Context, game string) (*pb.GameInfo, error) {
	answer, err := call(ctx, c.transport, c.catalog.ListGames, &pb.ListGamesRequest{Game: game})
	if err != nil || len(answer.GetGames()) == 0 {
		return nil, err
	}
	return answer.GetGames()[0], nil
}

// CreateMatch creates a match. The options say which game: see [Offboard] and its siblings, or
// [DefaultOptions]. [*InvalidRequestError] for what is not acceptable.
func (c *Client) CreateMatch(
	ctx context.Context, options *pb.GameOptions, settings MatchSettings, mutate ...MutateOption,
) (*HostedMatch, error) {
	intent := intentOf(mutate)
	request := settings.request(intent)
	request.Options = options
	answer, err := mutated(ctx, c.transport, c.matches.CreateMatch, intent, request)
	return c.hosted(answer.GetMatch(), intent, err)
}

// ForkMatch creates a match that begins where another stood at a version, with its game and options.
// Refused with POSITION_HIDDEN for a position that hides something, unless the source has ended and
// reveals its secret.
func (c *Client) ForkMatch(
	ctx context.Context, matchID string, version uint64, settings MatchSettings, mutate ...MutateOption,
) (*HostedMatch, error) {
	intent := intentOf(mutate)
	request := &pb.ForkMatchRequest{
		Source: &pb.MatchVersion{MatchId: matchID, Version: version},
		Match:  settings.request(intent),
	}
	answer, err := mutated(ctx, c.transport, c.matches.ForkMatch, intent, request)
	return c.hosted(answer.GetMatch(), intent, err)
}

func (c *Client) hosted(match *pb.Match, intent Intent, err error) (*HostedMatch, error) {
	if err != nil {
		return nil, err
	}
	return c.Host(HostCredential{match.GetMatchId(), intent.Token}), nil
}

// Host goes on as the host of a match; no call is made.
func (c *Client) Host(credential HostCredential) *HostedMatch {
	return &HostedMatch{c.transport, credential}
}

// Player goes on as the player on a seat; no call is made.
func (c *Client) Player(credential SeatCredential) *SeatedPlayer {
	return newPlayer(c.transport, credential)
}

// Join takes a seat of a match, the lowest open one by default.
func (c *Client) Join(
	ctx context.Context, matchID string, options JoinOptions, mutate ...MutateOption,
) (*SeatedPlayer, error) {
	return join(ctx, c.transport, matchID, options, mutate)
}

// Match tells of a match as everybody sees it; [ErrNotFound]. With a minVersion above 0 it is at
// least at that version, or the call fails with [*VersionNotReachedError].
func (c *Client) Match(ctx context.Context, matchID string, minVersion uint64) (*pb.Match, error) {
	request := &pb.GetMatchRequest{MatchId: matchID, MinVersion: given(minVersion)}
	answer, err := call(ctx, c.transport, c.matches.GetMatch, request)
	return answer.GetMatch(), err
}

// ListOptions says which matches are listed; all by default.
type ListOptions struct {
	// Game: only matches of this game.
	Game string
	// Phases: only matches in these.
	Phases []pb.MatchPhase
	// PlayerID: only matches in which this player, by the operator's id, has a seat.
	PlayerID string
	// PageSize is how many are asked for at a time.
	PageSize uint32
}

// ListMatches yields matches, the newest first, asking for further pages as needed.
func (c *Client) ListMatches(ctx context.Context, options ListOptions) iter.Seq2[*pb.Match, error] {
	return func(yield func(*pb.Match, error) bool) {
		request := &pb.ListMatchesRequest{
			Game:     options.Game,
			Phases:   options.Phases,
			PlayerId: options.PlayerID,
			PageSize: options.PageSize,
		}
		for {
			page, err := call(ctx, c.transport, c.matches.ListMatches, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, match := range page.GetMatches() {
				if !yield(match, nil) {
					return
				}
			}
			if request.PageToken = page.GetNextPageToken(); request.PageToken == "" {
				return
			}
		}
	}
}

// View tells what a spectator may see, now or at a version.
func (c *Client) View(
	ctx context.Context, matchID string, options ViewOptions,
) (*pb.GetViewResponse, error) {
	return call(ctx, c.transport, c.matches.GetView, options.request(matchID, nil))
}

// Replay returns a whole match as a spectator may know it; with the full record if it has ended.
func (c *Client) Replay(ctx context.Context, matchID string) (*Replay, error) {
	return replay(ctx, c.transport, &pb.GetReplayRequest{MatchId: matchID})
}

// VerifyReplay has the server check the stored log of a match, and tells how far it holds.
func (c *Client) VerifyReplay(
	ctx context.Context, matchID string,
) (*pb.VerifyReplayResponse, error) {
	request := &pb.VerifyReplayRequest{MatchId: matchID}
	return callLong(ctx, c.transport, c.matches.VerifyReplay, request)
}

// ReplaceSeatToken gives a player's seat another token, that of the intent, and returns the seat with
// it. The old one is worth nothing any more. For operators.
func (c *Client) ReplaceSeatToken(
	ctx context.Context, matchID string, seat uint32, mutate ...MutateOption,
) (*SeatedPlayer, error) {
	intent := intentOf(mutate)
	request := &pb.ReplaceSeatTokenRequest{
		RequestId: intent.RequestID, MatchId: matchID, Seat: &seat, NewSeatToken: intent.Token,
	}
	_, err := mutated(ctx, c.transport, c.matches.ReplaceSeatToken, intent, request)
	if err != nil {
		return nil, err
	}
	return c.Player(SeatCredential{MatchID: matchID, Seat: seat, Token: intent.Token}), nil
}

// RevokeSeatToken takes a player's seat its token away: nobody can act for it until it gets another.
// For operators.
func (c *Client) RevokeSeatToken(
	ctx context.Context, matchID string, seat uint32, mutate ...MutateOption,
) (*pb.MatchUpdate, error) {
	intent := intentOf(mutate)
	request := &pb.RevokeSeatTokenRequest{RequestId: intent.RequestID, MatchId: matchID, Seat: &seat}
	answer, err := mutated(ctx, c.transport, c.matches.RevokeSeatToken, intent, request)
	return answer.GetUpdate(), err
}

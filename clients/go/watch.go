package tablestate

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// WatchOptions says how a watch begins, and what its updates carry.
type WatchOptions struct {
	// AfterVersion: entries after this version are sent; 0: all.
	AfterVersion uint64
	// View and LegalActions say whether updates carry these.
	View         bool
	LegalActions bool
	// OnBreak is told the error each time that the stream has broken and is about to be opened anew.
	OnBreak func(error)
}

// Watched is what can be watched: [Spectated], a [SeatCredential], or [From] a version.
type Watched interface {
	subscription(WatchOptions) *pb.WatchSubscription
}

// Spectated is a match, by its id, as a spectator sees it.
type Spectated string

func (s Spectated) subscription(options WatchOptions) *pb.WatchSubscription {
	return &pb.WatchSubscription{
		MatchId:             string(s),
		AfterVersion:        options.AfterVersion,
		IncludeView:         options.View,
		IncludeLegalActions: options.LegalActions,
	}
}

func (c SeatCredential) subscription(options WatchOptions) *pb.WatchSubscription {
	subscription := Spectated(c.MatchID).subscription(options)
	subscription.SeatToken = c.Token
	return subscription
}

// From watches a match after a version of its own, whatever the options of the watch say.
func From(watched Watched, afterVersion uint64) Watched { return from{watched, afterVersion} }

type from struct {
	Watched
	after uint64
}

func (f from) subscription(options WatchOptions) *pb.WatchSubscription {
	options.AfterVersion = f.after
	return f.Watched.subscription(options)
}

// Watch yields every entry of the matches once and in order. A broken stream is opened anew where it
// broke. It ends when all matches have ended, and with an error if it cannot go on.
func (c *Client) Watch(
	ctx context.Context, options WatchOptions, watched ...Watched,
) iter.Seq2[*pb.MatchUpdate, error] {
	return c.watch(ctx, options, watched)
}

func (t *transport) watch(
	ctx context.Context, options WatchOptions, watched []Watched,
) iter.Seq2[*pb.MatchUpdate, error] {
	return func(yield func(*pb.MatchUpdate, error) bool) {
		cursor, err := begun(options, watched)
		if err != nil {
			yield(nil, err)
			return
		}
		updates := resumed(ctx, t, resumable[*pb.MatchUpdate]{
			open: func(ctx context.Context) (func() (*pb.MatchUpdate, error), error) {
				stream, err := t.matches.WatchMatches(ctx, cursor.request())
				return func() (*pb.MatchUpdate, error) {
					part, err := stream.Recv()
					return part.GetUpdate(), err
				}, err
			},
			accept:  cursor.accept,
			isDone:  cursor.isDone,
			onBreak: options.OnBreak,
		})
		updates(yield)
	}
}

// HasEnded tells whether a phase is a match's last.
func HasEnded(phase pb.MatchPhase) bool {
	return phase == pb.MatchPhase_MATCH_PHASE_OVER || phase == pb.MatchPhase_MATCH_PHASE_ABORTED
}

// cursor is the versions reached of all watched matches that have not ended.
type cursor struct {
	reached map[string]*pb.WatchSubscription
}

func newCursor() *cursor { return &cursor{map[string]*pb.WatchSubscription{}} }

// begun is where a watch begins; it refuses what is no match, and the same one twice.
func begun(options WatchOptions, watched []Watched) (*cursor, error) {
	if len(watched) == 0 {
		return nil, refusal("watched", "must be one match or more")
	}
	cursor := newCursor()
	for place, each := range watched {
		if nothing, is := each.(from); each == nil || is && nothing.Watched == nil {
			return nil, refusal(fmt.Sprintf("watched[%d]", place), "must not be nil")
		}
		if credential, is := each.(SeatCredential); is {
			if err := credential.check(); err != nil {
				return nil, err
			}
		}
		subscription := each.subscription(options)
		if id := subscription.GetMatchId(); cursor.reached[id] != nil {
			return nil, refusal("watched", cut(fmt.Sprintf("%q", id))+": must be named once")
		}
		cursor.begin(subscription)
	}
	return cursor, nil
}

func (c *cursor) begin(subscription *pb.WatchSubscription) {
	c.reached[subscription.GetMatchId()] = subscription
}

func (c *cursor) isDone() bool { return len(c.reached) == 0 }

// request goes on from here.
func (c *cursor) request() *pb.WatchMatchesRequest {
	request := &pb.WatchMatchesRequest{}
	for _, id := range slices.Sorted(maps.Keys(c.reached)) {
		request.Subscriptions = append(request.Subscriptions, proto.CloneOf(c.reached[id]))
	}
	return request
}

// accept moves on over an update; false if it was seen already. If versions before it are missing the
// stream is as good as broken and has to be opened anew.
func (c *cursor) accept(update *pb.MatchUpdate) (bool, error) {
	watched := c.reached[update.GetMatchId()]
	if watched == nil || update.GetVersion() <= watched.GetAfterVersion() {
		return false, nil
	}
	if update.GetVersion() != watched.GetAfterVersion()+1 {
		return false, &CallError{Code: codes.Unavailable, Message: fmt.Sprintf(
			"the watch of match %s went from version %d to %d",
			update.GetMatchId(), watched.GetAfterVersion(), update.GetVersion(),
		)}
	}
	watched.AfterVersion = update.GetVersion()
	if HasEnded(update.GetPhase()) {
		delete(c.reached, update.GetMatchId())
	}
	return true, nil
}

// FeedOptions says which news are wanted, and from where on.
type FeedOptions struct {
	// Secret is the server's feed secret; not needed with an operator's key.
	Secret string
	// Tenant is the one whose matches are told of.
	Tenant string
	// Cursor is that of the last item that was received; "": from the first on.
	Cursor string
	// OnBreak is told the error each time that the stream has broken and is about to be opened anew.
	OnBreak func(error)
}

// WatchFeed yields what happens to all matches of a tenant: created, a player's turn, ended; each
// once, in one order. It ends with an error only, as when the server was away for longer than
// RetryPolicy.WatchPatience. For operators.
func (c *Client) WatchFeed(
	ctx context.Context, options FeedOptions,
) iter.Seq2[*pb.WatchFeedResponse, error] {
	return func(yield func(*pb.WatchFeedResponse, error) bool) {
		cursor := options.Cursor
		news := resumed(ctx, c.transport, resumable[*pb.WatchFeedResponse]{
			open: func(ctx context.Context) (func() (*pb.WatchFeedResponse, error), error) {
				request := &pb.WatchFeedRequest{
					FeedSecret: options.Secret, Tenant: options.Tenant, Cursor: cursor,
				}
				stream, err := c.matches.WatchFeed(ctx, request)
				return func() (*pb.WatchFeedResponse, error) { return stream.Recv() }, err
			},
			accept: func(news *pb.WatchFeedResponse) (bool, error) {
				cursor = news.GetCursor()
				return true, nil
			},
			isDone:  func() bool { return false },
			onBreak: options.OnBreak,
		})
		news(yield)
	}
}

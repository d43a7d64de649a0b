package tablestate

import (
	"context"
	"iter"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// MatchSettings is what a host settles of a match; what is left out takes the server's default.
type MatchSettings struct {
	// OnLeave says what becomes of a seat whose player leaves.
	OnLeave pb.AbsencePolicy
	// OnTimeout says what becomes of a seat whose time is up.
	OnTimeout pb.AbsencePolicy
	// RevealPolicy says whether the seed is published at the end.
	RevealPolicy pb.RevealPolicy
	// StartPolicy says when the match starts.
	StartPolicy pb.StartPolicy
	// Seating says who sits where. RANDOM: all seats are drawn when the match starts.
	Seating pb.Seating
	// Metadata is the operator's own.
	Metadata map[string]string
	// Tenant is the operator's name for whom the match belongs to.
	Tenant string
	// TimeControl says how much time players have.
	TimeControl *pb.TimeControl
	// WaitingLimit is how long the match waits for its start.
	WaitingLimit time.Duration
	// EntropyLimit is how long entropies are awaited, when all seats are taken.
	EntropyLimit time.Duration
	// Visibility says who finds the match and may join it.
	Visibility pb.Visibility
	// InvitationCode is for a match by invitation: made by [NewInvitationCode].
	InvitationCode string
	// SpectatorPolicy says who may look on without a seat.
	SpectatorPolicy pb.SpectatorPolicy
	// SpectatorDelay is how much later spectators see what happens.
	SpectatorDelay time.Duration
}

func (s MatchSettings) request(intent Intent) *pb.CreateMatchRequest {
	return &pb.CreateMatchRequest{
		RequestId:       intent.RequestID,
		HostToken:       intent.Token,
		OnLeave:         s.OnLeave,
		OnTimeout:       s.OnTimeout,
		RevealPolicy:    s.RevealPolicy,
		StartPolicy:     s.StartPolicy,
		Seating:         s.Seating,
		Metadata:        s.Metadata,
		Tenant:          s.Tenant,
		TimeControl:     s.TimeControl,
		WaitingLimit:    duration(s.WaitingLimit),
		EntropyLimit:    duration(s.EntropyLimit),
		Visibility:      s.Visibility,
		InvitationCode:  s.InvitationCode,
		SpectatorPolicy: s.SpectatorPolicy,
		SpectatorDelay:  duration(s.SpectatorDelay),
	}
}

func duration(given time.Duration) *durationpb.Duration {
	if given == 0 {
		return nil
	}
	return durationpb.New(given)
}

// JoinOptions says who joins, and where.
type JoinOptions struct {
	// Seat is the seat to take, by [Seat]; nil: the lowest open one. None can be named where seats
	// are drawn.
	Seat *uint32
	// DisplayName is a name to show.
	DisplayName string
	// PlayerID is the operator's id of the player.
	PlayerID string
	// Entropy says whether the seat adds random bytes of its own to the chance of the match, so that
	// not even the server can have chosen it. Watch and Play reveal them when it is due.
	Entropy bool
	// InvitationCode is for a match by invitation.
	InvitationCode string
}

// HostedMatch is a match in the hands of whoever created it: see [Client.CreateMatch],
// [Client.ForkMatch] and [Client.Host].
type HostedMatch struct {
	t          *transport
	credential HostCredential
}

// ID is the match's id, to be given to players.
func (m *HostedMatch) ID() string { return m.credential.MatchID }

// String names the match, and not the secret.
func (m *HostedMatch) String() string { return m.credential.String() }

// GoString is as String, for %#v.
func (m *HostedMatch) GoString() string { return m.String() }

// Credential is the key to the match, to be kept over a restart, and from others.
func (m *HostedMatch) Credential() HostCredential { return m.credential }

// Get tells of the match as its host sees it: with metadata and player ids.
func (m *HostedMatch) Get(ctx context.Context) (*pb.Match, error) {
	if err := m.credential.check(); err != nil {
		return nil, err
	}
	request := &pb.GetMatchRequest{MatchId: m.ID(), HostToken: m.credential.Token}
	answer, err := call(ctx, m.t, m.t.matches.GetMatch, request)
	return answer.GetMatch(), err
}

// Join takes a seat oneself.
func (m *HostedMatch) Join(
	ctx context.Context, options JoinOptions, mutate ...MutateOption,
) (*SeatedPlayer, error) {
	return join(ctx, m.t, m.ID(), options, mutate)
}

// AddBot puts a bot (one of GameInfo.bots) on a seat, by [Seat]; nil: the lowest open one.
func (m *HostedMatch) AddBot(
	ctx context.Context, bot string, seat *uint32, mutate ...MutateOption,
) (*pb.AddBotResponse, error) {
	intent := intentOf(mutate)
	request := &pb.AddBotRequest{
		RequestId: intent.RequestID, MatchId: m.ID(), HostToken: m.credential.Token, Bot: bot, Seat: seat,
	}
	return mutated(ctx, m.t, m.t.matches.AddBot, intent, request)
}

// Start starts a match that was created to be started by its host.
func (m *HostedMatch) Start(ctx context.Context, mutate ...MutateOption) (*pb.MatchUpdate, error) {
	intent := intentOf(mutate)
	request := &pb.StartMatchRequest{
		RequestId: intent.RequestID, MatchId: m.ID(), HostToken: m.credential.Token,
	}
	answer, err := mutated(ctx, m.t, m.t.matches.StartMatch, intent, request)
	return answer.GetUpdate(), err
}

// Abort ends the match without an outcome.
func (m *HostedMatch) Abort(ctx context.Context, mutate ...MutateOption) (*pb.MatchUpdate, error) {
	intent := intentOf(mutate)
	request := &pb.AbortMatchRequest{
		RequestId: intent.RequestID, MatchId: m.ID(), HostToken: m.credential.Token,
	}
	answer, err := mutated(ctx, m.t, m.t.matches.AbortMatch, intent, request)
	return answer.GetUpdate(), err
}

// Watch yields every entry once and in order, as a spectator.
func (m *HostedMatch) Watch(
	ctx context.Context, options WatchOptions,
) iter.Seq2[*pb.MatchUpdate, error] {
	return m.t.watch(ctx, options, []Watched{Spectated(m.ID())})
}

func join(
	ctx context.Context, t *transport, matchID string, options JoinOptions, mutate []MutateOption,
) (*SeatedPlayer, error) {
	intent := intentOf(mutate)
	request := &pb.JoinMatchRequest{
		RequestId:      intent.RequestID,
		MatchId:        matchID,
		SeatToken:      intent.Token,
		Seat:           options.Seat,
		DisplayName:    options.DisplayName,
		PlayerId:       options.PlayerID,
		InvitationCode: options.InvitationCode,
	}
	var promised []byte
	if options.Entropy {
		promised = intent.Entropy
		request.EntropyHash = EntropyHash(matchID, promised)
	}
	answer, err := mutated(ctx, t, t.matches.JoinMatch, intent, request)
	if err != nil {
		return nil, err
	}
	return newPlayer(t, SeatCredential{matchID, answer.GetSeat(), intent.Token, promised}), nil
}

package tablestate

import (
	"context"
	"iter"
	"slices"
	"sync"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// ViewOptions says which view is wanted, and what comes with it.
type ViewOptions struct {
	// Version is the one at which the view is shown; 0: now.
	Version uint64
	// MinVersion is the least that the answer shows, or the call fails with [*VersionNotReachedError].
	MinVersion uint64
	// LegalActions and Observation say whether these come with it.
	LegalActions bool
	Observation  bool
}

func (o ViewOptions) request(matchID string, token []byte) *pb.GetViewRequest {
	return &pb.GetViewRequest{
		MatchId:             matchID,
		SeatToken:           token,
		Version:             given(o.Version),
		MinVersion:          given(o.MinVersion),
		IncludeLegalActions: o.LegalActions,
		IncludeObservation:  o.Observation,
	}
}

// SubmitOptions says how an action is submitted.
type SubmitOptions struct {
	// ExpectedVersion is the one the decision was made on; [*StaleVersionError] if it is not the
	// last. 0: not checked.
	ExpectedVersion uint64
	// View and LegalActions say whether the answer holds these.
	View         bool
	LegalActions bool
}

// SeatedPlayer is a seat of a match in the hands of its player: see Join and [Client.Player]. It may
// be used by many goroutines.
type SeatedPlayer struct {
	t          *transport
	lock       sync.Mutex
	credential SeatCredential
}

func newPlayer(t *transport, credential SeatCredential) *SeatedPlayer {
	return &SeatedPlayer{t: t, credential: credential}
}

// String names the seat, and not the secret.
func (p *SeatedPlayer) String() string { return p.Credential().String() }

// GoString is as String, for %#v.
func (p *SeatedPlayer) GoString() string { return p.String() }

// Credential is the key to the seat, to be kept over a restart, and from others.
func (p *SeatedPlayer) Credential() SeatCredential {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.credential
}

// MatchID is the match's id.
func (p *SeatedPlayer) MatchID() string { return p.Credential().MatchID }

// Seat is the place at the table, from 0, as far as this handle knows. Where seats are drawn (RANDOM)
// it is another one from the start on: View, Watch, Play and Submit learn it.
func (p *SeatedPlayer) Seat() uint32 { return p.Credential().Seat }

// sit takes note of the seat that was drawn, if one is told.
func (p *SeatedPlayer) sit(seat *uint32) {
	if seat != nil {
		p.lock.Lock()
		defer p.lock.Unlock()
		p.credential.Seat = *seat
	}
}

// Get tells of the match as it is now, also where spectators see it later or not at all.
func (p *SeatedPlayer) Get(ctx context.Context) (*pb.Match, error) {
	key := p.Credential()
	if err := key.check(); err != nil {
		return nil, err
	}
	request := &pb.GetMatchRequest{MatchId: key.MatchID, SeatToken: key.Token}
	answer, err := call(ctx, p.t, p.t.matches.GetMatch, request)
	return answer.GetMatch(), err
}

// View tells what the seat may see, now or at a version.
func (p *SeatedPlayer) View(ctx context.Context, options ViewOptions) (*pb.GetViewResponse, error) {
	key := p.Credential()
	if err := key.check(); err != nil {
		return nil, err
	}
	answer, err := call(ctx, p.t, p.t.matches.GetView, options.request(key.MatchID, key.Token))
	if answer != nil {
		p.sit(answer.Seat)
	}
	return answer, err
}

// LegalActions lists the seat's legal actions (none when another must decide) and their version. With
// a minVersion above 0 they are of that version or a later one.
func (p *SeatedPlayer) LegalActions(
	ctx context.Context, minVersion uint64,
) (*pb.ListLegalActionsResponse, error) {
	key := p.Credential()
	request := &pb.ListLegalActionsRequest{
		MatchId: key.MatchID, SeatToken: key.Token, MinVersion: given(minVersion),
	}
	return call(ctx, p.t, p.t.matches.ListLegalActions, request)
}

// Submit takes an action: see [Notation], [Index], [Typed] and [Chosen]. When this returns, it is
// stored. [*IllegalActionError], [*NotTheActorError], [*MatchPhaseError], [*StaleVersionError].
func (p *SeatedPlayer) Submit(
	ctx context.Context, action *pb.ActionChoice, options SubmitOptions, mutate ...MutateOption,
) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.SubmitActionRequest{
		RequestId:           intent.RequestID,
		MatchId:             key.MatchID,
		SeatToken:           key.Token,
		ExpectedVersion:     given(options.ExpectedVersion),
		Choice:              action,
		IncludeView:         options.View,
		IncludeLegalActions: options.LegalActions,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.SubmitAction, intent, request)
	return p.learned(answer.GetUpdate()), err
}

func (p *SeatedPlayer) learned(update *pb.MatchUpdate) *pb.MatchUpdate {
	if update != nil {
		p.sit(update.YourSeat)
	}
	return update
}

// Resign forfeits.
func (p *SeatedPlayer) Resign(ctx context.Context, mutate ...MutateOption) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.ResignRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.Resign, intent, request)
	return answer.GetUpdate(), err
}

// Leave gives the seat up; after the start the match's OnLeave says what becomes of it.
func (p *SeatedPlayer) Leave(ctx context.Context, mutate ...MutateOption) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.LeaveSeatRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.LeaveSeat, intent, request)
	return answer.GetUpdate(), err
}

// Rematch plays the match, which has ended, again, and returns one's seat there. Terms are the same
// and seats are moved on by one. It starts when all players have called this.
func (p *SeatedPlayer) Rematch(
	ctx context.Context, mutate ...MutateOption,
) (*SeatedPlayer, error) {
	intent, key := intentOf(mutate), p.Credential()
	// An intent's entropy serves as the second token: new, random, and the same for a retry.
	request := &pb.RematchRequest{
		RequestId:    intent.RequestID,
		MatchId:      key.MatchID,
		SeatToken:    key.Token,
		NewSeatToken: intent.Token,
		NewHostToken: intent.Entropy,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.Rematch, intent, request)
	if err != nil {
		return nil, err
	}
	credential := SeatCredential{
		MatchID: answer.GetMatch().GetMatchId(), Seat: answer.GetSeat(), Token: intent.Token,
	}
	return newPlayer(p.t, credential), nil
}

// ClaimTimeout says that the seat which must decide is out of time; for matches where players claim it.
func (p *SeatedPlayer) ClaimTimeout(
	ctx context.Context, mutate ...MutateOption,
) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.ClaimTimeoutRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.ClaimTimeout, intent, request)
	return answer.GetUpdate(), err
}

// Propose proposes a draw, taking actions back, or a pause; the version of the update is what answers
// name. undoTo is for UNDO alone: the version to go back to; 0: that before one's own last action.
func (p *SeatedPlayer) Propose(
	ctx context.Context, kind pb.ProposalKind, undoTo uint64, mutate ...MutateOption,
) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.ProposeRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
		Kind: kind, UndoTo: given(undoTo),
	}
	answer, err := mutated(ctx, p.t, p.t.matches.Propose, intent, request)
	return answer.GetUpdate(), err
}

// Respond accepts or declines what was proposed, or withdraws what one has proposed oneself.
func (p *SeatedPlayer) Respond(
	ctx context.Context, proposalVersion uint64, accept bool, mutate ...MutateOption,
) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.RespondRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
		ProposalVersion: proposalVersion, Accept: accept,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.Respond, intent, request)
	return answer.GetUpdate(), err
}

// Resume ends a pause.
func (p *SeatedPlayer) Resume(ctx context.Context, mutate ...MutateOption) (*pb.MatchUpdate, error) {
	intent, key := intentOf(mutate), p.Credential()
	request := &pb.ResumeMatchRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token,
	}
	answer, err := mutated(ctx, p.t, p.t.matches.ResumeMatch, intent, request)
	return answer.GetUpdate(), err
}

// RevealEntropy reveals what the seat has promised to add to the chance of the match, if it is due.
// Watch and Play do it by themselves; else call it when an update, or the match, names the seat in
// entropy_awaited.
func (p *SeatedPlayer) RevealEntropy(ctx context.Context) error {
	return reveal(ctx, p.t, p.Credential())
}

// Watch yields every entry after a version once and in order, as the seat may know it.
func (p *SeatedPlayer) Watch(
	ctx context.Context, options WatchOptions,
) iter.Seq2[*pb.MatchUpdate, error] {
	return func(yield func(*pb.MatchUpdate, error) bool) {
		for update, err := range p.t.watch(ctx, options, []Watched{p.Credential()}) {
			if err == nil {
				p.learned(update)
				err = revealIfDue(ctx, p.t, p.Credential(), update)
			}
			if !yield(update, err) || err != nil {
				return
			}
		}
	}
}

// IsTurn tells whether the seat must decide after an update of its match.
func (p *SeatedPlayer) IsTurn(update *pb.MatchUpdate) bool {
	return slices.Contains(update.GetActors(), p.Seat())
}

// VerifyReplay has the server check the stored log of the match as it is now, also where spectators
// see it later or not at all.
func (p *SeatedPlayer) VerifyReplay(ctx context.Context) (*pb.VerifyReplayResponse, error) {
	key := p.Credential()
	if err := key.check(); err != nil {
		return nil, err
	}
	request := &pb.VerifyReplayRequest{MatchId: key.MatchID, SeatToken: key.Token}
	return callLong(ctx, p.t, p.t.matches.VerifyReplay, request)
}

// Replay returns the whole match so far, as the seat may know it.
func (p *SeatedPlayer) Replay(ctx context.Context) (*Replay, error) {
	key := p.Credential()
	if err := key.check(); err != nil {
		return nil, err
	}
	return replay(ctx, p.t, &pb.GetReplayRequest{MatchId: key.MatchID, SeatToken: key.Token})
}

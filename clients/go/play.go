package tablestate

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// PlayOptions says how a play begins, and what its updates carry.
type PlayOptions struct {
	// AfterVersion: entries after this version are sent, all after 0; nil: the last one and all after.
	AfterVersion *uint64
	// View says whether updates carry the view; NoLegalActions that they leave out the legal actions.
	View           bool
	NoLegalActions bool
	// OnBreak is told the error each time that the stream has broken and is about to be opened anew.
	OnBreak func(error)
}

// Play is a seat that is played over one stream: its turns come in, its actions go out. A broken
// stream is opened anew where it broke, and an action that has no answer yet is sent again: it has
// one effect. Close it. For one goroutine at a time.
type Play struct {
	ctx     context.Context
	player  *SeatedPlayer
	begin   *pb.PlayBegin
	onBreak func(error)
	backoff *backoff
	stream  pb.MatchService_PlayClient
	cancel  context.CancelFunc
	cursor  *cursor
	untold  []*pb.MatchUpdate
	pending *pb.PlayRequest
	version uint64
	ended   bool
}

// Play prepares to play the seat; the first use opens the stream. It lives as long as the context.
func (p *SeatedPlayer) Play(ctx context.Context, options PlayOptions) *Play {
	key := p.Credential()
	return &Play{
		ctx:    ctx,
		player: p,
		begin: &pb.PlayBegin{
			MatchId:             key.MatchID,
			SeatToken:           key.Token,
			AfterVersion:        options.AfterVersion,
			IncludeView:         options.View,
			IncludeLegalActions: !options.NoLegalActions,
		},
		onBreak: options.OnBreak,
		backoff: newStreamBackoff(p.t.retry, p.t.world),
	}
}

// Close ends the stream; the seat stays what it is.
func (p *Play) Close() {
	p.ended = true
	p.drop()
}

// Turns yields the updates after which the seat must decide.
func (p *Play) Turns() iter.Seq2[*pb.MatchUpdate, error] {
	return func(yield func(*pb.MatchUpdate, error) bool) {
		for update, err := range p.Updates() {
			if err == nil && !p.player.IsTurn(update) {
				continue
			}
			if !yield(update, err) {
				return
			}
		}
	}
}

// Updates yields every entry once, in order, to the end of the match.
func (p *Play) Updates() iter.Seq2[*pb.MatchUpdate, error] {
	return func(yield func(*pb.MatchUpdate, error) bool) {
		for {
			update, err := p.next()
			if update == nil && err == nil {
				return
			}
			if !yield(update, err) || err != nil {
				return
			}
		}
	}
}

// Act takes an action, and returns the version of its entry, whose update comes as well. It is taken
// at the version of the last update that was given out. [*IllegalActionError], [*NotTheActorError],
// [*MatchPhaseError]; [*StaleVersionError] if the match has moved on. The play goes on after each.
func (p *Play) Act(action *pb.ActionChoice, mutate ...MutateOption) (uint64, error) {
	intent := intentOf(mutate)
	sent := &pb.PlayAction{
		RequestId: intent.RequestID, ExpectedVersion: given(p.version), Choice: action,
	}
	return p.ask(&pb.PlayRequest{Message: &pb.PlayRequest_Action{Action: sent}}, intent)
}

// Resign forfeits, and returns the version of the entry.
func (p *Play) Resign(mutate ...MutateOption) (uint64, error) {
	intent := intentOf(mutate)
	sent := &pb.PlayResign{RequestId: intent.RequestID}
	return p.ask(&pb.PlayRequest{Message: &pb.PlayRequest_Resign{Resign: sent}}, intent)
}

// next is the next update; nil after the last one.
func (p *Play) next() (*pb.MatchUpdate, error) {
	for len(p.untold) == 0 && !p.ended {
		if _, err := p.take(); err != nil {
			return nil, err
		}
	}
	if len(p.untold) == 0 {
		p.drop()
		return nil, nil
	}
	update := p.untold[0]
	p.untold = slices.Delete(p.untold, 0, 1)
	p.version = update.GetVersion()
	p.player.learned(update)
	return update, revealIfDue(p.ctx, p.player.t, p.player.Credential(), update)
}

// ask sends a request, and waits for its answer, however many streams that takes.
func (p *Play) ask(request *pb.PlayRequest, intent Intent) (uint64, error) {
	p.pending = request
	defer func() { p.pending = nil }()
	if p.stream != nil {
		// What an error of sending means is told when the answer is received.
		_ = p.stream.Send(request)
	}
	for !p.ended {
		answer, err := p.take()
		if err != nil {
			return 0, withIntent(err, intent)
		}
		if answer != nil {
			if refused := answer.GetRefusal(); refused != nil {
				return 0, withIntent(fromRefusal(refused), intent)
			}
			return answer.GetVersion(), nil
		}
	}
	return p.askApart(request, intent)
}

// askApart asks by a call of its own, since there is no stream after the match's end.
func (p *Play) askApart(request *pb.PlayRequest, intent Intent) (uint64, error) {
	var update *pb.MatchUpdate
	var err error
	if action := request.GetAction(); action != nil {
		options := SubmitOptions{ExpectedVersion: action.GetExpectedVersion()}
		update, err = p.player.Submit(p.ctx, action.GetChoice(), options, WithIntent(intent))
	} else {
		update, err = p.player.Resign(p.ctx, WithIntent(intent))
	}
	return update.GetVersion(), err
}

// take takes in what comes next; it returns the answer to what is pending, if it is that.
func (p *Play) take() (*pb.PlayAnswer, error) {
	response, err := p.receive()
	if err == nil {
		err = p.accept(response.GetUpdate())
	}
	if err != nil {
		return nil, p.broken(err)
	}
	p.backoff.reset()
	answer := response.GetAnswer()
	if answer == nil || p.pending == nil || answer.GetRequestId() != p.pendingID() {
		return nil, nil
	}
	return answer, nil
}

func (p *Play) receive() (*pb.PlayResponse, error) {
	if p.stream == nil {
		if err := p.open(); err != nil {
			return nil, err
		}
	}
	return p.stream.Recv()
}

// open opens a stream where the last one broke, and sends again what has no answer.
func (p *Play) open() error {
	p.backoff.open()
	ctx, cancel := context.WithCancel(p.ctx)
	stream, err := p.player.t.matches.Play(ctx)
	if err != nil {
		cancel()
		return err
	}
	p.stream, p.cancel = stream, cancel
	// What an error of sending means is told when the answer is received.
	_ = stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Begin{Begin: p.begin}})
	if p.pending != nil {
		_ = stream.Send(p.pending)
	}
	return nil
}

func (p *Play) pendingID() string {
	if action := p.pending.GetAction(); action != nil {
		return action.GetRequestId()
	}
	return p.pending.GetResign().GetRequestId()
}

// accept keeps an update, unless it was seen.
func (p *Play) accept(update *pb.MatchUpdate) error {
	if update == nil {
		return nil
	}
	if p.cursor == nil {
		p.cursor = newCursor()
		p.cursor.begin(&pb.WatchSubscription{
			MatchId: update.GetMatchId(), AfterVersion: update.GetVersion() - 1,
		})
	}
	isNew, err := p.cursor.accept(update)
	if err != nil {
		return err
	}
	if isNew {
		version := update.GetVersion()
		p.begin.AfterVersion = &version
		p.untold = append(p.untold, update)
	}
	if p.cursor.isDone() && p.pending == nil {
		p.ended = true
	}
	return nil
}

// broken notes that the stream has ended; an error if there is to be no other.
func (p *Play) broken(err error) error {
	p.drop()
	if errors.Is(err, io.EOF) { // the server says that the match has ended
		p.ended = true
		return nil
	}
	return p.player.t.pauseAfter(p.ctx, p.backoff, err, p.onBreak)
}

func (p *Play) drop() {
	if p.stream != nil {
		p.cancel()
		p.stream = nil
	}
}

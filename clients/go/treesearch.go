package tablestate

import (
	"context"
	"errors"
	"fmt"
	"io"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// TreeSearch is trees that grow on the server, one for each root, with the caller as their judge.
// The server forgets them when the stream ends. For one goroutine at a time. Close it.
type TreeSearch struct {
	// Shape tells how wide the parts of leaves and report are; its Size is the number of roots.
	Shape *pb.BatchShape

	t      *transport
	ctx    context.Context
	cancel context.CancelFunc
	closed bool
	stream pb.EngineService_EvaluateClient
	next   *pb.EvaluateResponse
	leaves *Leaves
	found  *Found
}

// Leaves are positions that a search asks about, imagined from what the root's seat sees.
type Leaves struct {
	// Roots: for each leaf the number of its root.
	Roots []uint32
	// Actors: for each leaf the seat that must decide.
	Actors []byte
	// Masks: for each leaf Shape.MaskBytes bytes: bit i = index i, least significant first.
	Masks []byte
	// Observations: for each leaf Shape.ObservationBytes bytes, of its actor.
	Observations []byte
}

// Found is what a search has found.
type Found struct {
	// Visits: for each root and each index of actions how many simulations began with it.
	Visits []uint32
	// Values: for each root and each index the mean return of the root's actor after it.
	Values []float32
	// Returns: for each root the mean return of each seat.
	Returns []float32
	// Lines: for each root the line that was gone most often, as indices of actions.
	Lines [][]uint32
}

// Evaluate begins a tree search at each of the roots, whose leaves the caller judges. It lives as
// long as the context. [*InvalidRequestError] for what is not acceptable.
func (c *Client) Evaluate(ctx context.Context, open *pb.OpenEvaluate) (*TreeSearch, error) {
	own, cancel := context.WithCancel(ctx)
	search := &TreeSearch{t: c.transport, ctx: ctx, cancel: cancel}
	if err := search.open(own, c.engine, open); err != nil {
		cancel()
		return nil, err
	}
	return search, nil
}

func (s *TreeSearch) open(
	ctx context.Context, engine pb.EngineServiceClient, open *pb.OpenEvaluate,
) error {
	stream, err := engine.Evaluate(ctx)
	if err != nil {
		return s.failed(err)
	}
	s.stream = stream
	if err := s.send(&pb.EvaluateRequest{Step: &pb.EvaluateRequest_Open{Open: open}}); err != nil {
		return err
	}
	s.next, err = s.receive()
	s.Shape = s.next.GetShape()
	return err
}

// Close ends the stream, and with it the search.
func (s *TreeSearch) Close() {
	s.closed = true
	s.cancel()
}

// Leaves waits for the leaves of the next round; nil when all simulations were made. Leaves that
// wait for an answer are given again.
func (s *TreeSearch) Leaves() (*Leaves, error) {
	if s.leaves != nil || s.found != nil {
		return s.leaves, nil
	}
	response := s.next
	if s.next = nil; response == nil {
		var err error
		if response, err = s.receive(); err != nil {
			return nil, err
		}
	}
	if report := response.GetReport(); report != nil {
		s.found = foundIn(report)
		return nil, nil
	}
	told := response.GetLeaves()
	s.leaves = &Leaves{
		Roots: words(told.GetRoots()), Actors: told.GetActors(),
		Masks: told.GetMasks(), Observations: told.GetObservations(),
	}
	return s.leaves, nil
}

// Legal lists the indices of the legal actions of a leaf, rising; none of a leaf that there is not.
func (s *TreeSearch) Legal(leaves *Leaves, leaf int) []uint32 {
	var legal []uint32
	width := int(s.Shape.GetMaskBytes())
	if leaf < 0 || (leaf+1)*width > len(leaves.Masks) {
		return nil
	}
	for index := range s.Shape.GetActions() {
		if leaves.Masks[leaf*width+int(index/8)]>>(index%8)&1 == 1 {
			legal = append(legal, index)
		}
	}
	return legal
}

// Priors of one message: with its values it must not be longer than servers take.
const mostPriors = 512 * 1024

// Answer tells what the caller thinks of the last leaves. priors has for each leaf a number for each
// of its legal actions, by rising index: how promising it is, from 0 on; they need not add up to 1.
// values has for each leaf the return, -1 to 1, that its actor may expect, or that each seat may.
func (s *TreeSearch) Answer(priors [][]float32, values []float32) error {
	if s.leaves == nil {
		return refusal("priors", "must not be given, as no leaves wait for an answer")
	}
	if err := s.checkAnswer(priors, values); err != nil {
		return err
	}
	var rest []byte
	for _, each := range priors {
		rest = append(rest, packFloats(each)...)
	}
	for len(rest) > mostPriors {
		if err := s.answer(&pb.LeafAnswers{Priors: rest[:mostPriors], More: true}); err != nil {
			return err
		}
		rest = rest[mostPriors:]
	}
	s.leaves = nil
	return s.answer(&pb.LeafAnswers{Priors: rest, Values: packFloats(values)})
}

func (s *TreeSearch) checkAnswer(priors [][]float32, values []float32) error {
	size, seats := len(s.leaves.Actors), int(s.Shape.GetSeats())
	if err := requireCount("priors", len(priors), size, "leaf"); err != nil {
		return err
	}
	for leaf, each := range priors {
		field, legal := fmt.Sprintf("priors[%d]", leaf), len(s.Legal(s.leaves, leaf))
		if err := requireCount(field, len(each), legal, "legal action"); err != nil {
			return err
		}
	}
	if len(values) != size && len(values) != size*seats {
		told := fmt.Sprintf("%d of them: must be %d or %d", len(values), size, size*seats)
		return refusal("values", told)
	}
	return nil
}

// Found is what the search has found; nil before Leaves has returned nil.
func (s *TreeSearch) Found() *Found { return s.found }

func (s *TreeSearch) answer(answers *pb.LeafAnswers) error {
	return s.send(&pb.EvaluateRequest{Step: &pb.EvaluateRequest_Answers{Answers: answers}})
}

func (s *TreeSearch) send(request *pb.EvaluateRequest) error {
	err := s.stream.Send(request)
	if errors.Is(err, io.EOF) { // why it has ended is told to whoever receives
		_, err = s.receive()
		return err
	}
	if err != nil {
		return s.failed(err)
	}
	return nil
}

func (s *TreeSearch) failed(err error) error {
	if errors.Is(err, io.EOF) || s.closed {
		return ErrClosed
	}
	return s.t.errorAfter(s.ctx, failureOf(s.ctx, err))
}

func (s *TreeSearch) receive() (*pb.EvaluateResponse, error) {
	response, err := s.stream.Recv()
	if err != nil {
		return nil, s.failed(err)
	}
	return response, nil
}

func foundIn(report *pb.EvaluateReport) *Found {
	found := &Found{
		Visits:  words(report.GetVisits()),
		Values:  floats(report.GetValues()),
		Returns: floats(report.GetReturns()),
	}
	for _, line := range report.GetLines() {
		found.Lines = append(found.Lines, line.GetActions())
	}
	return found
}

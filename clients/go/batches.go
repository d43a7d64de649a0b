package tablestate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// Flags of a slot, and what stands for none.
const (
	// Over: the game is over, or was and has been set up again.
	Over byte = 1
	// Refused: the action was not legal, or the game was over; nothing was done.
	Refused byte = 2
	// Reset: a game ended in this step and a new one has been set up.
	Reset byte = 4
	// NoActor is the actor when the game is over.
	NoActor byte = 255
	// NoAction is the action when none was taken; as an index it leaves a slot as it is.
	NoAction uint16 = 65535
)

// Simulation is a stream on which batches of games live; they are gone when it ends. Two batches on
// one stream can be stepped at the same time: Begin both, then Finish both. For one goroutine at a
// time. Close it.
type Simulation struct {
	t       *transport
	ctx     context.Context
	cancel  context.CancelFunc
	stream  pb.EngineService_SimulateClient
	opened  uint32
	awaited []*Batch
	closed  bool
}

// Simulation opens a stream for batches; it lives as long as the context.
func (c *Client) Simulation(ctx context.Context) (*Simulation, error) {
	own, cancel := context.WithCancel(ctx)
	stream, err := c.engine.Simulate(own)
	if err != nil {
		cancel()
		return nil, c.errorAfter(ctx, failureOf(ctx, err))
	}
	return &Simulation{t: c.transport, ctx: ctx, cancel: cancel, stream: stream}, nil
}

// Close ends the stream, and with it all its batches.
func (s *Simulation) Close() {
	s.closed = true
	s.cancel()
}

// BatchOptions says how a batch of games is set up, and which parts its answers have.
type BatchOptions struct {
	// Seed is of all chance, unless there is one of Seeds for each slot.
	Seed  uint64
	Seeds []uint64
	// AutoReset sets a game that ends up again in the same step: see [Batch.Ended].
	AutoReset bool
	// Bots names for each seat the bot that plays it, or "". Bots act at once.
	Bots []string
	// States are those to begin with, one for each slot; none: new games.
	States []*pb.GameState
	// Observer is the seat whose observations are shown, by [Seat]; nil: each game's actor.
	Observer *uint32
	// Without leaves parts out that are not needed: observations are the most of an answer.
	WithoutMasks        bool
	WithoutObservations bool
}

// Batch is games of one kind and one set of options, one in each slot. Every step makes its parts anew.
type Batch struct {
	// Actors: for each slot the seat that must decide now, [NoActor] when the game is over.
	Actors []byte
	// Flags: for each slot the bits [Over], [Refused], [Reset].
	Flags []byte
	// Actions: for each slot the index of the action taken, or [NoAction].
	Actions []uint16
	// Returns: for each slot each seat's return, of ended games, else 0.
	Returns []float32
	// Masks: for each slot Shape.MaskBytes bytes: bit i = index i, least significant first.
	Masks []byte
	// Observations: for each slot Shape.ObservationBytes bytes, of the observer or of the actor.
	Observations []byte
	// Shape tells how wide they are.
	Shape *pb.BatchShape

	simulation *Simulation
	number     uint32
	wanted     *pb.WantedParts
	answer     *pb.SimulateResponse
	isClosed   bool
}

// Batch sets up a batch of new games.
func (s *Simulation) Batch(
	options *pb.GameOptions, size uint32, chosen BatchOptions,
) (*Batch, error) {
	batch := s.batch(&pb.WantedParts{
		Actors: true, Flags: true, Actions: true, Returns: true,
		Masks:            !chosen.WithoutMasks,
		Observations:     !chosen.WithoutObservations,
		LastObservations: chosen.AutoReset && !chosen.WithoutObservations,
		Observer:         chosen.Observer,
	})
	open := &pb.OpenBatch{
		Options: options, Size: size, Seed: chosen.Seed, Seeds: chosen.Seeds,
		AutoReset: chosen.AutoReset, States: chosen.States, Bots: chosen.Bots,
	}
	return batch, batch.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Open{Open: open}})
}

func (s *Simulation) batch(wanted *pb.WantedParts) *Batch {
	s.opened++
	return &Batch{simulation: s, number: s.opened, wanted: wanted}
}

// Legal tells whether an action is legal in a slot, by the masks.
func (b *Batch) Legal(slot int, index uint32) bool {
	place := slot*int(b.Shape.GetMaskBytes()) + int(index/8)
	isThere := slot >= 0 && index < b.Shape.GetActions() && place < len(b.Masks)
	return isThere && b.Masks[place]>>(index%8)&1 == 1
}

// StepIndices takes an action in every slot, by its index. One that is not legal changes nothing and
// sets [Refused]. Another number of them than there are slots is refused, and nothing is sent; the
// same holds for ranks and draws.
func (b *Batch) StepIndices(indices []uint16) error {
	if err := requireCount("indices", len(indices), int(b.Shape.GetSize()), "slot"); err != nil {
		return err
	}
	return b.step(pb.ActionForm_ACTION_FORM_INDEX, packShorts(indices))
}

// StepRanks takes an action in every slot, by its rank among the legal ones.
func (b *Batch) StepRanks(ranks []uint16) error {
	if err := requireCount("ranks", len(ranks), int(b.Shape.GetSize()), "slot"); err != nil {
		return err
	}
	return b.step(pb.ActionForm_ACTION_FORM_RANK, packShorts(ranks))
}

// StepDraws takes an action in every slot, picked by a uniform number of 32 bits.
func (b *Batch) StepDraws(draws []uint32) error {
	if err := requireCount("draws", len(draws), int(b.Shape.GetSize()), "slot"); err != nil {
		return err
	}
	return b.step(pb.ActionForm_ACTION_FORM_DRAW, packWords(draws))
}

func (b *Batch) step(form pb.ActionForm, actions []byte) error {
	if err := b.Begin(form, actions); err != nil {
		return err
	}
	return b.Finish()
}

// Begin sends a step, packed as batch.proto says, without waiting for its answer. What has another
// length than the form wants is refused, and nothing is sent.
func (b *Batch) Begin(form pb.ActionForm, actions []byte) error {
	if width, is := widths[form]; is {
		size := width * int(b.Shape.GetSize())
		if len(actions) != size {
			told := fmt.Sprintf("%d bytes: must be %d, %d for each slot", len(actions), size, width)
			return refusal("actions", told)
		}
	}
	step := &pb.StepBatch{Form: form, Actions: actions}
	return b.send(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Step{Step: step}})
}

// widths are the bytes of an action by its form.
var widths = map[pb.ActionForm]int{
	pb.ActionForm_ACTION_FORM_UNSPECIFIED: 0,
	pb.ActionForm_ACTION_FORM_INDEX:       2,
	pb.ActionForm_ACTION_FORM_RANK:        2,
	pb.ActionForm_ACTION_FORM_DRAW:        4,
}

// Finish waits for the answers to everything that was begun.
func (b *Batch) Finish() error {
	for slices.Contains(b.simulation.awaited, b) {
		answer, err := b.simulation.stream.Recv()
		if err != nil {
			return b.simulation.failed(err)
		}
		first := b.simulation.awaited[0]
		b.simulation.awaited = b.simulation.awaited[1:]
		first.take(answer)
	}
	return nil
}

func (s *Simulation) failed(err error) error {
	if errors.Is(err, io.EOF) || s.closed {
		return ErrClosed
	}
	return s.t.errorAfter(s.ctx, failureOf(s.ctx, err))
}

// Look renews the parts without taking actions.
func (b *Batch) Look() error { return b.step(pb.ActionForm_ACTION_FORM_UNSPECIFIED, nil) }

// Ended are the slots whose game the last step ended and set up again, rising, and for each of them an
// observation a seat of the end of the game.
func (b *Batch) Ended() (slots []uint32, lastObservations []byte) {
	return b.answer.GetParts().GetEndedSlots(), b.answer.GetParts().GetLastObservations()
}

// Copy makes a batch of its own of the chosen slots, each as often as it is named; none: all. With a
// seed the copies go on with fresh chance, with nil with the same as the originals.
func (b *Batch) Copy(seed *uint64, slots ...uint32) (*Batch, error) {
	twin := b.simulation.batch(b.wanted)
	copied := &pb.CopyBatch{Source: b.number, Slots: slots, Seed: seed}
	return twin, twin.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Copy{Copy: copied}})
}

// Dump tells the full states of slots; none: of all.
func (b *Batch) Dump(slots ...uint32) ([]*pb.GameState, error) {
	dump := &pb.DumpStates{Slots: slots}
	err := b.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Dump{Dump: dump}})
	return b.answer.GetStates(), err
}

// Load puts full states into slots, one each; no slots: as many as there are states, from 0.
func (b *Batch) Load(states []*pb.GameState, slots ...uint32) error {
	load := &pb.LoadStates{Slots: slots, States: states}
	return b.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Load{Load: load}})
}

// Play takes an action, or sets up a new game for nil, with given draws. If they do not suffice
// nothing is done, and NextDraw of the answer is the number of values that the next draw can have.
func (b *Batch) Play(slot uint32, action *uint32, draws ...uint32) (*pb.PlayedDraws, error) {
	play := &pb.PlayDraws{Slot: slot, Action: action, Draws: draws}
	err := b.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Play{Play: play}})
	return b.answer.GetPlayed(), err
}

// Close forgets the batch on the server.
func (b *Batch) Close() error {
	if b.isClosed {
		return nil
	}
	err := b.ask(&pb.SimulateRequest{Operation: &pb.SimulateRequest_Close{Close: &pb.CloseBatch{}}})
	b.isClosed = true
	return err
}

func (b *Batch) ask(request *pb.SimulateRequest) error {
	if err := b.send(request); err != nil {
		return err
	}
	return b.Finish()
}

func (b *Batch) send(request *pb.SimulateRequest) error {
	if b.isClosed {
		return ErrClosed
	}
	request.Batch, request.Wanted = b.number, b.wanted
	err := b.simulation.stream.Send(request)
	if errors.Is(err, io.EOF) { // why it has ended is told to whoever receives
		_, err = b.simulation.stream.Recv()
	}
	if err != nil {
		return b.simulation.failed(err)
	}
	b.simulation.awaited = append(b.simulation.awaited, b)
	return nil
}

func (b *Batch) take(answer *pb.SimulateResponse) {
	b.answer = answer
	if shape := answer.GetShape(); shape != nil {
		b.Shape = shape
	}
	if parts := answer.GetParts(); parts != nil {
		b.Actors, b.Flags, b.Masks = parts.GetActors(), parts.GetFlags(), parts.GetMasks()
		b.Observations = parts.GetObservations()
		b.Actions, b.Returns = shorts(parts.GetActions()), floats(parts.GetReturns())
	}
}

func packShorts(numbers []uint16) []byte {
	packed := make([]byte, 0, 2*len(numbers))
	for _, number := range numbers {
		packed = binary.LittleEndian.AppendUint16(packed, number)
	}
	return packed
}

func packWords(numbers []uint32) []byte {
	packed := make([]byte, 0, 4*len(numbers))
	for _, number := range numbers {
		packed = binary.LittleEndian.AppendUint32(packed, number)
	}
	return packed
}

func packFloats(numbers []float32) []byte {
	packed := make([]byte, 0, 4*len(numbers))
	for _, number := range numbers {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(number))
	}
	return packed
}

func shorts(packed []byte) []uint16 {
	numbers := make([]uint16, len(packed)/2)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint16(packed[2*i:])
	}
	return numbers
}

func words(packed []byte) []uint32 {
	numbers := make([]uint32, len(packed)/4)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(packed[4*i:])
	}
	return numbers
}

func floats(packed []byte) []float32 {
	numbers := make([]float32, len(packed)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*i:]))
	}
	return numbers
}

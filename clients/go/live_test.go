//go:build live

package tablestate_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/tablestate/tablestate/clients/go"
	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// These are run against the service at TABLESTATE_TARGET, which tests/go starts.

var (
	quick   = tablestate.Offboard(&pb.OffboardOptions{PointsToWin: proto.Uint32(1)})
	anybody = tablestate.JoinOptions{}
	usual   = tablestate.MatchSettings{}
)

func connect(t *testing.T, target string) *tablestate.Client {
	t.Helper()
	client := ok(tablestate.NewClient(target))(t)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func service(t *testing.T) *tablestate.Client { return connect(t, os.Getenv("TABLESTATE_TARGET")) }

func ok[T any](answer T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func TestACallThatIsRepeatedHasOneEffect(t *testing.T) {
	client, intent := service(t), tablestate.NewIntent()
	settings := tablestate.MatchSettings{Metadata: map[string]string{"a": "1", "b": "2", "c": "3"}}
	first := ok(client.CreateMatch(t.Context(), quick, settings, tablestate.WithIntent(intent)))(t)
	for range 20 {
		again := ok(client.CreateMatch(t.Context(), quick, settings, tablestate.WithIntent(intent)))(t)
		if again.ID() != first.ID() {
			t.Fatalf("another match, %s", again.ID())
		}
	}
	_, err := client.CreateMatch(t.Context(), quick, usual, tablestate.WithIntent(intent))
	if !errors.Is(err, tablestate.ErrConflict) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsRefusedIsToldByItsReason(t *testing.T) {
	client := service(t)
	match := ok(client.CreateMatch(t.Context(), quick, usual))(t)
	red := ok(match.Join(t.Context(), anybody))(t)
	var phase *tablestate.MatchPhaseError
	_, err := red.Submit(t.Context(), tablestate.Index(0), tablestate.SubmitOptions{})
	if !errors.As(err, &phase) || phase.Phase() != "WAITING" {
		t.Errorf("%v", err)
	}
	yellow := ok(match.Join(t.Context(), anybody))(t)
	var other *tablestate.NotTheActorError
	_, err = yellow.Submit(t.Context(), tablestate.Index(0), tablestate.SubmitOptions{})
	if !errors.As(err, &other) || other.Actor() != 0 || other.Seat() != 1 {
		t.Errorf("%v", err)
	}
	var illegal *tablestate.IllegalActionError
	_, err = red.Submit(t.Context(), tablestate.Notation("e3e4"), tablestate.SubmitOptions{})
	if !errors.As(err, &illegal) || illegal.Action() != "e3e4" || illegal.Rule() == "" {
		t.Errorf("%v", err)
	}
	var stale *tablestate.StaleVersionError
	options := tablestate.SubmitOptions{ExpectedVersion: 3}
	_, err = red.Submit(t.Context(), tablestate.Notation("b1c1"), options)
	if !errors.As(err, &stale) || stale.CurrentVersion() != 4 || stale.ExpectedVersion() != 3 {
		t.Errorf("%v", err)
	}
	var early *tablestate.VersionNotReachedError
	_, err = client.Match(t.Context(), match.ID(), 99)
	if !errors.As(err, &early) || early.CurrentVersion() != 4 {
		t.Errorf("%v", err)
	}
	var invalid *tablestate.InvalidRequestError
	points := &pb.OffboardOptions{PointsToWin: proto.Uint32(99)}
	_, err = client.CreateMatch(t.Context(), tablestate.Offboard(points), usual)
	if !errors.As(err, &invalid) || invalid.Violations[0].Field != "options.offboard.points_to_win" {
		t.Errorf("%v", err)
	}
	if _, err = client.Game(t.Context(), "chess"); !errors.Is(err, tablestate.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestAPlayerGoesOnAfterARestart(t *testing.T) {
	client := service(t)
	match := ok(client.CreateMatch(t.Context(), quick, usual))(t)
	player := ok(match.Join(t.Context(), anybody))(t)
	saved := ok(json.Marshal([]any{match.Credential(), player.Credential()}))(t)

	var host tablestate.HostCredential
	var seat tablestate.SeatCredential
	if err := json.Unmarshal(saved, &[]any{&host, &seat}); err != nil {
		t.Fatal(err)
	}
	again := service(t)
	ok(again.Host(host).AddBot(t.Context(), "random", nil))(t)
	legal := ok(again.Player(seat).LegalActions(t.Context(), 0))(t)
	if len(legal.GetLegalActions().GetActions()) == 0 {
		t.Error("the player has nothing to choose from")
	}
}

// relay passes connections on to the service, until they are cut.
type relay struct {
	net.Listener
	lock  sync.Mutex
	conns []net.Conn
}

func newRelay(t *testing.T) *relay {
	passing := &relay{Listener: ok(net.Listen("tcp", "127.0.0.1:0"))(t)}
	t.Cleanup(func() { _ = passing.Close() })
	go func() {
		for {
			from, err := passing.Accept()
			if err != nil {
				return
			}
			passing.pass(from)
		}
	}()
	return passing
}

func (r *relay) pass(from net.Conn) {
	to, err := net.Dial("tcp", os.Getenv("TABLESTATE_TARGET"))
	if err != nil {
		_ = from.Close()
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.conns = append(r.conns, from, to)
	go func() { _, _ = io.Copy(to, from) }()
	go func() { _, _ = io.Copy(from, to) }()
}

func (r *relay) cut() {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, conn := range r.conns {
		_ = conn.Close()
	}
	r.conns = nil
}

func TestAMatchIsPlayedAndWatchedOverConnectionsThatBreak(t *testing.T) {
	passing := newRelay(t)
	client := connect(t, passing.Addr().String())
	match := ok(client.CreateMatch(t.Context(), quick, usual))(t)
	player := ok(match.Join(t.Context(), tablestate.JoinOptions{Entropy: true}))(t)
	ok(match.AddBot(t.Context(), "greedy", nil))(t)

	watched := make(chan []uint64)
	go func() {
		var seen []uint64
		for update, err := range match.Watch(t.Context(), tablestate.WatchOptions{}) {
			if err != nil {
				t.Error(err)
			}
			seen = append(seen, update.GetVersion())
		}
		watched <- seen
	}()
	breaks, turns := 0, 0
	play := player.Play(t.Context(), tablestate.PlayOptions{OnBreak: func(error) { breaks++ }})
	defer play.Close()
	for turn, err := range play.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if turns++; turns%3 == 1 {
			passing.cut()
		}
		actions := turn.GetLegalActions().GetActions()
		ok(play.Act(tablestate.Chosen(actions[turns*7919%len(actions)])))(t)
	}
	seen := <-watched
	last := ok(match.Get(t.Context()))(t)
	if uint64(len(seen)) != last.GetVersion() || !slices.IsSorted(seen) {
		t.Errorf("saw %v of %d", seen, last.GetVersion())
	}
	if breaks == 0 || !tablestate.HasEnded(last.GetPhase()) {
		t.Errorf("%d breaks in %d turns, %v", breaks, turns, last.GetPhase())
	}
	replayed := ok(player.Replay(t.Context()))(t)
	if err := replayed.CheckChance(last.GetCommitment()); err != nil {
		t.Error(err)
	}
	verified := ok(player.VerifyReplay(t.Context()))(t)
	if verified.GetFlaw() != 0 || verified.GetVersion() != last.GetVersion() {
		t.Errorf("verified to %v", verified)
	}
	if len(replayed.Secrets.GetSecret()) != 32 {
		t.Errorf("a secret of %d bytes", len(replayed.Secrets.GetSecret()))
	}
}

func TestChanceThatWasChangedIsFound(t *testing.T) {
	client := service(t)
	settings := tablestate.MatchSettings{Seating: pb.Seating_SEATING_RANDOM}
	match := ok(client.CreateMatch(t.Context(), tablestate.OffTrack(nil), settings))(t)
	ada := ok(match.Join(t.Context(), tablestate.JoinOptions{Entropy: true}))(t)
	bob := ok(match.Join(t.Context(), anybody))(t)
	if err := ada.RevealEntropy(t.Context()); err != nil {
		t.Fatal(err)
	}
	ok(ada.View(t.Context(), tablestate.ViewOptions{}))(t)
	ok(bob.View(t.Context(), tablestate.ViewOptions{}))(t)
	if ada.Seat()+bob.Seat() != 1 {
		t.Errorf("the players are on seats %d and %d", ada.Seat(), bob.Seat())
	}
	ok(bob.Resign(t.Context()))(t)
	replayed := ok(client.Replay(t.Context(), match.ID()))(t)
	commitment := replayed.Match.GetCommitment()
	if err := replayed.CheckChance(commitment); err != nil {
		t.Fatal(err)
	}
	if err := replayed.CheckChance(make([]byte, 32)); err == nil {
		t.Error("any commitment will do")
	}
	changed := 0
	for _, entry := range replayed.Entries {
		if sizes := entry.GetDrawSizes(); len(sizes) > 0 {
			changed++
			entry.Draws[0] = (entry.Draws[0] + 1) % sizes[0]
			if sizes[0] > 1 && replayed.CheckChance(commitment) == nil {
				t.Errorf("a change of entry %d is not found", entry.GetVersion())
			}
			entry.Draws[0] = (entry.Draws[0] + sizes[0] - 1) % sizes[0]
		}
	}
	if changed < 2 { // the seats and the set-up
		t.Errorf("%d entries have draws", changed)
	}
}

func TestABatchIsSteppedUntilItsGamesEnd(t *testing.T) {
	simulation := ok(service(t).Simulation(t.Context()))(t)
	defer simulation.Close()
	chosen := tablestate.BatchOptions{Seed: 7, AutoReset: true, Bots: []string{"", "random"}}
	batch := ok(simulation.Batch(quick, 16, chosen))(t)
	for step := range 400 {
		draws := make([]uint32, 16)
		for slot := range draws {
			draws[slot] = uint32(step*16+slot) * 2654435761
		}
		if err := batch.StepDraws(draws); err != nil {
			t.Fatal(err)
		}
		slots, last := batch.Ended()
		if len(last) != len(slots)*2*int(batch.Shape.GetObservationBytes()) {
			t.Fatalf("%d bytes of observations for %d slots", len(last), len(slots))
		}
		if len(slots) > 0 {
			slot := slots[0]
			if batch.Flags[slot]&tablestate.Reset == 0 || batch.Returns[2*slot]+batch.Returns[2*slot+1] != 0 {
				t.Fatalf("flags %b, returns %v", batch.Flags[slot], batch.Returns[2*slot:2*slot+2])
			}
			return
		}
	}
	t.Fatal("no game has ended")
}

func TestGamesAreCopiedKeptAndLoaded(t *testing.T) {
	simulation := ok(service(t).Simulation(t.Context()))(t)
	defer simulation.Close()
	batch := ok(simulation.Batch(quick, 16, tablestate.BatchOptions{Seed: 7}))(t)
	twin := ok(batch.Copy(nil, 3, 3))(t)
	states := ok(twin.Dump())(t)
	if twin.Shape.GetSize() != 2 || !proto.Equal(states[0], states[1]) {
		t.Fatal("the copies are not alike")
	}
	refused := make([]uint16, 16)
	for slot := range refused {
		refused[slot] = tablestate.NoAction
	}
	if err := batch.StepIndices(refused); err != nil || batch.Flags[0] != tablestate.Refused {
		t.Fatalf("flags %v, %v", batch.Flags, err)
	}
	if err := batch.Load(states[:1], 5); err != nil {
		t.Fatal(err)
	}
	loaded := ok(batch.Dump(5))(t)
	if !proto.Equal(loaded[0], states[0]) {
		t.Error("another state was loaded")
	}
	played := ok(twin.Play(0, firstLegal(twin, 0)))(t)
	if played.GetNextDraw() != 0 || len(played.GetSeats()) != 2 {
		t.Errorf("played %v", played)
	}
	if err := twin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := twin.Look(); !errors.Is(err, tablestate.ErrClosed) {
		t.Errorf("%v", err)
	}
	err := batch.StepIndices(nil)
	if !errors.Is(err, tablestate.ErrInvalidRequest) {
		t.Errorf("%v", err)
	}
}

func firstLegal(batch *tablestate.Batch, slot int) *uint32 {
	for index := range batch.Shape.GetActions() {
		if batch.Legal(slot, index) {
			return &index
		}
	}
	return nil
}

func TestASearchTakesItsTimeAndTellsHowFarItIs(t *testing.T) {
	client := service(t)
	match := ok(client.CreateMatch(t.Context(), tablestate.Offboard(nil), usual))(t)
	player := ok(match.Join(t.Context(), anybody))(t)
	ok(match.Join(t.Context(), anybody))(t)
	view := ok(player.View(t.Context(), tablestate.ViewOptions{}))(t)
	told := 0
	search := tablestate.SearchOptions{
		Time:       300 * time.Millisecond,
		Progress:   50 * time.Millisecond,
		OnProgress: func(*pb.SearchResponse) { told++ },
	}
	found := ok(client.Search(t.Context(), tablestate.Offboard(nil), view.GetView(), 0, search))(t)
	if !found.GetDone() || len(found.GetActions()) != 54 || told == 0 {
		t.Errorf("%d actions after %d messages", len(found.GetActions()), told)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	search.Time = 10 * time.Second
	_, err := client.Search(ctx, tablestate.Offboard(nil), view.GetView(), 0, search)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

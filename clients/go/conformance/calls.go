package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/tablestate/tablestate/clients/go"
	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// clients are one with the key of a player, and one with that of an operator.
type clients struct {
	player, operator *tablestate.Client
}

// scene makes some calls, and looks at what comes back. It stops at the first error.
type scene struct {
	methods string
	play    func(*stage)
}

// stage is what a scene is played on. What goes wrong on it ends the scene.
type stage struct {
	context.Context
	clients
}

// fault is what a scene ends with.
type fault struct{ error }

// require ends the scene unless something holds.
func require(holds bool, format string, facts ...any) {
	if !holds {
		panic(fault{fmt.Errorf(format, facts...)})
	}
}

// ok is what a call has returned; an error ends the scene.
func ok[T any](answer T, err error) T {
	done(err)
	return answer
}

func done(err error) {
	if err != nil {
		panic(fault{err})
	}
}

// run plays a scene; it tells how that went.
func (s scene) run(on *stage) (result string) {
	defer func() {
		switch ended := recover().(type) {
		case nil:
			result = passed
		case fault:
			result = ended.Error()
		default:
			panic(ended)
		}
	}()
	s.play(on)
	return
}

// makeCalls plays all scenes; for each method it tells whether its scene has passed.
func makeCalls(ctx context.Context, given clients) map[string]string {
	made := map[string]string{}
	for _, each := range scenes {
		result := each.run(&stage{ctx, given})
		for method := range strings.FieldsSeq(each.methods) {
			made["tablestate.v1."+method] = result
		}
	}
	return made
}

var scenes = []scene{
	{"CatalogService/GetServerInfo CatalogService/ListGames", catalog},
	{"MatchService/CreateMatch MatchService/JoinMatch MatchService/LeaveSeat MatchService/AddBot " +
		"MatchService/GetMatch MatchService/ListMatches MatchService/StartMatch " +
		"MatchService/AbortMatch", hosting},
	{"MatchService/ListLegalActions MatchService/GetView MatchService/SubmitAction " +
		"MatchService/Resign MatchService/WatchMatches MatchService/GetReplay " +
		"MatchService/VerifyReplay MatchService/ForkMatch MatchService/Rematch", playing},
	{"MatchService/RevealEntropy", chance},
	{"MatchService/Propose MatchService/Respond MatchService/ResumeMatch " +
		"MatchService/ClaimTimeout", manners},
	{"MatchService/Play", play},
	{"EngineService/Playout EngineService/Perft EngineService/Search", analysis},
	{"EngineService/Simulate", simulate},
	{"EngineService/Evaluate", evaluate},
	{"MatchService/ReplaceSeatToken MatchService/RevokeSeatToken MatchService/WatchFeed", operating},
}

var (
	offboard = tablestate.Offboard(&pb.OffboardOptions{})
	anybody  = tablestate.JoinOptions{}
	usual    = tablestate.MatchSettings{}
)

func catalog(on *stage) {
	info := ok(on.player.ServerInfo(on))
	games := ok(on.player.Games(on))
	require(len(games) == len(info.GetGames()), "%d games, expected %v", len(games), info.GetGames())
}

func hosting(on *stage) {
	match := ok(on.player.CreateMatch(on, offboard, tablestate.MatchSettings{
		StartPolicy: pb.StartPolicy_START_POLICY_BY_HOST,
		Metadata:    map[string]string{"table": "7", "room": "blue"},
	}))
	ok(match.Join(on, tablestate.JoinOptions{DisplayName: "Ada"}))
	guest := ok(match.Join(on, anybody))
	left := ok(guest.Leave(on))
	require(left.GetSeat() == guest.Seat(), "seat %d has left", left.GetSeat())
	added := ok(match.AddBot(on, "random", nil))
	require(added.GetSeat() == guest.Seat(), "the bot is on seat %d", added.GetSeat())
	seen := ok(match.Get(on))
	require(seen.GetMetadata()["table"] == "7", "metadata %v", seen.GetMetadata())
	isListed := false
	waiting := tablestate.ListOptions{Phases: []pb.MatchPhase{pb.MatchPhase_MATCH_PHASE_WAITING}}
	for listed, err := range on.player.ListMatches(on, waiting) {
		done(err)
		isListed = isListed || listed.GetMatchId() == match.ID()
	}
	require(isListed, "the match is not listed")
	started := ok(match.Start(on))
	require(started.GetChange() == pb.MatchChange_MATCH_CHANGE_STARTED, "%v", started.GetChange())
	aborted := ok(match.Abort(on))
	require(aborted.GetPhase() == pb.MatchPhase_MATCH_PHASE_ABORTED, "%v", aborted.GetPhase())
}

func playing(on *stage) {
	match := ok(on.player.CreateMatch(on, offboard, usual))
	red, yellow := ok(match.Join(on, anybody)), ok(match.Join(on, anybody))
	legal := ok(red.LegalActions(on, 0))
	view := ok(red.View(on, tablestate.ViewOptions{}))
	require(view.GetVersion() == legal.GetVersion(), "view of version %d", view.GetVersion())
	action := tablestate.Chosen(legal.GetLegalActions().GetActions()[0])
	taken := ok(red.Submit(on, action, tablestate.SubmitOptions{ExpectedVersion: legal.GetVersion()}))
	require(taken.GetVersion() == legal.GetVersion()+1, "taken at version %d", taken.GetVersion())
	resigned := ok(yellow.Resign(on))
	last := uint64(0)
	for update, err := range red.Watch(on, tablestate.WatchOptions{}) {
		done(err)
		last++
		require(update.GetVersion() == last, "update %d, expected %d", update.GetVersion(), last)
	}
	require(last == resigned.GetVersion(), "watched to version %d", last)
	replayed := ok(on.player.Replay(on, match.ID()))
	require(len(replayed.Entries) == int(last), "%d entries", len(replayed.Entries))
	done(replayed.CheckChance(replayed.Match.GetCommitment()))
	verified := ok(on.player.VerifyReplay(on, match.ID()))
	require(verified.GetVersion() == last, "verified to version %d", verified.GetVersion())
	fork := ok(on.player.ForkMatch(on, match.ID(), taken.GetVersion(), usual))
	from := ok(fork.Get(on)).GetForkedFrom()
	require(from.GetMatchId() == match.ID(), "forked from %v", from)
	again := ok(red.Rematch(on))
	require(again.Seat() == yellow.Seat(), "seat %d in the rematch", again.Seat())
}

func chance(on *stage) {
	match := ok(on.player.CreateMatch(on, tablestate.OffTrack(&pb.OffTrackOptions{}), usual))
	player := ok(match.Join(on, tablestate.JoinOptions{Entropy: true}))
	ok(match.AddBot(on, "random", nil))
	done(player.RevealEntropy(on))
	seen := ok(match.Get(on))
	require(seen.GetPhase() == pb.MatchPhase_MATCH_PHASE_RUNNING, "%v", seen.GetPhase())
}

func manners(on *stage) {
	match := ok(on.player.CreateMatch(on, offboard, tablestate.MatchSettings{
		TimeControl: &pb.TimeControl{
			TurnLimit:   durationpb.New(time.Second),
			TimeoutMode: pb.TimeoutMode_TIMEOUT_MODE_BY_CLAIM,
		},
	}))
	red, yellow := ok(match.Join(on, anybody)), ok(match.Join(on, anybody))
	draw := ok(red.Propose(on, pb.ProposalKind_PROPOSAL_KIND_DRAW, 0))
	declined := ok(yellow.Respond(on, draw.GetVersion(), false))
	require(declined.GetPhase() == pb.MatchPhase_MATCH_PHASE_RUNNING, "%v", declined.GetPhase())
	pause := ok(red.Propose(on, pb.ProposalKind_PROPOSAL_KIND_PAUSE, 0))
	ok(yellow.Respond(on, pause.GetVersion(), true))
	require(ok(match.Get(on)).GetPaused(), "the match is not paused")
	ok(red.Resume(on))
	require(!ok(match.Get(on)).GetPaused(), "the match is paused")
	time.Sleep(1100 * time.Millisecond)
	claimed := ok(yellow.ClaimTimeout(on))
	require(claimed.GetSeat() == red.Seat(), "seat %d was out of time", claimed.GetSeat())
}

func play(on *stage) {
	points := uint32(1)
	quick := tablestate.Offboard(&pb.OffboardOptions{PointsToWin: &points})
	match := ok(on.player.CreateMatch(on, quick, usual))
	player := ok(match.Join(on, anybody))
	ok(match.AddBot(on, "greedy", nil))
	stream := player.Play(on, tablestate.PlayOptions{})
	defer stream.Close()
	turns := 0
	for turn, err := range stream.Turns() {
		done(err)
		ok(stream.Act(tablestate.Chosen(turn.GetLegalActions().GetActions()[0])))
		turns++
	}
	seen := ok(match.Get(on))
	require(turns > 0 && tablestate.HasEnded(seen.GetPhase()), "%d turns, %v", turns, seen.GetPhase())
}

func analysis(on *stage) {
	start := tablestate.NewGame(offboard)
	played := ok(on.player.Playout(on, start, tablestate.PlayoutOptions{Games: 3, Seed: 1}))
	require(played.GetFinished() == 3, "%d games were finished", played.GetFinished())
	counted := ok(on.player.Perft(on, start, 1, true))
	require(len(counted.GetDivisions()) == int(counted.GetSequences()), "%v", counted)
	budget := tablestate.SearchOptions{Iterations: 50}
	found := ok(on.player.Search(on, offboard, firstView(on), 0, budget))
	require(found.GetDone() && found.GetActions()[0].GetVisits() > 0, "found %v", found)
}

func firstView(on *stage) *pb.GameView {
	match := ok(on.player.CreateMatch(on, offboard, usual))
	player := ok(match.Join(on, anybody))
	ok(match.Join(on, anybody))
	return ok(player.View(on, tablestate.ViewOptions{})).GetView()
}

func simulate(on *stage) {
	simulation := ok(on.player.Simulation(on))
	defer simulation.Close()
	batch := ok(simulation.Batch(offboard, 8, tablestate.BatchOptions{Seed: 1}))
	before := batch.Masks
	done(batch.StepRanks(make([]uint16, batch.Shape.GetSize())))
	require(!bytes.Equal(batch.Masks, before), "nothing has changed")
	require(!slices.Contains(batch.Flags, tablestate.Refused), "flags %v", batch.Flags)
	done(batch.Close())
}

func evaluate(on *stage) {
	seat := tablestate.Seat(0)
	view := &pb.SearchRoot_View{View: firstView(on)}
	search := ok(on.player.Evaluate(on, &pb.OpenEvaluate{
		Options: offboard, Roots: []*pb.SearchRoot{{Root: view, Seat: seat}}, Simulations: 16,
	}))
	defer search.Close()
	for leaves := ok(search.Leaves()); leaves != nil; leaves = ok(search.Leaves()) {
		priors := make([][]float32, len(leaves.Actors))
		for leaf := range priors {
			priors[leaf] = make([]float32, len(search.Legal(leaves, leaf)))
		}
		done(search.Answer(priors, make([]float32, len(priors))))
	}
	visits := uint32(0)
	for _, each := range search.Found().Visits {
		visits += each
	}
	require(visits == 16, "%d simulations", visits)
}

func operating(on *stage) {
	match := ok(on.operator.CreateMatch(on, offboard, usual))
	ok(match.Join(on, anybody))
	other := ok(on.operator.ReplaceSeatToken(on, match.ID(), 0))
	view := ok(other.View(on, tablestate.ViewOptions{}))
	require(view.Seat != nil && view.GetSeat() == 0, "the token is of seat %v", view.Seat)
	revoked := ok(on.operator.RevokeSeatToken(on, match.ID(), 0))
	require(revoked.GetSeat() == 0, "the token of seat %d was revoked", revoked.GetSeat())
	for news, err := range on.operator.WatchFeed(on, tablestate.FeedOptions{}) {
		done(err)
		item := news.GetItem()
		if item.GetMatchId() == match.ID() && item.GetKind() == pb.FeedKind_FEED_KIND_CREATED {
			return
		}
	}
	require(false, "the feed has ended")
}

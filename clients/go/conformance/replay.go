package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/tablestate/tablestate/clients/go"
	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

const (
	allViewsEvery = 10
	atOnce        = 4
)

// replayAll creates all matches in their order, then plays some at once; it tells how each went.
func replayAll(
	ctx context.Context, client *tablestate.Client, vectors []*vector,
) map[string]string {
	results := make([]string, len(vectors))
	places := make(chan struct{}, atOnce)
	var playing sync.WaitGroup
	for i, each := range vectors {
		match, err := create(ctx, client, each)
		playing.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if err == nil {
				err = replay(ctx, client, match, each)
			}
			results[i] = how(err)
		})
	}
	playing.Wait()
	seen := map[string]string{}
	for i, each := range vectors {
		seen[each.name] = results[i]
	}
	return seen
}

func how(err error) string {
	if err == nil {
		return passed
	}
	return err.Error()
}

func create(
	ctx context.Context, client *tablestate.Client, v *vector,
) (*tablestate.HostedMatch, error) {
	options, err := parsed(v.Options, &pb.GameOptions{})
	if err != nil {
		return nil, err
	}
	return client.CreateMatch(ctx, options, tablestate.MatchSettings{})
}

// table is a match that is replayed, and who plays it.
type table struct {
	*vector
	client  *tablestate.Client
	match   *tablestate.HostedMatch
	players []*tablestate.SeatedPlayer
}

func replay(
	ctx context.Context, client *tablestate.Client, match *tablestate.HostedMatch, v *vector,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	at := &table{v, client, match, nil}
	if match.ID() != v.MatchID {
		return fmt.Errorf("the match is %s, expected %s", match.ID(), v.MatchID)
	}
	for range v.Seats {
		player, err := match.Join(ctx, tablestate.JoinOptions{})
		if err != nil {
			return err
		}
		at.players = append(at.players, player)
	}
	told := at.watch(ctx)
	for i := range v.Steps {
		if err := at.step(ctx, i); err != nil {
			return err
		}
	}
	if err := at.checkEnd(ctx); err != nil {
		return err
	}
	for range len(at.viewers()) {
		if err := <-told; err != nil {
			return err
		}
	}
	return nil
}

func (t *table) viewers() []viewer {
	viewers := []viewer{spectator}
	for seat := range t.players {
		viewers = append(viewers, viewer(seat))
	}
	return viewers
}

// watch follows every viewer by one stream; what is wrong with what each was told comes in the end.
func (t *table) watch(ctx context.Context) <-chan error {
	told := make(chan error, len(t.viewers()))
	for _, who := range t.viewers() {
		go func() { told <- t.checkEvents(ctx, who) }()
	}
	return told
}

func (t *table) checkEvents(ctx context.Context, who viewer) error {
	updates := t.match.Watch(ctx, tablestate.WatchOptions{})
	if who != spectator {
		updates = t.players[who].Watch(ctx, tablestate.WatchOptions{})
	}
	var entries []*pb.MatchUpdate
	for update, err := range updates {
		if err != nil {
			return err
		}
		entries = append(entries, update)
	}
	if len(entries) < len(t.Steps) {
		return fmt.Errorf("%v was told of %d entries only", who, len(entries))
	}
	entries = entries[len(entries)-len(t.Steps):]
	for i, each := range t.Steps {
		expected, err := each.events(who)
		if err != nil {
			return err
		}
		equal := func(a, b *pb.GameEvent) bool { return proto.Equal(a, b) }
		if !slices.EqualFunc(entries[i].GetEvents(), expected, equal) {
			return fmt.Errorf("events of %v at ply %d are %v, expected %v",
				who, each.Ply, entries[i].GetEvents(), expected)
		}
	}
	return nil
}

// step looks at a position, and takes the next action.
func (t *table) step(ctx context.Context, i int) error {
	here, isLast := &t.Steps[i], i == len(t.Steps)-1
	shown := t.viewers()
	if !isLast && here.Ply%allViewsEvery != 0 {
		shown = []viewer{viewer(t.Steps[i+1].Seat)}
	}
	for _, who := range shown {
		if err := t.checkView(ctx, who, here); err != nil {
			return err
		}
	}
	if isLast {
		return nil
	}
	return t.act(ctx, here, &t.Steps[i+1])
}

// version is that of a step: created, each seat taken, started, and the actions.
func (t *table) version(s *step) uint64 { return uint64(len(t.players)) + 2 + uint64(s.Ply) }

func (t *table) checkView(ctx context.Context, who viewer, s *step) error {
	expected, err := s.view(who)
	if err != nil {
		return err
	}
	options := tablestate.ViewOptions{Version: t.version(s)}
	var seen *pb.GetViewResponse
	if who == spectator {
		seen, err = t.client.View(ctx, t.match.ID(), options)
	} else {
		seen, err = t.players[who].View(ctx, options)
	}
	if err != nil {
		return err
	}
	if !proto.Equal(seen.GetView(), expected) {
		return fmt.Errorf("view of %v at ply %d is %v, expected %v",
			who, s.Ply, seen.GetView(), expected)
	}
	return nil
}

// act checks the legal actions of the actor, and takes the next one.
func (t *table) act(ctx context.Context, here, next *step) error {
	player := t.players[next.Seat]
	legal, err := player.LegalActions(ctx, 0)
	if err != nil {
		return err
	}
	action, err := parsed(next.Action, &pb.LegalAction{})
	if err != nil {
		return err
	}
	if err := t.checkLegal(legal, here, action); err != nil {
		return fmt.Errorf("at ply %d: %w", here.Ply, err)
	}
	names := []*pb.ActionChoice{
		tablestate.Chosen(action),
		tablestate.Notation(action.GetNotation()),
		tablestate.Typed(action.GetAction()),
	}
	options := tablestate.SubmitOptions{ExpectedVersion: legal.GetVersion()}
	update, err := player.Submit(ctx, names[int(next.Ply)%len(names)], options)
	if err == nil && update.GetPly() != next.Ply {
		err = fmt.Errorf("ply is %d, expected %d", update.GetPly(), next.Ply)
	}
	return err
}

func (t *table) checkLegal(
	told *pb.ListLegalActionsResponse, s *step, next *pb.LegalAction,
) error {
	mask, err := hex.DecodeString(s.LegalMask)
	if err != nil {
		return err
	}
	if told.GetVersion() != t.version(s) || !slices.Equal(told.GetActors(), s.Actors) {
		return fmt.Errorf("version %d, actors %v", told.GetVersion(), told.GetActors())
	}
	if !bytes.Equal(told.GetLegalActions().GetMask(), mask) {
		return fmt.Errorf("mask is %x, expected %x", told.GetLegalActions().GetMask(), mask)
	}
	var indices []int
	found := false
	for _, action := range told.GetLegalActions().GetActions() {
		indices = append(indices, int(action.GetIndex()))
		found = found || proto.Equal(action, next)
	}
	if !slices.Equal(indices, bits(mask)) || !found {
		return fmt.Errorf("legal actions %v, expected those of the mask and %v", indices, next)
	}
	return nil
}

// bits are the numbers of the bits that are set in a mask.
func bits(mask []byte) []int {
	var set []int
	for i := range 8 * len(mask) {
		if mask[i/8]>>(i%8)&1 == 1 {
			set = append(set, i)
		}
	}
	return set
}

func (t *table) checkEnd(ctx context.Context) error {
	outcome, err := parsed(t.Outcome, &pb.Outcome{})
	if err != nil {
		return err
	}
	match, err := t.match.Get(ctx)
	if err != nil {
		return err
	}
	if match.GetPhase() != pb.MatchPhase_MATCH_PHASE_OVER || !proto.Equal(match.GetOutcome(), outcome) {
		return fmt.Errorf("%v with %v, expected %v", match.GetPhase(), match.GetOutcome(), outcome)
	}
	return nil
}

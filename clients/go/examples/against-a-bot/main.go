// Against-a-bot plays a whole match of Eternitium against the bot "greedy", by a random choice among
// the legal actions, and shows how it went: go run ./examples/against-a-bot [target].
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/tablestate/tablestate/clients/go"
	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

func main() {
	target := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := play(ctx, target); err != nil {
		log.Fatal(err)
	}
}

func play(ctx context.Context, target string) error {
	client, err := tablestate.NewClient(target)
	if err != nil {
		return err
	}
	defer client.Close()
	options := tablestate.Eternitium(&pb.EternitiumOptions{})
	match, err := client.CreateMatch(ctx, options, tablestate.MatchSettings{})
	if err != nil {
		return err
	}
	player, err := match.Join(ctx, tablestate.JoinOptions{DisplayName: "Ada", Entropy: true})
	if err != nil {
		return err
	}
	if _, err := match.AddBot(ctx, "greedy", nil); err != nil {
		return err
	}
	game := player.Play(ctx, tablestate.PlayOptions{})
	defer game.Close()
	for turn, err := range game.Turns() {
		if err != nil {
			return err
		}
		actions := turn.GetLegalActions().GetActions()
		chosen := actions[rand.N(len(actions))]
		if _, err := game.Act(tablestate.Chosen(chosen)); err != nil {
			return err
		}
		fmt.Printf("ply %d: %s\n", turn.GetPly()+1, chosen.GetNotation())
	}
	return tell(ctx, client, match.ID())
}

// tell shows the result, and that chance was fair.
func tell(ctx context.Context, client *tablestate.Client, matchID string) error {
	replay, err := client.Replay(ctx, matchID)
	if err != nil {
		return err
	}
	outcome := replay.Match.GetOutcome()
	fmt.Printf("won by %v: scores %v, %v\n",
		outcome.GetWinners(), outcome.GetScores(), outcome.GetReason())
	if err := replay.CheckChance(replay.Match.GetCommitment()); err != nil {
		return err
	}
	fmt.Println("every draw follows from the secret that the match had committed to")
	return nil
}

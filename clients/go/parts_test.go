package tablestate

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// clock is a world in which time passes when a test says so.
type clock struct{ time time.Time }

func (c *clock) world(chance float64) world {
	return world{
		now:    func() time.Time { return c.time },
		random: func() float64 { return chance },
		sleep:  func(context.Context, time.Duration) error { return nil },
	}
}

func TestPausesGrowToTheLongestAndEndBeforeTheDeadline(t *testing.T) {
	now := &clock{time.Unix(0, 0)}
	policy := RetryPolicy{
		InitialDelay: time.Second, Multiplier: 2, MaxDelay: 3 * time.Second, AttemptTimeout: 5 * time.Second,
	}
	backoff := newBackoff(policy, 10*time.Second, now.world(1))
	failure := &CallError{Code: codes.Unavailable}
	for _, expected := range []time.Duration{1, 2, 3, 3} {
		pause, again := backoff.delayAfter(failure)
		if !again || pause != expected*time.Second {
			t.Errorf("a pause of %v, expected %v s", pause, int(expected))
		}
	}
	now.time = now.time.Add(6 * time.Second)
	if left := backoff.attemptTimeout(); left != 4*time.Second {
		t.Errorf("%v for the next attempt", left)
	}
	now.time = now.time.Add(2 * time.Second)
	if pause, again := backoff.delayAfter(failure); again {
		t.Errorf("a pause of %v beyond the deadline", pause)
	}
	if _, again := backoff.delayAfter(&CallError{Code: codes.FailedPrecondition}); again {
		t.Error("what cannot succeed is tried again")
	}
}

func TestThePatienceOfAStreamCountsFromItsBreak(t *testing.T) {
	now := &clock{time.Unix(0, 0)}
	backoff := newStreamBackoff(DefaultRetry, now.world(0))
	backoff.open()
	now.time = now.time.Add(24 * time.Hour) // a stream that stood for a day
	pause, again := backoff.delayAfter(&CallError{Code: codes.Unavailable})
	if !again || pause != DefaultRetry.InitialDelay/2 {
		t.Errorf("a pause of %v, %v", pause, again)
	}
	backoff.open()
	now.time = now.time.Add(14 * time.Second)
	backoff.open()
	now.time = now.time.Add(47 * time.Second)
	backoff.opened = now.time
	if _, again := backoff.delayAfter(&CallError{Code: codes.Unavailable}); again {
		t.Error("the patience is not over")
	}
}

func TestCredentialsAreKeptAsAllClientsKeepThem(t *testing.T) {
	token := strings.Repeat("ab", 32)
	saved := fmt.Sprintf(`{"match_id":"%s","seat":0,"seat_token":"%s"}`, matchID, token)
	var seat SeatCredential
	if err := json.Unmarshal([]byte(saved), &seat); err != nil {
		t.Fatal(err)
	}
	if again := ok(json.Marshal(seat))(t); string(again) != saved {
		t.Errorf("%s was kept as %s", saved, again)
	}
	seat.Entropy = NewToken()
	host := HostCredential{matchID, NewToken()}
	intent := NewIntent()
	handles := []any{newPlayer(nil, seat), &HostedMatch{nil, host}}
	for _, each := range handles {
		if shown := fmt.Sprintf("%v %+v %#v", each, each, each); len(shown) > 200 {
			t.Errorf("shows %s", shown)
		}
	}
	for _, each := range []any{&seat, &host, &intent} {
		read := reflect.New(reflect.TypeOf(each).Elem()).Interface()
		if err := json.Unmarshal(ok(json.Marshal(each))(t), read); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(read, each) {
			t.Errorf("%v was read as %v", each, read)
		}
		for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
			shown := fmt.Sprintf(form, reflect.ValueOf(each).Elem().Interface())
			if strings.Contains(shown, "token") || strings.Contains(shown, "Token") || len(shown) > 80 {
				t.Errorf("%s shows %s", form, shown)
			}
		}
	}
}

func TestDamagedCredentialsAreRefusedWithoutBeingShown(t *testing.T) {
	for _, saved := range []string{
		`{"match_id":"m","seat":0,"seat_token":"c0ffee"}`,
		`{"match_id":"m","seat":0}`,
		`{"match_id":"m","seat_token":"` + strings.Repeat("ab", 32) + `"}`,
		`{"seat":1,"seat_token":"` + strings.Repeat("ab", 32) + `"}`,
		`{"match_id":"m","seat":-1,"seat_token":"` + strings.Repeat("ab", 32) + `"}`,
	} {
		var seat SeatCredential
		err := json.Unmarshal([]byte(saved), &seat)
		if err == nil || strings.Contains(err.Error(), "c0ffee") {
			t.Errorf("%s: %v", saved, err)
		}
	}
}

func TestOptionsAreThoseOfTheGame(t *testing.T) {
	for _, game := range []string{"eternitium", "off_the_rails", "offboard", "offtrack"} {
		if options := ok(DefaultOptions(game))(t); GameOf(options) != game {
			t.Errorf("%s has the options %v", game, options)
		}
	}
	if !proto.Equal(ok(DefaultOptions("offboard"))(t), Offboard(&pb.OffboardOptions{})) {
		t.Error("the options of a name are others than those of the message")
	}
	if _, err := DefaultOptions("chess"); !errors.Is(err, ErrNotFound) {
		t.Errorf("chess: %v", err)
	}
	if GameOf(&pb.GameOptions{}) != "" {
		t.Error("no game has a name")
	}
}

func TestWhatCannotBeSentIsRefused(t *testing.T) {
	if _, err := NewClient("127.0.0.1:1", WithRetry(RetryPolicy{})); !errors.Is(err, ErrInvalidRequest) {
		t.Errorf("%v", err)
	}
	backwards := DefaultRetry
	backwards.InitialDelay = -1
	if _, err := NewClient("127.0.0.1:1", WithRetry(backwards)); !errors.Is(err, ErrInvalidRequest) {
		t.Errorf("%v", err)
	}
	if _, err := NewClient(""); !errors.Is(err, ErrInvalidRequest) {
		t.Errorf("%v", err)
	}
	if Chosen(nil).GetChoice() != nil {
		t.Error("nil names an action")
	}
	client := ok(NewClient("127.0.0.1:1"))(t)
	defer client.Close()
	_, err := client.Search(t.Context(), Offboard(nil), nil, 0, SearchOptions{})
	var invalid *InvalidRequestError
	if !errors.As(err, &invalid) || invalid.Violations[0].Field != "budget" {
		t.Errorf("%v", err)
	}
}

func TestPackedNumbersAreReadAsTheyWerePacked(t *testing.T) {
	if got := shorts(packShorts([]uint16{1, 65535})); got[0] != 1 || got[1] != NoAction {
		t.Errorf("%v", got)
	}
	if got := words(packWords([]uint32{7, 1 << 31})); got[0] != 7 || got[1] != 1<<31 {
		t.Errorf("%v", got)
	}
	if got := floats(packFloats([]float32{-1, 0.5})); got[0] != -1 || got[1] != 0.5 {
		t.Errorf("%v", got)
	}
	if got := hex.EncodeToString(packWords([]uint32{0x01020304})); got != "04030201" {
		t.Errorf("%s", got)
	}
}

// What any client has saved is read, and saved alike.
func TestCredentialsAreSavedAsByAllClients(t *testing.T) {
	var kept map[string]json.RawMessage
	data := ok(os.ReadFile("../../tests/data/saved.json"))(t)
	ok(0, json.Unmarshal(data, &kept))(t)
	var host HostCredential
	var seat, promised SeatCredential
	var intent Intent
	into := map[string]any{"host": &host, "seat": &seat, "promised": &promised, "intent": &intent}
	for name, loaded := range into {
		ok(0, json.Unmarshal(kept[name], loaded))(t)
		var before, after map[string]any
		ok(0, json.Unmarshal(kept[name], &before))(t)
		ok(0, json.Unmarshal(ok(json.Marshal(loaded))(t), &after))(t)
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s: %v, not %v", name, after, before)
		}
	}
}

// The vectors are those that every implementation of chance is held to.
func TestChanceFollowsFromItsSeed(t *testing.T) {
	file := ok(os.Open("../../tests/data/chance.txt"))(t)
	defer file.Close()
	held := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		expected := words[len(words)-1]
		if got := derived(t, words); got != expected {
			t.Errorf("%s: %s", lines.Text(), got)
		}
		held++
	}
	if held < 20 {
		t.Errorf("%d vectors only", held)
	}
}

func derived(t *testing.T, words []string) string {
	switch words[0] {
	case "game":
		stream := ok(strconv.ParseUint(words[2], 10, 64))(t)
		return joined(Draw(bytesOf(t, words[1]), stream, sizesOf(t, words[3])))
	case "bot":
		stream := ok(strconv.ParseUint(words[3], 10, 64))(t)
		domain := "tablestate/bot/v1/seat/" + words[2]
		return joined(draw(bytesOf(t, words[1]), domain, stream, sizesOf(t, words[4])))
	case "commitment":
		return hex.EncodeToString(Commitment(words[1], bytesOf(t, words[2])))
	case "seed":
		var entropies [][]byte
		for _, each := range strings.Split(words[3], ",") {
			entropies = append(entropies, bytesOf(t, each))
		}
		return hex.EncodeToString(DeriveSeed(words[1], bytesOf(t, words[2]), entropies))
	}
	t.Fatalf("no vector of the kind %q is known", words[0])
	return ""
}

func bytesOf(t *testing.T, text string) []byte {
	return ok(hex.DecodeString(strings.Trim(text, "-")))(t)
}

func sizesOf(t *testing.T, text string) []uint32 {
	var sizes []uint32
	for _, each := range strings.Split(text, ",") {
		sizes = append(sizes, uint32(ok(strconv.ParseUint(each, 10, 32))(t)))
	}
	return sizes
}

func joined(numbers []uint32) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(numbers), "[]")), ",")
}

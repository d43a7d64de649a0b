package tablestate

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// How chance follows from the match's secret is told in docs/chance.md of Tablestate.

// framedHash hashes fields, each behind its length, so that they cannot run into one another.
func framedHash(fields ...[]byte) []byte {
	hash := sha256.New()
	for _, field := range fields {
		hash.Write(binary.BigEndian.AppendUint32(nil, uint32(len(field))))
		hash.Write(field)
	}
	return hash.Sum(nil)
}

// EntropyHash is the hash by which a seat promises its entropy.
func EntropyHash(matchID string, entropy []byte) []byte {
	return framedHash([]byte("tablestate/entropy/v1"), []byte(matchID), entropy)
}

// Commitment is what a match publishes of its secret before anybody joins.
func Commitment(matchID string, secret []byte) []byte {
	return framedHash([]byte("tablestate/commitment/v1"), []byte(matchID), secret)
}

// DeriveSeed is the seed of a match, from its secret and the entropy of each seat; empty: none.
func DeriveSeed(matchID string, secret []byte, entropies [][]byte) []byte {
	fields := [][]byte{[]byte("tablestate/seed/v1"), []byte(matchID), secret}
	return framedHash(append(fields, entropies...)...)
}

// Draw draws one number of each of the sizes, from a stream of a seed.
func Draw(seed []byte, stream uint64, sizes []uint32) []uint32 {
	return draw(seed, "tablestate/chance/v1", stream, sizes)
}

func draw(seed []byte, domain string, stream uint64, sizes []uint32) []uint32 {
	drawn, counter := make([]uint32, 0, len(sizes)), uint64(0)
	for _, size := range sizes {
		if size == 0 {
			return nil
		}
		n := uint64(size)
		rest := -n % n // of 2⁶⁴ by n
		for {
			number := numberOf(seed, domain, stream, counter)
			counter++
			if rest == 0 || number < -rest {
				drawn = append(drawn, uint32(number%n))
				break
			}
		}
	}
	return drawn
}

func numberOf(seed []byte, domain string, stream, counter uint64) uint64 {
	code := hmac.New(sha256.New, seed)
	message := binary.BigEndian.AppendUint64([]byte(domain), stream)
	code.Write(binary.BigEndian.AppendUint64(message, counter))
	return binary.BigEndian.Uint64(code.Sum(nil))
}

// CheckChance checks that all chance of a replay with the full record follows from the secret that
// the match has committed to. commitment is what Match.commitment was before anybody joined. It has
// no rules: from how many possibilities each draw was made it takes from the record.
func (r *Replay) CheckChance(commitment []byte) error {
	id := r.Match.GetMatchId()
	if r.Secrets == nil {
		return fmt.Errorf("match %s has no full record", id)
	}
	if !hmac.Equal(Commitment(id, r.Secrets.GetSecret()), commitment) {
		return fmt.Errorf("the secret of match %s is not the one that was committed to", id)
	}
	if len(r.Secrets.GetSeed()) == 0 {
		return nil // it has never started
	}
	entropies, err := r.entropies()
	if err != nil {
		return err
	}
	seed := DeriveSeed(id, r.Secrets.GetSecret(), entropies)
	if !hmac.Equal(seed, r.Secrets.GetSeed()) {
		return fmt.Errorf("the seed of match %s does not follow from its secret", id)
	}
	return r.checkDraws(seed)
}

// entropies are those revealed, by seat; an error if one is not what was promised.
func (r *Replay) entropies() ([][]byte, error) {
	entropies := make([][]byte, len(r.Match.GetSeats()))
	promised := map[uint32][]byte{}
	for _, entry := range r.Entries {
		switch entry.GetChange() {
		case pb.MatchChange_MATCH_CHANGE_JOINED:
			promised[entry.GetSeat()] = entry.GetEntropyHash()
		case pb.MatchChange_MATCH_CHANGE_ENTROPY_REVEALED:
			hash := EntropyHash(r.Match.GetMatchId(), entry.GetEntropy())
			if !hmac.Equal(hash, promised[entry.GetSeat()]) || int(entry.GetSeat()) >= len(entropies) {
				return nil, fmt.Errorf("entry %d: the entropy was not promised", entry.GetVersion())
			}
			entropies[entry.GetSeat()] = entry.GetEntropy()
		}
	}
	return entropies, nil
}

func (r *Replay) checkDraws(seed []byte) error {
	plies := map[uint64]uint32{}
	for _, update := range r.Updates {
		plies[update.GetVersion()] = update.GetPly()
	}
	for _, entry := range r.Entries {
		domain, stream := "tablestate/chance/v1", uint64(plies[entry.GetVersion()])
		if entry.GetChange() == pb.MatchChange_MATCH_CHANGE_SEATED {
			domain, stream = "tablestate/seating/v1", 0
		}
		if !slices.Equal(draw(seed, domain, stream, entry.GetDrawSizes()), entry.GetDraws()) {
			return fmt.Errorf("entry %d: its draws do not follow from the seed", entry.GetVersion())
		}
	}
	return nil
}

// reveal reveals what a seat has promised, unless it has promised nothing or it is not due.
func reveal(ctx context.Context, t *transport, key SeatCredential) error {
	if len(key.Entropy) == 0 {
		return nil
	}
	intent := NewIntent()
	request := &pb.RevealEntropyRequest{
		RequestId: intent.RequestID, MatchId: key.MatchID, SeatToken: key.Token, Entropy: key.Entropy,
	}
	_, err := mutated(ctx, t, t.matches.RevealEntropy, intent, request)
	switch ReasonOf(err) {
	case pb.ErrorReason_ERROR_REASON_ENTROPY_NOT_DUE, pb.ErrorReason_ERROR_REASON_MATCH_ENDED:
		return nil // a watch tells of what is long over, too
	}
	return err
}

// revealIfDue reveals what a seat has promised, if an update of its match calls for it.
func revealIfDue(
	ctx context.Context, t *transport, key SeatCredential, update *pb.MatchUpdate,
) error {
	if slices.Contains(update.GetEntropyAwaited(), key.Seat) {
		return reveal(ctx, t, key)
	}
	return nil
}

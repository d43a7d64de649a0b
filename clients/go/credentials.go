package tablestate

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
)

const tokenBytes = 32

// HostCredential is the key to a match: start it, add bots, abort it. Keep it secret. As JSON it
// can be kept over a restart; printed, it does not show the secret.
type HostCredential struct {
	MatchID string
	Token   []byte
}

// SeatCredential is the key to a seat of a match. Keep it secret. As JSON it can be kept over a
// restart; printed, it does not show the secret.
type SeatCredential struct {
	MatchID string
	Seat    uint32
	Token   []byte
	// Entropy is what the seat has promised to add to the chance of the match; empty: nothing.
	Entropy []byte
}

// Intent is something that is to happen once, however often it is asked for.
//
// A call that is repeated with the same intent and the same arguments is the same call. Make a new
// one, by [NewIntent], for everything that is to happen, and keep it secret: Token becomes the
// host's token in CreateMatch and the seat's in Join, and is not used elsewhere. As JSON it can be
// kept over a restart; printed, it does not show the secret.
type Intent struct {
	RequestID string
	Token     []byte
	Entropy   []byte
}

// NewIntent makes a new intent.
func NewIntent() Intent {
	return Intent{RequestID: newID(), Token: NewToken(), Entropy: NewToken()}
}

// NewToken makes a host or seat token: 32 random bytes, made by the client and by nobody else.
func NewToken() []byte { return random(tokenBytes) }

// NewInvitationCode makes the code of a match by invitation: 32 hex digits.
func NewInvitationCode() string { return newID() }

func newID() string { return hex.EncodeToString(random(16)) }

func random(size int) []byte {
	bytes := make([]byte, size)
	_, _ = rand.Read(bytes) // never fails
	return bytes
}

// String names the match, and not the secret.
func (c HostCredential) String() string { return fmt.Sprintf("host of match %s", c.MatchID) }

// GoString is as String, for %#v.
func (c HostCredential) GoString() string { return c.String() }

// LogValue is as String, for structured logs.
func (c HostCredential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String names the seat, and not the secret.
func (c SeatCredential) String() string {
	return fmt.Sprintf("seat %d of match %s", c.Seat, c.MatchID)
}

// GoString is as String, for %#v.
func (c SeatCredential) GoString() string { return c.String() }

// LogValue is as String, for structured logs.
func (c SeatCredential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String names the request, and not the secrets.
func (i Intent) String() string { return "intent " + i.RequestID }

// GoString is as String, for %#v.
func (i Intent) GoString() string { return i.String() }

// LogValue is as String, for structured logs.
func (i Intent) LogValue() slog.Value { return slog.StringValue(i.String()) }

// check refuses to have no token: the server would answer as to a spectator.
func (c SeatCredential) check() error { return hasToken("seat_token", c.Token) }

func (c HostCredential) check() error { return hasToken("host_token", c.Token) }

func hasToken(field string, token []byte) error {
	if len(token) == 0 {
		return refusal(field, fmt.Sprintf("must be %d bytes", tokenBytes))
	}
	return nil
}

type savedHost struct {
	MatchID   string `json:"match_id"`
	HostToken secret `json:"host_token"`
}

type savedSeat struct {
	MatchID   string  `json:"match_id"`
	Seat      *uint32 `json:"seat"`
	SeatToken secret  `json:"seat_token"`
	Entropy   secret  `json:"entropy,omitempty"`
}

type savedIntent struct {
	RequestID string `json:"request_id"`
	Token     secret `json:"token"`
	Entropy   secret `json:"entropy,omitempty"`
}

// MarshalJSON writes it as all clients of Tablestate do. This holds the secret.
func (c HostCredential) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedHost{c.MatchID, c.Token})
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses what is damaged.
func (c *HostCredential) UnmarshalJSON(data []byte) error {
	var saved savedHost
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if err := complete("match_id", saved.MatchID, "host_token", saved.HostToken); err != nil {
		return err
	}
	*c = HostCredential{saved.MatchID, saved.HostToken}
	return nil
}

// MarshalJSON writes it as all clients of Tablestate do. This holds the secret.
func (c SeatCredential) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedSeat{c.MatchID, &c.Seat, c.Token, c.Entropy})
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses what is damaged.
func (c *SeatCredential) UnmarshalJSON(data []byte) error {
	var saved savedSeat
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if err := complete("match_id", saved.MatchID, "seat_token", saved.SeatToken); err != nil {
		return err
	}
	if saved.Seat == nil {
		return refusal("seat", "must be a whole number from 0 on")
	}
	*c = SeatCredential{saved.MatchID, *saved.Seat, saved.SeatToken, saved.Entropy}
	return nil
}

// MarshalJSON writes it as all clients of Tablestate do. This holds the secrets.
func (i Intent) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedIntent{i.RequestID, i.Token, i.Entropy})
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses what is damaged.
func (i *Intent) UnmarshalJSON(data []byte) error {
	var saved savedIntent
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if err := complete("request_id", saved.RequestID, "token", saved.Token); err != nil {
		return err
	}
	if len(saved.Entropy) == 0 {
		// Those saved before there was any lack it, and have promised none.
		saved.Entropy = NewToken()
	}
	*i = Intent{saved.RequestID, saved.Token, saved.Entropy}
	return nil
}

// secret is 32 bytes that JSON holds as hex digits.
type secret []byte

func (s secret) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s), nil }

// UnmarshalText reads a secret, whose value no error shows.
func (s *secret) UnmarshalText(text []byte) error {
	bytes, err := hex.DecodeString(string(text))
	if err != nil || len(bytes) != tokenBytes {
		return refusal("token", fmt.Sprintf("must be %d hex digits", 2*tokenBytes))
	}
	*s = bytes
	return nil
}

func complete(textName, text, secretName string, token secret) error {
	if text == "" {
		return refusal(textName, "must be text that is not empty")
	}
	if len(token) == 0 {
		return refusal(secretName, fmt.Sprintf("must be %d hex digits", 2*tokenBytes))
	}
	return nil
}

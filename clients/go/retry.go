package tablestate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// RetryPolicy says how calls are tried again. A call is tried until its deadline. That is safe for
// every call: a retry carries the same request id and the same fields, so the server does nothing
// twice.
type RetryPolicy struct {
	// InitialDelay is the pause after the first failure; it grows by Multiplier with each further one.
	InitialDelay time.Duration
	// Multiplier: see InitialDelay; 1 or more.
	Multiplier float64
	// MaxDelay is the longest pause.
	MaxDelay time.Duration
	// AttemptTimeout is how long one attempt may take before another is made.
	AttemptTimeout time.Duration
	// WatchPatience is how long a broken stream tries to come back before it gives up.
	WatchPatience time.Duration
}

// DefaultRetry is the policy of a client that is given none.
var DefaultRetry = RetryPolicy{
	InitialDelay:   50 * time.Millisecond,
	Multiplier:     2,
	MaxDelay:       2 * time.Second,
	AttemptTimeout: 4 * time.Second,
	WatchPatience:  time.Minute,
}

// check refuses what would make a call wait for ever, or end before it has begun.
func (p RetryPolicy) check() error {
	if !(p.Multiplier >= 1) || math.IsInf(p.Multiplier, 1) {
		return refusal("retry.multiplier", fmt.Sprintf("%v: must be 1 or more", p.Multiplier))
	}
	for _, each := range []struct {
		name string
		span time.Duration
	}{
		{"initial_delay", p.InitialDelay},
		{"max_delay", p.MaxDelay},
		{"attempt_timeout", p.AttemptTimeout},
		{"watch_patience", p.WatchPatience},
	} {
		if each.span <= 0 {
			expected := "must be more than 0: begin with DefaultRetry"
			return refusal("retry."+each.name, fmt.Sprintf("%v: %s", each.span, expected))
		}
	}
	return nil
}

// A stream that stood this long was connected, even if nothing came over it.
const standing = 15 * time.Second

// world is what a backoff takes its time and its chance from.
type world struct {
	now    func() time.Time
	random func() float64
	sleep  func(context.Context, time.Duration) error
}

var realWorld = world{now: time.Now, random: rand.Float64, sleep: sleep}

// sleep waits; it returns the context's error if that is over before.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// backoff is the pauses and the deadline of one call with all its attempts, or of a stream that is
// opened anew whenever it breaks. The patience of a stream counts from the break and not from the
// last message: a match may rest for days.
type backoff struct {
	policy   RetryPolicy
	patience time.Duration
	world    world
	deadline time.Time
	delay    time.Duration
	opened   time.Time
	isStream bool
}

func newBackoff(policy RetryPolicy, patience time.Duration, world world) *backoff {
	b := &backoff{policy: policy, patience: patience, world: world}
	b.reset()
	return b
}

func newStreamBackoff(policy RetryPolicy, world world) *backoff {
	b := newBackoff(policy, policy.WatchPatience, world)
	b.isStream = true
	return b
}

// reset starts anew after progress.
func (b *backoff) reset() {
	b.deadline = b.world.now().Add(b.patience)
	b.delay = b.policy.InitialDelay
}

// open notes that a stream is being opened.
func (b *backoff) open() { b.opened = b.world.now() }

// left is the time until the deadline.
func (b *backoff) left() time.Duration { return b.deadline.Sub(b.world.now()) }

// attemptTimeout is how long the next attempt may take.
func (b *backoff) attemptTimeout() time.Duration {
	return max(0, min(b.policy.AttemptTimeout, b.left()))
}

// delayAfter returns the pause before the next attempt; false if there is to be none.
func (b *backoff) delayAfter(failure *CallError) (time.Duration, bool) {
	if b.isStream && b.world.now().Sub(b.opened) > standing {
		b.reset()
	}
	if !helpsToRepeat(failure) {
		return 0, false
	}
	// Jitter: clients cut off together must not come back together.
	pause := time.Duration(float64(b.delay)*(1+b.world.random())/2) + failure.RetryAfter
	if pause >= b.left() {
		return 0, false
	}
	b.delay = min(time.Duration(float64(b.delay)*b.policy.Multiplier), b.policy.MaxDelay)
	return pause, true
}

func helpsToRepeat(failure *CallError) bool {
	switch failure.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.Canceled: // a server that stops cancels what arrives in its last moment
		return true
	}
	isTold := failure.RetryAfter > 0
	return isTold || failure.Reason == pb.ErrorReason_ERROR_REASON_WATCHER_TOO_SLOW
}

package tablestate

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// transport makes the calls of a client, and repeats them where that helps.
type transport struct {
	catalog pb.CatalogServiceClient
	matches pb.MatchServiceClient
	engine  pb.EngineServiceClient
	timeout time.Duration
	retry   RetryPolicy
	world   world
	closed  atomic.Bool
}

// errorAfter is what a call ends with that is not repeated.
func (t *transport) errorAfter(ctx context.Context, failure *CallError) error {
	failure = failureOf(ctx, failure)
	if _, has := ctx.Deadline(); has && failure.Code == codes.DeadlineExceeded && failure.ReasonName == "" {
		// The caller's deadline is what leaves no time, even if the server told it first.
		failure.cause = context.DeadlineExceeded
	}
	if t.closed.Load() && failure.ReasonName == "" {
		failure.cause, failure.Message = ErrClosed, "the client was closed"
	}
	return typed(failure)
}

func newTransport(conn grpc.ClientConnInterface, timeout time.Duration, retry RetryPolicy) *transport {
	return &transport{
		catalog: pb.NewCatalogServiceClient(conn),
		matches: pb.NewMatchServiceClient(conn),
		engine:  pb.NewEngineServiceClient(conn),
		timeout: timeout,
		retry:   retry,
		world:   realWorld,
	}
}

// A unary is a method of a stub with one answer, a streaming one of many.
type (
	unary[Q, A any]     func(context.Context, *Q, ...grpc.CallOption) (*A, error)
	streaming[Q, A any] func(context.Context, *Q, ...grpc.CallOption) (grpc.ServerStreamingClient[A], error)
)

// call calls a method with one answer.
func call[Q, A any](ctx context.Context, t *transport, method unary[Q, A], request *Q) (*A, error) {
	return retried(ctx, t, t.timeout, t.retry, func(ctx context.Context) (*A, error) {
		return method(ctx, request)
	})
}

// callLong calls a method that computes for long: one attempt may take all the time there is.
func callLong[Q, A any](ctx context.Context, t *transport, method unary[Q, A], request *Q) (*A, error) {
	return retried(ctx, t, t.timeout, t.patient(), func(ctx context.Context) (*A, error) {
		return method(ctx, request)
	})
}

// collect calls a method that streams a finite answer, and returns all of it. onPart is called with
// each part when it comes; if the call is tried again, with those of the new stream too.
func collect[Q, A any](
	ctx context.Context, t *transport, patience time.Duration,
	method streaming[Q, A], request *Q, onPart func(*A),
) ([]*A, error) {
	return retried(ctx, t, patience, t.patient(), func(ctx context.Context) ([]*A, error) {
		stream, err := method(ctx, request)
		if err != nil {
			return nil, err
		}
		return parts(stream, onPart)
	})
}

// patient is the policy for calls that take long: only the deadline ends an attempt.
func (t *transport) patient() RetryPolicy {
	policy := t.retry
	policy.AttemptTimeout = time.Duration(1<<63 - 1)
	return policy
}

func parts[A any](stream grpc.ServerStreamingClient[A], onPart func(*A)) ([]*A, error) {
	var all []*A
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, part)
		if onPart != nil {
			onPart(part)
		}
	}
}

// mutated calls a method that changes something; its error tells the intent to repeat it with.
func mutated[Q, A any](
	ctx context.Context, t *transport, method unary[Q, A], intent Intent, request *Q,
) (*A, error) {
	answer, err := call(ctx, t, method, request)
	return answer, withIntent(err, intent)
}

func withIntent(err error, intent Intent) error {
	var failure *CallError
	if errors.As(err, &failure) {
		failure.Intent = &intent
	}
	return err
}

// retried makes attempts until one succeeds, none helps any more or time is up: the context's
// deadline, or without one the patience.
func retried[A any](
	ctx context.Context, t *transport, patience time.Duration, policy RetryPolicy,
	attempt func(context.Context) (A, error),
) (A, error) {
	if deadline, ok := ctx.Deadline(); ok {
		patience = time.Until(deadline)
	}
	backoff := newBackoff(policy, patience, t.world)
	for {
		one, cancel := context.WithTimeout(ctx, backoff.attemptTimeout())
		answer, err := attempt(one)
		cancel()
		if err == nil {
			return answer, nil
		}
		failure := failureOf(ctx, err)
		pause, again := backoff.delayAfter(failure)
		if !again || t.isGivenUp(ctx) || t.world.sleep(ctx, pause) != nil {
			return answer, t.errorAfter(ctx, failure)
		}
	}
}

// resumable is a stream that can go on where it broke.
type resumable[T any] struct {
	open    func(context.Context) (func() (T, error), error)
	accept  func(T) (bool, error)
	isDone  func() bool
	onBreak func(error)
}

// resumed yields every item once, over as many streams as it takes.
func resumed[T any](ctx context.Context, t *transport, stream resumable[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		backoff := newStreamBackoff(t.retry, t.world)
		for !stream.isDone() {
			backoff.open()
			err := stream.run(ctx, backoff, yield)
			if err == nil {
				return
			}
			if err := t.pauseAfter(ctx, backoff, err, stream.onBreak); err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// run yields what one stream brings; nil: the stream has ended by itself, or nobody listens.
func (s resumable[T]) run(ctx context.Context, backoff *backoff, yield func(T, error) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	receive, err := s.open(ctx)
	if err != nil {
		return err
	}
	for {
		item, err := receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		isNew, err := s.accept(item)
		if err != nil {
			return err
		}
		if isNew {
			backoff.reset()
			if !yield(item, nil) {
				return nil
			}
		}
	}
}

// pauseAfter waits before a stream is opened anew; an error if it is not to be.
func (t *transport) pauseAfter(
	ctx context.Context, backoff *backoff, err error, onBreak func(error),
) error {
	failure := failureOf(ctx, err)
	pause, again := backoff.delayAfter(failure)
	if !again || t.isGivenUp(ctx) {
		return t.errorAfter(ctx, failure)
	}
	if onBreak != nil {
		onBreak(typed(failure))
	}
	if t.world.sleep(ctx, pause) != nil {
		return t.errorAfter(ctx, failure)
	}
	return nil
}

// isGivenUp tells whether nobody waits for an answer any more.
func (t *transport) isGivenUp(ctx context.Context) bool { return ctx.Err() != nil || t.closed.Load() }

// codec writes messages deterministically: a call that is repeated with its intent, by another
// process too, then has the same bytes, whatever the order of a map.
type codec struct{}

// Marshal implements gRPC's CodecV2.
func (codec) Marshal(message any) (mem.BufferSlice, error) {
	written, ok := message.(proto.Message)
	if !ok {
		return nil, &CallError{Code: codes.Internal, Message: "no message of protobuf"}
	}
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(written)
	if err != nil {
		return nil, notWritten(written)
	}
	return mem.BufferSlice{mem.SliceBuffer(bytes)}, nil
}

// Unmarshal implements gRPC's CodecV2.
func (codec) Unmarshal(data mem.BufferSlice, message any) error {
	read, ok := message.(proto.Message)
	if !ok {
		return &CallError{Code: codes.Internal, Message: "no message of protobuf"}
	}
	return proto.Unmarshal(data.Materialize(), read)
}

// Name implements gRPC's CodecV2.
func (codec) Name() string { return "proto" }

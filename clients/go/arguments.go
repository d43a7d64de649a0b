package tablestate

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
)

// What callers give is checked here before anything is sent, as far as the server would not tell it
// better.

var (
	hostAndPort = regexp.MustCompile(`^(?:[\w.-]*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]):([0-9]{1,5})$`)
	// Other names than host:port are left to gRPC, if they say what they are.
	grpcName    = regexp.MustCompile(`^([a-z][a-z0-9+.-]*:/{2,3}|(dns|passthrough|unix|unix-abstract|xds):)\S+$`)
	headerName  = regexp.MustCompile(`^[0-9a-z_.-]+$`)
	headerValue = regexp.MustCompile(`^[ -~]*$`)
)

type header struct{ name, value string }

func (s *settings) check(target string) error {
	if !isTarget(target) {
		return notATarget(target)
	}
	if s.credentials == nil {
		return refusal("transport_credentials", "must not be nil")
	}
	if s.timeout <= 0 {
		return refusal("timeout", fmt.Sprintf("%v: must be more than 0", s.timeout))
	}
	if slices.ContainsFunc(s.dial, func(each grpc.DialOption) bool { return each == nil }) {
		return refusal("dial_options", "must not be nil")
	}
	for _, each := range s.given {
		if err := each.check(); err != nil {
			return err
		}
		s.headers.Append(each.name, each.value)
	}
	return s.retry.check()
}

func isTarget(target string) bool {
	named := hostAndPort.FindStringSubmatch(target)
	if named == nil {
		isURL := strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
		return grpcName.MatchString(target) && !isURL && utf8.ValidString(target)
	}
	port, err := strconv.ParseUint(named[1], 10, 16)
	return err == nil && port > 0
}

func notATarget(target string) error {
	expected := "must say where the server is, as 127.0.0.1:50051"
	return refusal("target", fmt.Sprintf("%s: %s", cut(strconv.Quote(target)), expected))
}

// check refuses what gRPC would not send. The value is not told: it may be a secret.
func (h header) check() error {
	name := strings.ToLower(h.name)
	if !headerName.MatchString(name) || strings.HasPrefix(name, "grpc-") {
		expected := "must be of the characters a-z, 0-9, -, _ and ., and not one of gRPC's own"
		return refusal("header.name", cut(strconv.Quote(h.name))+": "+expected)
	}
	if !strings.HasSuffix(name, "-bin") && !headerValue.MatchString(h.value) {
		return refusal("header."+name, "must be of characters of ASCII that print")
	}
	return nil
}

// whole is a time in the whole milliseconds that a field can hold.
func whole(field string, given time.Duration) (uint32, error) {
	if given < 0 || given.Milliseconds() > math.MaxUint32 {
		return 0, refusal(field, fmt.Sprintf("%v: must be from 0 to %d ms", given, uint32(math.MaxUint32)))
	}
	return uint32((given + time.Millisecond - 1).Milliseconds()), nil
}

const longestShown = 80

// cut is a text as an error shows it.
func cut(text string) string {
	if len(text) <= longestShown {
		return text
	}
	return strings.ToValidUTF8(text[:longestShown-1], "") + "…"
}

// A message that cannot be written is a fault of what was given. gRPC passes on no more of such an
// error than its text, and calls it its own.
const (
	unwritable       = "tablestate: cannot be written: "
	unwritableInGRPC = "grpc: error while marshaling: " + unwritable
)

func notWritten(message proto.Message) error { return errors.New(unwritable + notText(message)) }

// notText is the path of the first text of a message that is no UTF-8; "request": there is none.
func notText(message proto.Message) string {
	found := "request"
	_ = protorange.Range(message.ProtoReflect(), func(values protopath.Values) error {
		last := values.Index(-1)
		text, isText := last.Value.Interface().(string)
		key := last.Step.Kind() == protopath.MapIndexStep && !utf8.ValidString(last.Step.MapIndex().String())
		if isText && !utf8.ValidString(text) || key {
			found = pathOf(values.Path)
			return protorange.Terminate
		}
		return nil
	})
	return found
}

// pathOf names a field as the server does, as "match.metadata" or "open.bots[1]".
func pathOf(path protopath.Path) string {
	var text string
	for _, step := range path {
		switch step.Kind() {
		case protopath.FieldAccessStep:
			text += "." + string(step.FieldDescriptor().Name())
		case protopath.ListIndexStep:
			text += fmt.Sprintf("[%d]", step.ListIndex())
		}
	}
	return strings.TrimPrefix(text, ".")
}

// requireCount refuses another number of values than there must be.
func requireCount(field string, given int, expected int, each string) error {
	if given == expected {
		return nil
	}
	return refusal(field, fmt.Sprintf("%d of them: must be %d, one for each %s", given, expected, each))
}

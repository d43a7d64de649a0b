package tablestate

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// MutateOption is for calls that change something; nil says nothing.
type MutateOption func(*Intent)

// WithIntent makes a call part of an intent: repeated with the same one it has one effect.
func WithIntent(intent Intent) MutateOption {
	return func(chosen *Intent) { *chosen = intent }
}

func intentOf(options []MutateOption) Intent {
	intent := NewIntent()
	for _, option := range options {
		if option != nil {
			option(&intent)
		}
	}
	return intent
}

// Offboard is for a match of Offboard; what is left out takes its default.
func Offboard(options *pb.OffboardOptions) *pb.GameOptions {
	return &pb.GameOptions{Game: &pb.GameOptions_Offboard{Offboard: options}}
}

// OffTrack is for a match of OffTrack; what is left out takes its default.
func OffTrack(options *pb.OffTrackOptions) *pb.GameOptions {
	return &pb.GameOptions{Game: &pb.GameOptions_Offtrack{Offtrack: options}}
}

// Eternitium is for a match of Eternitium; what is left out takes its default.
func Eternitium(options *pb.EternitiumOptions) *pb.GameOptions {
	return &pb.GameOptions{Game: &pb.GameOptions_Eternitium{Eternitium: options}}
}

// OffTheRails is for a match of Off the Rails; what is left out takes its default.
func OffTheRails(options *pb.OffTheRailsOptions) *pb.GameOptions {
	return &pb.GameOptions{Game: &pb.GameOptions_OffTheRails{OffTheRails: options}}
}

// DefaultOptions are those of a game by its name, as "offboard"; [ErrNotFound] for a game that this
// client does not know.
func DefaultOptions(game string) (*pb.GameOptions, error) {
	options := &pb.GameOptions{}
	message := options.ProtoReflect()
	field := message.Descriptor().Fields().ByName(protoreflect.Name(game))
	if field == nil {
		return nil, &CallError{
			Code:       codes.NotFound,
			Reason:     pb.ErrorReason_ERROR_REASON_GAME_NOT_FOUND,
			ReasonName: "GAME_NOT_FOUND",
			Message:    "this client knows no such game",
			Metadata:   map[string]string{"game": game},
		}
	}
	message.Set(field, message.NewField(field))
	return options, nil
}

// GameOf is the name of the game that options belong to; "": of none.
func GameOf(options *pb.GameOptions) string {
	message := options.ProtoReflect()
	field := message.WhichOneof(message.Descriptor().Oneofs().ByName("game"))
	if field == nil {
		return ""
	}
	return string(field.Name())
}

// Notation names an action as the rules write it, as "e3e4".
func Notation(notation string) *pb.ActionChoice {
	return &pb.ActionChoice{Choice: &pb.ActionChoice_Notation{Notation: notation}}
}

// Index names an action by its index in the game's ActionSpace.
func Index(index uint32) *pb.ActionChoice {
	return &pb.ActionChoice{Choice: &pb.ActionChoice_Index{Index: index}}
}

// Typed names an action by its message.
func Typed(action *pb.GameAction) *pb.ActionChoice {
	return &pb.ActionChoice{Choice: &pb.ActionChoice_Action{Action: action}}
}

// Chosen names one of the listed legal actions; of nil it names none, which is refused.
func Chosen(action *pb.LegalAction) *pb.ActionChoice {
	if action == nil {
		return &pb.ActionChoice{}
	}
	return Index(action.GetIndex())
}

// Seat is for options that name a seat, of which there is a 0.
func Seat(seat uint32) *uint32 { return &seat }

// given is a version in a request; versions begin at 1, and 0 names none.
func given(version uint64) *uint64 {
	if version == 0 {
		return nil
	}
	return &version
}

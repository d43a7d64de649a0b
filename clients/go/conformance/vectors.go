package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// vector is a recorded game, as tests/data/vectors/README.md describes it.
type vector struct {
	name            string
	MatchID         string          `json:"match_id"`
	Seats           int             `json:"seats"`
	Options         json.RawMessage `json:"options"`
	CompleteOptions json.RawMessage `json:"complete_options"`
	Outcome         json.RawMessage `json:"outcome"`
	Steps           []step          `json:"steps"`
}

// step is the set-up of a game, or an action.
type step struct {
	Ply       uint32          `json:"ply"`
	Seat      uint32          `json:"seat"`
	Action    json.RawMessage `json:"action"`
	Actors    []uint32        `json:"actors"`
	LegalMask string          `json:"legal_mask"`
	Events    []struct {
		Viewers []viewer          `json:"viewers"`
		Events  []json.RawMessage `json:"events"`
	} `json:"events"`
	Views []struct {
		Viewers []viewer        `json:"viewers"`
		View    json.RawMessage `json:"view"`
	} `json:"views"`
}

// viewer is a seat, or -1 for a spectator.
type viewer int

const spectator viewer = -1

// UnmarshalJSON reads a number, or "spectator".
func (v *viewer) UnmarshalJSON(data []byte) error {
	if string(data) == `"spectator"` {
		*v = spectator
		return nil
	}
	return json.Unmarshal(data, (*int)(v))
}

func (v viewer) String() string {
	if v == spectator {
		return "spectator"
	}
	return fmt.Sprint(int(v))
}

// view is what a viewer sees.
func (s *step) view(who viewer) (*pb.GameView, error) {
	for _, item := range s.Views {
		if slices.Contains(item.Viewers, who) {
			return parsed(item.View, &pb.GameView{})
		}
	}
	return nil, fmt.Errorf("ply %d: no view of %v", s.Ply, who)
}

// events are what a viewer is told.
func (s *step) events(who viewer) ([]*pb.GameEvent, error) {
	var told []*pb.GameEvent
	for _, item := range s.Events {
		if !slices.Contains(item.Viewers, who) {
			continue
		}
		for _, text := range item.Events {
			event, err := parsed(text, &pb.GameEvent{})
			if err != nil {
				return nil, err
			}
			told = append(told, event)
		}
	}
	return told, nil
}

func parsed[M proto.Message](text json.RawMessage, message M) (M, error) {
	return message, protojson.Unmarshal(text, message)
}

// readVectors reads the vectors of a folder, in the byte order of their names.
func readVectors(folder string) ([]*vector, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("there are no vectors in %q", folder)
	}
	slices.Sort(paths)
	var vectors []*vector
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		read := &vector{name: strings.TrimSuffix(filepath.Base(path), ".json")}
		if err := json.Unmarshal(text, read); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		vectors = append(vectors, read)
	}
	return vectors, nil
}

// printAll prints the messages of every vector, and those made by hand, after a way as bytes.
func printAll(vectors []*vector, from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, each := range vectors {
		if err := printTo(filepath.Join(to, each.name+".jsonl"), each.print); err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
	}
	edges, err := os.ReadFile(filepath.Join(from, "edges.jsonl"))
	if err != nil {
		return err
	}
	return printTo(filepath.Join(to, "edges.jsonl"), func(out *printer) { printEdges(out, edges) })
}

func printTo(path string, print func(*printer)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := &printer{bufio.NewWriter(file), nil}
	print(out)
	return errors.Join(out.err, out.Flush())
}

// printEdges prints messages of which each line names its type.
func printEdges(out *printer, text []byte) {
	for line := range bytes.Lines(text) {
		var edge struct {
			Type protoreflect.FullName `json:"type"`
			JSON json.RawMessage       `json:"json"`
		}
		if out.err = json.Unmarshal(line, &edge); out.err != nil {
			return
		}
		kind, err := protoregistry.GlobalTypes.FindMessageByName(edge.Type)
		if out.err = err; err != nil {
			return
		}
		out.print(edge.JSON, kind.New().Interface())
	}
}

func (v *vector) print(out *printer) {
	out.print(v.Options, &pb.GameOptions{})
	out.print(v.CompleteOptions, &pb.GameOptions{})
	out.print(v.Outcome, &pb.Outcome{})
	for _, each := range v.Steps {
		if each.Action != nil {
			out.print(each.Action, &pb.LegalAction{})
		}
		for _, item := range each.Events {
			for _, event := range item.Events {
				out.print(event, &pb.GameEvent{})
			}
		}
		for _, item := range each.Views {
			out.print(item.View, &pb.GameView{})
		}
	}
}

// printer keeps the first error.
type printer struct {
	*bufio.Writer
	err error
}

// print parses a message, encodes and decodes it, and prints it on a line.
func (p *printer) print(text json.RawMessage, message proto.Message) {
	if p.err != nil {
		return
	}
	line, err := roundTrip(text, message)
	if err == nil {
		_, err = p.Write(append(line, '\n'))
	}
	p.err = err
}

func roundTrip(text json.RawMessage, message proto.Message) ([]byte, error) {
	if err := protojson.Unmarshal(text, message); err != nil {
		return nil, err
	}
	bytes, err := proto.Marshal(message)
	if err != nil {
		return nil, err
	}
	again := message.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(bytes, again); err != nil {
		return nil, err
	}
	return protojson.Marshal(again)
}

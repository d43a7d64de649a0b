package tablestate

import (
	"context"

	pb "github.com/tablestate/tablestate/clients/go/gen/tablestate/v1"
)

// Replay is a match from its first entry to its last.
type Replay struct {
	// Match is the match as it stands.
	Match *pb.Match
	// Updates are all entries as the viewer may know them.
	Updates []*pb.MatchUpdate
	// Entries are the full record; none unless the match has ended and its reveal is AT_END.
	Entries []*pb.RecordedEntry
	// Secrets is what was secret while the match was running; only with a full record.
	Secrets *pb.ReplaySecrets
}

func replay(ctx context.Context, t *transport, request *pb.GetReplayRequest) (*Replay, error) {
	parts, err := collect(ctx, t, t.timeout, t.matches.GetReplay, request, nil)
	if err != nil {
		return nil, err
	}
	whole := &Replay{}
	for _, part := range parts {
		switch part := part.GetPart().(type) {
		case *pb.GetReplayResponse_Match:
			whole.Match = part.Match
		case *pb.GetReplayResponse_Update:
			whole.Updates = append(whole.Updates, part.Update)
		case *pb.GetReplayResponse_Recorded:
			whole.Entries = append(whole.Entries, part.Recorded)
		case *pb.GetReplayResponse_Secrets:
			whole.Secrets = part.Secrets
		}
	}
	return whole, nil
}

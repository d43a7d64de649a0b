/** A whole match, as a viewer may know it. */
import { create } from "@bufbuild/protobuf";
import { type Match, MatchSchema, type MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import type {
  GetReplayResponse,
  RecordedEntry,
  ReplaySecrets,
} from "./gen/tablestate/v1/match_service_pb.js";

/** A match from its first entry to its last. */
export interface Replay {
  /** The match as it stands. */
  match: Match;
  /** Every entry as the viewer may know it. */
  updates: MatchUpdate[];
  /** The full record; empty unless the match has ended and its `revealPolicy` is AT_END. */
  entries: RecordedEntry[];
  /** What was secret while the match was running; only with a full record. */
  secrets?: ReplaySecrets;
}

/** Puts the parts of a replay together. */
export function toReplay(parts: Iterable<GetReplayResponse>): Replay {
  const replay: Replay = { match: create(MatchSchema), updates: [], entries: [] };
  for (const { part } of parts) {
    if (part.case === "match") replay.match = part.value;
    else if (part.case === "update") replay.updates.push(part.value);
    else if (part.case === "recorded") replay.entries.push(part.value);
    else if (part.case === "secrets") replay.secrets = part.value;
  }
  return replay;
}

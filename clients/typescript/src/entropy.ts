/** What seats add to the chance of their matches. */
import { Intent, type SeatCredential } from "./credentials.js";
import { PreconditionError } from "./errors.js";
import type { MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import { MatchService } from "./gen/tablestate/v1/match_service_pb.js";
import type { CallOptions, Calls } from "./transport.js";

const { revealEntropy } = MatchService.method;

/** The hash by which a seat promises its entropy; see `docs/chance.md`. Needs a secure context. */
export async function entropyHash(
  matchId: string,
  entropy: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  const fields = [text.encode("tablestate/entropy/v1"), text.encode(matchId), entropy];
  const message = new Uint8Array(fields.flatMap((field) => [...lengthOf(field), ...field]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", message));
}

/** The length of a field, as the frame before it. */
function lengthOf(field: Uint8Array): Uint8Array {
  const frame = new DataView(new ArrayBuffer(4));
  frame.setUint32(0, field.length);
  return new Uint8Array(frame.buffer);
}

/** Reveals what a seat has promised, unless it has promised nothing or it is not due. */
export async function reveal(
  calls: Calls,
  { matchId, token, entropy }: SeatCredential,
  options: CallOptions,
): Promise<void> {
  if (entropy.length === 0) return;
  const intent = new Intent();
  const request = { requestId: intent.requestId, matchId, seatToken: token, entropy };
  try {
    await calls.mutate(revealEntropy, request, intent, options);
  } catch (error) {
    // A watch tells of what is long over, too.
    const isOver = error instanceof PreconditionError && OVER.has(error.reason);
    if (!isOver) throw error;
  }
}

const OVER = new Set(["ENTROPY_NOT_DUE", "MATCH_ENDED"]);

/** Reveals what a seat has promised, if an update of its match calls for it. */
export async function revealIfDue(
  calls: Calls,
  credential: SeatCredential,
  update: MatchUpdate,
): Promise<void> {
  const isDue = update.entropyAwaited.includes(credential.seat);
  if (isDue && credential.matchId === update.matchId) await reveal(calls, credential, {});
}

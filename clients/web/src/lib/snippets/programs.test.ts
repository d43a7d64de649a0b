// @vitest-environment jsdom
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import {
  CatalogService,
  EngineService,
  gameOptions,
  MatchPhase,
  MatchService,
  newToken,
  OffTheRailsBoard,
  ProposalKind,
  Visibility,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { position } from "../../boards/fixtures/index.js";
import { LANGUAGES, type ShownCall, snippet } from "./index.js";

/** What the page asks for; `tests/support/page_calls.py` puts other matches in their place. */
const matchId = "0123456789abcdef0123456789abcdef";
const otherId = "fedcba9876543210fedcba9876543210";
const host = { requestId: "0123456789abcdef", matchId, hostToken: newToken() };
const seat = { requestId: "0123456789abcdef", matchId, seatToken: newToken() };
const { catalog, engine, match } = {
  catalog: CatalogService.method,
  engine: EngineService.method,
  match: MatchService.method,
};

function call<D extends DescMessage>(
  method: ShownCall["method"] & { input: D },
  init: MessageInitShape<D>,
): ShownCall {
  return { method, request: create(method.input, init) };
}

function action(notation: string): { choice: { case: "notation"; value: string } } {
  return { choice: { case: "notation", value: notation } };
}

const rails = position("off_the_rails", "two: actions");

/** A call of each kind that the page makes, by its method's name and what is special of it. */
const CALLS: Record<string, ShownCall> = {
  GetServerInfo: call(catalog.getServerInfo, {}),
  ListGames: call(catalog.listGames, {}),
  CreateMatch: call(match.createMatch, {
    requestId: host.requestId,
    hostToken: host.hostToken,
    options: gameOptions("off_the_rails", { seats: 3, board: OffTheRailsBoard.AISLE }),
    visibility: Visibility.UNLISTED,
    timeControl: { bank: { seconds: 180n, nanos: 0 }, increment: { seconds: 2n, nanos: 0 } },
    waitingLimit: { seconds: 3600n, nanos: 0 },
    metadata: { tableName: "1234" },
  }),
  ListMatches: call(match.listMatches, {
    game: "offboard",
    phases: [MatchPhase.WAITING],
    pageSize: 5,
  }),
  GetMatch: call(match.getMatch, { matchId }),
  "GetMatch of a seat": call(match.getMatch, { matchId, seatToken: seat.seatToken }),
  "GetMatch of a host": call(match.getMatch, { matchId, hostToken: host.hostToken }),
  GetView: call(match.getView, { matchId, version: 2n }),
  "GetView of a seat": call(match.getView, {
    matchId,
    seatToken: seat.seatToken,
    includeLegalActions: true,
  }),
  GetReplay: call(match.getReplay, { matchId }),
  VerifyReplay: call(match.verifyReplay, { matchId }),
  JoinMatch: call(match.joinMatch, { ...seat, seat: 1, displayName: `$HOME's "1234"` }),
  AddBot: call(match.addBot, { ...host, bot: "random", seat: 1 }),
  StartMatch: call(match.startMatch, host),
  AbortMatch: call(match.abortMatch, host),
  ListLegalActions: call(match.listLegalActions, { matchId, seatToken: seat.seatToken }),
  SubmitAction: call(match.submitAction, { ...seat, expectedVersion: 4n, choice: action("c2c3") }),
  Propose: call(match.propose, { ...seat, kind: ProposalKind.DRAW }),
  Respond: call(match.respond, { ...seat, proposalVersion: 5n, accept: true }),
  Resign: call(match.resign, seat),
  LeaveSeat: call(match.leaveSeat, seat),
  Rematch: call(match.rematch, { ...seat, newSeatToken: newToken(), newHostToken: newToken() }),
  ResumeMatch: call(match.resumeMatch, seat),
  WatchMatches: call(match.watchMatches, { subscriptions: [{ matchId, includeView: true }] }),
  "WatchMatches of a seat": call(match.watchMatches, {
    subscriptions: [{ matchId, seatToken: seat.seatToken, afterVersion: 1n }],
  }),
  "WatchMatches of several": call(match.watchMatches, {
    subscriptions: [{ matchId, seatToken: seat.seatToken }, { matchId: otherId }],
  }),
  Search: call(engine.search, {
    options: rails.options,
    view: rails.view,
    seat: rails.viewer,
    budget: { case: "milliseconds", value: 50 },
    progressMilliseconds: 200,
  }),
};

test("the programs of all calls are those that are run against a service", async () => {
  const programs = Object.entries(CALLS).map(([name, shown]) => {
    return [name, Object.fromEntries(LANGUAGES.map((each) => [each, snippet(each, shown)]))];
  });
  const text = JSON.stringify(Object.fromEntries(programs), null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot("../../../../../tests/data/page_calls.json");
});

// @vitest-environment jsdom
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import {
  CreateMatchRequestSchema,
  GetViewRequestSchema,
  gameOptions,
  JoinMatchRequestSchema,
  MatchService,
  newToken,
  SubmitActionRequestSchema,
  WatchMatchesRequestSchema,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { LANGUAGES, type ShownCall, snippet, tokenLines } from "./index.js";

const matchId = "0123456789abcdef0123456789abcdef";

function call<D extends DescMessage>(
  method: ShownCall["method"],
  schema: D,
  init: MessageInitShape<D>,
): ShownCall {
  return { method, request: create(schema, init) };
}

const joined = call(MatchService.method.joinMatch, JoinMatchRequestSchema, {
  requestId: "0123456789abcdef",
  matchId,
  seatToken: newToken(),
  seat: 1,
  displayName: "Ada's",
});

test("no line of any language shows a token", () => {
  const { seatToken } = joined.request as ReturnType<typeof create<typeof JoinMatchRequestSchema>>;
  const secret = btoa(String.fromCharCode(...seatToken));
  for (const language of LANGUAGES) {
    expect(snippet(language, joined)).not.toContain(secret);
  }
  expect(snippet("Shell", joined)).toContain(`"seatToken": "'"$SEAT_TOKEN"'"`);
});

test("quotes in names do not end the shell's", () => {
  expect(snippet("Shell", joined)).toContain("Ada'\\''s");
});

test("an invitation code is no more shown than a token", () => {
  const invited = call(MatchService.method.joinMatch, JoinMatchRequestSchema, {
    matchId,
    invitationCode: "fedcba9876543210fedcba9876543210",
  });
  for (const language of LANGUAGES) expect(snippet(language, invited)).not.toContain("fedcba98");
  expect(snippet("Shell", invited)).toContain(`"invitationCode": "'"$INVITATION_CODE"'"`);
});

test("names stay names, whatever they look like", () => {
  const named = (displayName: string) => {
    return call(MatchService.method.joinMatch, JoinMatchRequestSchema, { matchId, displayName });
  };
  expect(snippet("Python", named("1234"))).toContain(`display_name="1234"`);
  expect(snippet("TypeScript", named("1234"))).toContain(`displayName: "1234"`);
  expect(snippet("Shell", named("$HOME"))).toContain(`"displayName": "$HOME"`);
  expect(snippet("Shell", named(`"seatToken": "x"`))).toContain(`\\"seatToken\\": \\"x\\"`);
});

test("a call is told as each client makes it", () => {
  expect(snippet("Python", joined)).toContain(
    `client.join("${matchId}", seat=1, display_name="Ada's")`,
  );
  expect(snippet("TypeScript", joined)).toContain(
    `await client.join("${matchId}", { seat: 1, displayName: "Ada's" });`,
  );
});

test("options go by their names in each language", () => {
  const options = gameOptions("offboard", { pointsToWin: 2 });
  const created = call(MatchService.method.createMatch, CreateMatchRequestSchema, { options });
  expect(snippet("Python", created)).toContain(
    `client.create_match("offboard", {"points_to_win": 2})`,
  );
  expect(snippet("TypeScript", created)).toContain(
    `client.createMatch("offboard", { pointsToWin: 2 })`,
  );
});

test("what a seat does is told with its handle", () => {
  const submitted = call(MatchService.method.submitAction, SubmitActionRequestSchema, {
    matchId,
    seatToken: newToken(),
    expectedVersion: 5n,
    choice: { choice: { case: "notation", value: "e3e4" } },
  });
  const python = snippet("Python", submitted);
  expect(python).toContain(`SeatCredential("${matchId}", 0, b64decode(os.environ["SEAT_TOKEN"]))`);
  expect(python).toContain(`player.submit("e3e4", expected_version=5)`);
  expect(snippet("TypeScript", submitted)).toContain(
    `console.log(await player.submit("e3e4", { expectedVersion: 5n }));`,
  );
});

test("a spectator reads with the client, and a stream is looped over", () => {
  const viewed = call(MatchService.method.getView, GetViewRequestSchema, { matchId, version: 3n });
  expect(snippet("Python", viewed)).toContain(`client.view("${matchId}", version=3)`);
  const watched = call(MatchService.method.watchMatches, WatchMatchesRequestSchema, {
    subscriptions: [{ matchId, includeView: true }],
  });
  expect(snippet("Python", watched)).toContain("for item in client.watch(");
  expect(snippet("TypeScript", watched)).toContain("for await (const item of client.watch(");
});

test("what is copied sets the variables that the lines name, and no others", () => {
  const { seatToken } = joined.request as ReturnType<typeof create<typeof JoinMatchRequestSchema>>;
  const secret = btoa(String.fromCharCode(...seatToken));
  expect(tokenLines("Shell", joined)).toBe(`export SEAT_TOKEN='${secret}'`);
  expect(tokenLines("Python", joined)).toBe("");
});

test("seats that are watched together have a variable each", () => {
  const watched = call(MatchService.method.watchMatches, WatchMatchesRequestSchema, {
    subscriptions: [1, 2].map(() => ({ matchId, seatToken: newToken() })),
  });
  const lines = snippet("TypeScript", watched, (_, token) => token.length);
  expect(lines).toContain(
    `("${matchId}", 32, Buffer.from(process.env.SEAT_TOKEN ?? "", "base64"))`,
  );
  expect(lines).toContain("process.env.SEAT_TOKEN_2");
  expect(tokenLines("TypeScript", watched).split("\n")).toHaveLength(2);
});

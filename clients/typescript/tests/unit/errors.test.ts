import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  ErrorReason,
  IllegalActionError,
  InternalError,
  InvalidRequestError,
  NotTheActorError,
  StaleVersionError,
  TablestateError,
  toTablestateError,
  UnavailableError,
} from "@tablestate/client";
import { describe, expect, test } from "vitest";
import { BadRequestSchema } from "../../src/gen/google/rpc/error_details_pb.js";
import { refusal } from "./support.js";

describe("an error has the class of its reason, and its facts", () => {
  test("an illegal action", () => {
    const facts = { rule: "R3", action: "e3e4" };
    const error = toTablestateError(refusal(Code.FailedPrecondition, "ILLEGAL_ACTION", facts));
    expect(error).toBeInstanceOf(IllegalActionError);
    expect(error).toMatchObject({ rule: "R3", action: "e3e4", reason: "ILLEGAL_ACTION" });
  });

  test("not the actor", () => {
    const facts = { actor: "0", seat: "1" };
    const error = toTablestateError(refusal(Code.FailedPrecondition, "NOT_THE_ACTOR", facts));
    expect(error).toBeInstanceOf(NotTheActorError);
    expect(error).toMatchObject({ actor: 0, seat: 1 });
  });

  test("a stale version", () => {
    const facts = { current_version: "7", expected_version: "5" };
    const error = toTablestateError(refusal(Code.Aborted, "STALE_VERSION", facts));
    expect(error).toBeInstanceOf(StaleVersionError);
    expect(error).toMatchObject({ currentVersion: 7, expectedVersion: 5 });
  });

  test("a fault of the server", () => {
    const error = toTablestateError(refusal(Code.Internal, "INTERNAL", { incident: "4711" }));
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ incident: "4711" });
  });

  test("fields that are wrong", () => {
    const fieldViolations = [{ field: "points_to_win", description: "99, expected 1 to 6" }];
    const value = create(BadRequestSchema, { fieldViolations });
    const details = [{ desc: BadRequestSchema, value }];
    const error = toTablestateError(
      new ConnectError("no", Code.InvalidArgument, undefined, details),
    );
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.violations).toEqual(fieldViolations);
  });
});

test("every reason of the contract becomes a class that says what to do", () => {
  for (const reason of Object.values(ErrorReason).filter((each) => typeof each === "string")) {
    const error = toTablestateError(refusal(Code.FailedPrecondition, reason));
    expect(error.constructor, reason).not.toBe(TablestateError);
  }
});

test("a connection that breaks is an unavailable server", () => {
  const broken = [
    ConnectError.from(new TypeError("fetch failed"), Code.Internal),
    ConnectError.from("missing EndStreamResponse", Code.Internal),
    new ConnectError("http/2 stream closed with error code CANCEL (0x8)", Code.Canceled),
    new ConnectError("protocol error: promised 5 bytes, received 2", Code.InvalidArgument),
  ];
  for (const error of broken) expect(toTablestateError(error)).toBeInstanceOf(UnavailableError);
});

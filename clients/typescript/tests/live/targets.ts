/** The services that the tests are given, each by a way of reaching it. */
import { Client, type ClientOptions } from "@tablestate/client";
import { grpcTransport } from "@tablestate/client/node";

export interface Target {
  readonly name: string;
  readonly client: (options?: ClientOptions) => Client;
}

const { TABLESTATE_GRPC, TABLESTATE_GATEWAY } = process.env;

export const targets: Target[] = [];
if (TABLESTATE_GRPC) {
  const transport = grpcTransport(TABLESTATE_GRPC);
  targets.push({ name: "gRPC", client: (options) => new Client(transport, options) });
}
if (TABLESTATE_GATEWAY) {
  targets.push({ name: "gateway", client: (options) => new Client(TABLESTATE_GATEWAY, options) });
}
if (targets.length === 0) throw new Error("name a service: TABLESTATE_GRPC, TABLESTATE_GATEWAY");

/** For Node: gRPC over HTTP/2, which reaches the bidirectional calls too. */
import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, type GrpcTransportOptions } from "@connectrpc/connect-node";
import { httpAddress } from "./arguments.js";

/**
 * A transport to the service's own port, as "http://127.0.0.1:50051". Give it to `Client`, or to
 * Connect's `createClient` with one of the services for calls such as `Play` and `Simulate`.
 */
export function grpcTransport(
  baseUrl: string,
  options: Omit<GrpcTransportOptions, "baseUrl"> = {},
): Transport {
  return createGrpcTransport({ ...options, baseUrl: httpAddress("baseUrl", baseUrl) });
}

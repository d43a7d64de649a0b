import { readFileSync } from "node:fs";
import { Client, UnavailableError } from "@tablestate/client";
import { grpcTransport } from "@tablestate/client/node";
import { expect, test } from "vitest";

const { TABLESTATE_TLS_FILES, TABLESTATE_TLS_TARGET, TABLESTATE_TLS_ELSEWHERE } = process.env;
const pem = (name: string) => readFileSync(`${TABLESTATE_TLS_FILES}/${name}.pem`);
const known = { cert: pem("client"), key: pem("client_key") };

/** Of a client whose calls are not tried again. */
async function version(target: string | undefined, nodeOptions: object): Promise<string> {
  const transport = grpcTransport(`https://${target}`, { nodeOptions });
  const client = new Client(transport, { retry: { initialDelayMs: 3_600_000 } });
  return (await client.serverInfo()).version;
}

test("a client of the authority is served", async () => {
  expect(await version(TABLESTATE_TLS_TARGET, { ca: pem("ca"), ...known })).toBe("0.1.0");
});

test.each([
  ["a client without a certificate is not served", TABLESTATE_TLS_TARGET, { ca: pem("ca") }],
  ["another authority is not trusted", TABLESTATE_TLS_TARGET, { ca: pem("stranger"), ...known }],
  ["another name is not trusted", TABLESTATE_TLS_ELSEWHERE, { ca: pem("ca"), ...known }],
])("%s", async (_what, target, options) => {
  await expect(version(target, options)).rejects.toBeInstanceOf(UnavailableError);
});

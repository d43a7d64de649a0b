import { defineConfig } from "vitest/config";

export default defineConfig({
  // The client is tested as it is written, not as it was last built.
  resolve: { conditions: ["source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
});

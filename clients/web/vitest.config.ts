import { defineConfig, mergeConfig } from "vitest/config";

import page from "./vite.config.js";

// One environment for all: it is the browser's builds of Svelte and the client that are tested.
export default mergeConfig(
  page,
  defineConfig({ test: { environment: "jsdom", isolate: false, testTimeout: 30_000 } }),
);

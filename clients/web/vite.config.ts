import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The service that `vite dev` passes calls on to.
const SERVICE = process.env.TABLESTATE_GATEWAY ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte()],
  // The client is read as it is written, not as it was last built.
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  build: {
    outDir: "../../service/tablestate_service/gateway/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "^/tablestate\\.v1\\.": SERVICE } },
});

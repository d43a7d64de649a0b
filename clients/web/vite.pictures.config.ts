import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// A program for Node that draws the pictures of the rules: tools/generate.py builds and runs it.
export default defineConfig({
  plugins: [svelte({ emitCss: false, compilerOptions: { css: "injected" } })],
  ssr: {
    resolve: { conditions: ["source", "module", "node", "production"] },
    noExternal: true,
    external: ["jsdom"],
  },
  build: { ssr: "src/boards/pictures/main.ts", emptyOutDir: true },
});

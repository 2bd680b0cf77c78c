import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // Tests run the sources; package.json maps the same name to the compiled file.
    alias: { "#primitives": new URL("./src/node/primitives.ts", import.meta.url).pathname },
  },
  test: {
    include: ["test/**/*.test.ts"],
    // One less than there are processors, as by default, would be a single one on two.
    maxWorkers: "100%",
    // A file of tests that is isolated loads the library anew: a third of all the time. None changes what is global and leaves it so.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

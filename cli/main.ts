#!/usr/bin/env node
// Node below the floor must read this file, so it imports nothing before it has looked at the version.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `mdcx needs Node 20.19 or newer; this is Node ${process.versions.node}. Install a newer Node.\n`,
  );
  process.exit(2);
}
const { run } = await import("./commands.js");
await run(process.argv.slice(2));

export {};

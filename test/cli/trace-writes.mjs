// Loaded before the command: notes every call that opens a file for writing, makes, renames or copies one, then makes it.
// The modules of the command import these functions by name, so the exports of node:fs are renewed after the change.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const log = fs.openSync(process.env.MDCX_TEST_TRACE, "a");
const { writeSync } = fs;
const note = (...parts) => writeSync(log, `${parts.join("\t")}\n`);
note("start");

const reads = (flags) =>
  flags === undefined ||
  flags === "r" ||
  (typeof flags === "number" && (flags & 3) === fs.constants.O_RDONLY && (flags & fs.constants.O_CREAT) === 0);

function wrap(owner, name, describe) {
  const real = owner[name];
  if (typeof real !== "function") return;
  owner[name] = function (...args) {
    const described = describe(args);
    if (described !== undefined) note(...described);
    return real.apply(this, args);
  };
}

for (const owner of [fs, fs.promises]) {
  for (const name of ["open", "openSync"])
    wrap(owner, name, ([path, flags, mode]) =>
      reads(flags) ? undefined : ["open", path, `${flags} ${typeof mode === "number" ? mode.toString(8) : ""}`],
    );
  for (const name of ["writeFile", "writeFileSync", "appendFile", "appendFileSync"])
    wrap(owner, name, ([path]) => ["writeFile", String(path)]);
  for (const name of [
    "rename",
    "renameSync",
    "copyFile",
    "copyFileSync",
    "cp",
    "cpSync",
    "link",
    "linkSync",
    "symlink",
  ])
    wrap(owner, name, ([from, to]) => [name.replace("Sync", ""), from, to]);
  for (const name of ["mkdir", "mkdirSync", "mkdtemp", "mkdtempSync"]) wrap(owner, name, ([path]) => ["mkdir", path]);
}
wrap(fs, "createWriteStream", ([path]) => ["writeFile", String(path)]);
syncBuiltinESMExports();

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { parseSecret } from "../../src/index.js";
import { KEY, scratchFolder } from "../cli/mdcx.js";
import { mounted } from "../shards/collection.js";
import { DOCUMENTS, installed, machine, ran } from "./scripts.js";

const PORT = 17_817;
const START = fileURLToPath(new URL("one-node-slurm.sh", import.meta.url));
const possible =
  process.env.MDCX_LONG !== undefined &&
  process.getuid?.() === 0 &&
  ["munged", "slurmctld", "slurmd", "sbatch"].every(installed);

// Nothing is cleared up behind a file of which no test runs.
const folder = possible ? await scratchFolder("slurm") : "";
let cluster: ChildProcess | undefined;
afterAll(async () => {
  cluster?.stdin?.end();
  if (cluster?.exitCode === null) await once(cluster, "exit");
});

// Needs MDCX_LONG, root, and the Debian packages slurmctld, slurmd, slurm-client and munge.
it.skipIf(!possible)(
  "a Slurm array on one node packs every shard, runs one that failed alone, and the shards answer together",
  async () => {
    const here = await machine(folder);
    cluster = spawn(START, [join(folder, "cluster"), String(PORT)], { stdio: ["pipe", "pipe", "inherit"] });
    const [ready] = (await once(cluster.stdout!, "data")) as [Buffer];
    expect(ready.toString()).toBe("ready\n");
    const env = { ...here.env, SLURM_CONF: join(folder, "cluster", "slurm.conf") };
    const submit = (array: string, count: string, ...more: readonly string[]) => {
      const options = ["--wait", `--array=${array}`, "--cpus-per-task=1", "--mem=1G", `--output=${folder}/%a.log`];
      return ran("sbatch", [...options, "slurm.sh", here.documents, here.place, "berths", count, ...more], env);
    };
    expect(await submit("1-3", "3")).toMatchObject({ code: 0, stdout: /^Submitted batch job \d+\n$/ });
    const files = (await readdir(here.place)).sort();
    expect(files).toEqual(["berths-1-of-3.mdcx", "berths-2-of-3.mdcx", "berths-3-of-3.mdcx"]);
    const corpus = await mounted(
      files.map((name) => join(here.place, name)),
      parseSecret(KEY),
    );
    expect((await corpus.search("berth", { limit: 50 })).found).toBe(DOCUMENTS);
    await corpus.close();
    expect(await submit("2", "3")).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, "2.log"), "utf8")).toMatch(/berths-2-of-3\.mdcx is written/);
    const small = await submit("2", "3", "--memory", "9M");
    expect(small, "a task that fails is told of").toMatchObject({ code: 2 });
    expect(await readFile(join(folder, "2.log"), "utf8")).toMatch(/9 MiB are allowed: .*--shard/);
    expect(await submit("4", "3")).toMatchObject({ code: 2 });
    expect(await readFile(join(folder, "4.log"), "utf8")).toMatch(/--shard needs a part/);
  },
  300_000,
);

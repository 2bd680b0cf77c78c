import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPackage, parseSecret } from "../../src/index.js";
import { KEY, scratchFolder } from "../cli/mdcx.js";
import { objectStore, signedBy } from "./object-store.js";
import { CLUSTER, DOCUMENTS, installed, machine, ran, script } from "./scripts.js";

/** A process of mdcx for each step makes them slow. */
const quick = process.env.MDCX_LONG === undefined;
const here = await machine(await scratchFolder("cluster"));

/** Paths of what a package holds, and its revision. */
async function inside(
  file: string | Uint8Array,
): Promise<{ readonly paths: readonly string[]; readonly revision: number }> {
  const pkg = await openPackage(file, { secret: parseSecret(KEY) });
  try {
    return { paths: pkg.image.documents().map(({ path }) => path), revision: pkg.claims.revision };
  } finally {
    await pkg.close();
  }
}

describe("pack-shard.sh", () => {
  it("packs into a folder that machines share, and takes the package up that is there", async () => {
    const paths: string[] = [];
    for (const [index, revision] of [
      [1, 1],
      [2, 1],
      [2, 2],
    ] as const) {
      const run = await script("pack-shard.sh", [here.documents, here.place, "berths", `${index}`, "2"], here.env);
      expect(run).toMatchObject({ code: 0, stderr: "" });
      const found = await inside(join(here.place, `berths-${index}-of-2.mdcx`));
      expect(found.revision).toBe(revision);
      if (revision === 1) paths.push(...found.paths);
    }
    expect(paths).toHaveLength(DOCUMENTS);
    expect(new Set(paths)).toHaveProperty("size", DOCUMENTS);
    expect((await readdir(here.place)).sort()).toEqual(["berths-1-of-2.mdcx", "berths-2-of-2.mdcx"]);
  });

  it("puts the package under an address, with credentials that no other user of the machine sees, and leaves nothing", async () => {
    const token = "token-of-the-test-7fa1";
    const store = await objectStore(token);
    try {
      const args = [here.documents, store.address, "berths", "1", "2", "--title", "Berths"];
      const env = { ...here.env, MDCX_BEARER: token };
      expect(await script("pack-shard.sh", args, env)).toMatchObject({ code: 0 });
      const [[path, first]] = [...store.files] as [[string, Uint8Array]];
      expect(path).toBe("/manuals/berths-1-of-2.mdcx");
      expect((await inside(first)).revision).toBe(1);
      expect(await script("pack-shard.sh", args, env)).toMatchObject({ code: 0 });
      expect((await inside(store.files.get(path)!)).revision).toBe(2);
      expect(store.requests).toEqual([`GET ${path} 404`, `PUT ${path} 204`, `GET ${path} 200`, `PUT ${path} 204`]);
      expect(store.secretSeen()).toBe(false);
      const refused = await script("pack-shard.sh", args, { ...env, MDCX_BEARER: "wrong" });
      expect(refused).toMatchObject({ code: 1, stderr: /answered 401\n$/ });
      expect((await inside(store.files.get(path)!)).revision).toBe(2);
      expect(await readdir(here.tmp)).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it.skipIf(quick)("signs what it asks of a bucket as S3 wants it, and shows the secret to nobody", async () => {
    const secret = "secret/Of+the+test7fa2";
    const store = await objectStore(secret, signedBy("AKIDEXAMPLE", secret));
    try {
      const args = [here.documents, `${store.address}2026`, "berths", "1", "2"];
      const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: "eu-central-1" };
      expect(await script("pack-shard.sh", args, { ...here.env, ...keys })).toMatchObject({ code: 0 });
      const session = { ...here.env, ...keys, AWS_SESSION_TOKEN: "FwoGZXIvYXdzE+/==" };
      expect(await script("pack-shard.sh", args, session)).toMatchObject({ code: 0 });
      expect(store.requests.map((one) => one.replace(/ .* /, " "))).toEqual([
        "GET 404",
        "PUT 204",
        "GET 200",
        "PUT 204",
      ]);
      const other = { ...here.env, ...keys, AWS_SECRET_ACCESS_KEY: "another" };
      expect(await script("pack-shard.sh", args, other)).toMatchObject({ code: 1, stderr: /answered 401/ });
      expect(store.secretSeen()).toBe(false);
    } finally {
      await store.close();
    }
  });

  it("fails as mdcx does, and puts nothing where no document is dealt to the shard", async () => {
    const store = await objectStore("none");
    try {
      const env = { ...here.env, MDCX_BEARER: "none" };
      const empty = await script("pack-shard.sh", [here.documents, store.address, "berths", "1", "900"], env);
      expect(empty).toMatchObject({ code: 0, stderr: /No document is dealt to this shard/ });
      const wrong = await script("pack-shard.sh", [here.documents, store.address, "berths", "3", "2"], env);
      expect(wrong).toMatchObject({ code: 2, stderr: /--shard needs a part/ });
      expect(store.files.size).toBe(0);
      const name = await script("pack-shard.sh", [here.documents, here.place, "my berths", "1", "2"], here.env);
      expect(name).toMatchObject({ code: 2, stderr: /letters, digits, dots and dashes/ });
      expect(await script("pack-shard.sh", [], here.env)).toMatchObject({ code: 2, stderr: /^Packs one shard/ });
    } finally {
      await store.close();
    }
  });
});

describe("put-together.sh", () => {
  it.skipIf(quick)(
    "verifies what there is, lists it for a server, and names the shards without a package",
    async () => {
      const run = await script("put-together.sh", [here.place, "berths", "2"], here.env);
      expect(run.stdout).toBe(`${here.place}/berths-1-of-2.mdcx\n${here.place}/berths-2-of-2.mdcx\n`);
      expect(run).toMatchObject({ code: 0, stderr: `${DOCUMENTS} documents in 2 packages\n` });
      const damaged = join(here.place, "berths-2-of-2.mdcx");
      const bytes = await readFile(damaged);
      await writeFile(damaged, bytes.with(bytes.length - 100, bytes.at(-100)! ^ 1));
      expect(await script("put-together.sh", [here.place, "berths", "2"], here.env)).toMatchObject({ code: 1 });
      await rm(damaged);
      const less = await script("put-together.sh", [here.place, "berths", "2"], here.env);
      expect(less).toMatchObject({ code: 0, stderr: /in 1 packages\nno package of shard 2: / });
      await writeFile(damaged, "no package\n".repeat(100));
      expect(await script("put-together.sh", [here.place, "berths", "2"], here.env)).toMatchObject({
        code: 2,
        stderr: /^put-together\.sh: .*berths-2-of-2\.mdcx/m,
      });
      const nowhere = await script("put-together.sh", [`${here.place}/none`, "berths", "2"], here.env);
      expect(nowhere).toMatchObject({ code: 1, stderr: /^0 documents in 0 packages$/m });
      await rm(damaged);
    },
  );
});

describe("parallel.sh", () => {
  it.skipIf(quick || !installed("parallel"))("packs every shard by GNU parallel", async () => {
    const run = await script("parallel.sh", [here.documents, here.place, "fleet", "3"], { ...here.env, JOBS: "2" });
    expect(run).toMatchObject({ code: 0 });
    const files = (await readdir(here.place)).filter((name) => name.startsWith("fleet-"));
    expect(files.sort()).toEqual(["fleet-1-of-3.mdcx", "fleet-2-of-3.mdcx", "fleet-3-of-3.mdcx"]);
    const paths = await Promise.all(files.map(async (name) => (await inside(join(here.place, name))).paths));
    expect(paths.flat()).toHaveLength(DOCUMENTS);
  });
});

describe("the Kubernetes Job", () => {
  it("runs the shard of its index, and has one number of shards in all its places", async () => {
    const job = await readFile(join(CLUSTER, "job.yaml"), "utf8");
    expect(/completions: (\d+)/.exec(job)![1]).toBe(/name: COUNT, value: "(\d+)"/.exec(job)![1]);
    const command = /args:\n\s+- (exec bash .+)\n/.exec(job)![1]!;
    const local = command.replace("/scripts/", `${CLUSTER}/`).replace("/documents", here.documents);
    expect(local).not.toBe(command);
    const env = { ...here.env, PLACE: here.place, NAME: "pods", COUNT: "2", JOB_COMPLETION_INDEX: "1" };
    expect(await ran("bash", ["-c", local], env)).toMatchObject({ code: 0 });
    expect((await stat(join(here.place, "pods-2-of-2.mdcx"))).size).toBeGreaterThan(0);
  });

  it.skipIf(!installed("kubectl"))("is put together with its script by kubectl", async () => {
    const { stdout, code } = await ran("kubectl", ["kustomize", CLUSTER], here.env);
    expect(code).toBe(0);
    const name = /kind: ConfigMap\nmetadata:\n {2}name: (mdcx-scripts-\w+)\n/.exec(stdout)![1]!;
    expect(stdout).toContain(`configMap:\n          name: ${name}\n`);
    expect(stdout).toContain("JOB_COMPLETION_INDEX");
  });
});

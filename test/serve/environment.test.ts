import { delimiter } from "node:path";
import { describe, expect, it } from "vitest";
import { readServerEnvironment } from "../../src/node/server-environment.js";

describe("the environment of a server", () => {
  it("has its defaults where nothing is set, or only empty variables", () => {
    const nothing = readServerEnvironment({});
    expect(nothing).toEqual({
      files: [],
      issuerKey: undefined,
      pinFile: undefined,
      model: undefined,
      idleUnload: 600_000,
      log: "text",
      audit: undefined,
      auditQueries: false,
      debug: false,
      unknown: [],
    });
    const names = [
      "FILE",
      "ISSUER_KEY",
      "PINS",
      "MODEL",
      "IDLE_UNLOAD_MINUTES",
      "LOG",
      "AUDIT",
      "AUDIT_QUERIES",
      "DEBUG",
    ];
    expect(readServerEnvironment(Object.fromEntries(names.map((name) => [`MDCX_${name}`, ""])))).toEqual(nothing);
  });

  it("names packages a line each, or between the system's separators of paths", () => {
    const files = (text: string): readonly string[] => readServerEnvironment({ MDCX_FILE: text }).files;
    expect(files("/a/one, two.mdcx\n/b/three four.mdcx\r\n\n")).toEqual(["/a/one, two.mdcx", "/b/three four.mdcx"]);
    expect(files(["a.mdcx", "b.mdcx"].join(delimiter))).toEqual(["a.mdcx", "b.mdcx"]);
    expect(files(`a.mdcx${delimiter}b.mdcx\nc.mdcx`)).toEqual(["a.mdcx", "b.mdcx", "c.mdcx"]);
    expect(files(`https://example.org/a.mdcx\nb${delimiter}c.mdcx`)).toEqual([
      "https://example.org/a.mdcx",
      `b${delimiter}c.mdcx`,
    ]);
  });

  it.each([
    ["MDCX_LOG", "jsonl", "text, json, off"],
    ["MDCX_AUDIT_QUERIES", "yes", "on, off"],
    ["MDCX_DEBUG", "true", "1, 0"],
    ["MDCX_IDLE_UNLOAD_MINUTES", "soon", "number of minutes"],
    ["MDCX_IDLE_UNLOAD_MINUTES", "-1", "number of minutes"],
    ["MDCX_IDLE_UNLOAD_MINUTES", "1e9", "number of minutes"],
    ["MDCX_IDLE_UNLOAD_MINUTES", "99999", "number of minutes"],
  ])("refuses %s=%s and says what it can be", (name, value, allowed) => {
    const read = () => readServerEnvironment({ [name]: value });
    expect(read).toThrow(`${name} is "${value}"`);
    expect(read).toThrow(allowed);
  });

  it("shows no more than the beginning of a value that was put into the wrong variable", () => {
    const key = "mdcx-key-abcdefghijklmnopqrstuvwxyz";
    expect(() => readServerEnvironment({ MDCX_LOG: key })).toThrow(/"mdcx-key-abc…"/);
  });

  it("names variables that there are not, with the nearest one that there is", () => {
    const { unknown } = readServerEnvironment({
      MDCX_KEYFILE: "x",
      MDCX_IDLE_UNLOAD: "5",
      MDCX_QQQ: "1",
      MDCX_LOG: "off",
      MDCX_KEY: "secret",
      PATH: "/bin",
    });
    expect(unknown).toEqual([
      "There is no variable MDCX_KEYFILE: did you mean MDCX_KEY_FILE?",
      "There is no variable MDCX_IDLE_UNLOAD: did you mean MDCX_IDLE_UNLOAD_MINUTES?",
      "There is no variable MDCX_QQQ.",
    ]);
  });

  it("takes minutes with decimals, and 0 for never", () => {
    expect(readServerEnvironment({ MDCX_IDLE_UNLOAD_MINUTES: "0.5" }).idleUnload).toBe(30_000);
    expect(readServerEnvironment({ MDCX_IDLE_UNLOAD_MINUTES: "0" }).idleUnload).toBe(0);
  });
});

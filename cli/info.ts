import { readConversionFigures } from "../src/conversion-tally.js";
import { conversionLine } from "./conversion-line.js";
import { command } from "./command.js";
import type { DocumentLine, Head, Package, PackageInfo } from "../src/index.js";
import type { FolderComparison } from "../src/compare-folder.js";
import { MdcxError } from "../src/errors.js";
import { whenHere } from "../src/format/not-here-yet.js";
import { parseShard } from "../src/shard.js";
import { DONE } from "./failure.js";
import { warnsBelow } from "../src/ranking/relevance.js";
import { errorRates } from "./error-rates.js";
import { label } from "./layout.js";
import { directionLine } from "./pack-facts.js";
import { bytes, counted, json, note, printableLine, say, styled } from "./print.js";
import { showComparison } from "./show-comparison.js";
import {
  issuerLine,
  pinsFor,
  withCacheOption,
  withJson,
  withPackage,
  withPinOptions,
  withSecretOptions,
} from "./reading.js";

/** Documents read for the list in one go. */
const PAGE = 200;

export const infoCommand = command({
  command: "info <package>",
  describe: "show what a package states of itself; needs no key",
  builder: (args) =>
    withJson(withPinOptions(withCacheOption(withSecretOptions(args))))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .option("documents", {
        type: "boolean",
        default: false,
        describe: "also list the documents, which needs the key",
      })
      .option("against", {
        type: "string",
        requiresArg: true,
        describe: "also what was added, changed and gone in this folder since it was packed, which needs the key",
      })
      .option("shard", {
        type: "string",
        requiresArg: true,
        describe: "with --against, of a package that holds part I of N: against that part of the folder, such as 2/3",
      })
      .example("$0 info handbook.mdcx", "issuer, counts, languages, who may open it")
      .example("$0 info handbook.mdcx --documents", "also every document's name")
      .example("$0 info handbook.mdcx --against ./handbook", "is it time to pack again?"),
  handler: async (args) => {
    const { readStatement } = await import("../src/index.js");
    if (args.shard !== undefined && args.against === undefined)
      throw new MdcxError(
        "bad-input",
        "--shard goes with --against: it says which part of the folder the package holds.",
      );
    const head = await readStatement(args.package, await pinsFor(args.package, args));
    const withKey =
      args.documents || args.against !== undefined || args.key !== undefined || args.keyFile !== undefined;
    if (!withKey) {
      if (args.json) json(statement(head));
      else await showLabel(args.package, head);
    } else {
      await withPackage(args.package, args, async (pkg) => {
        const known = await whenHere(() => pkg.info());
        const documents = args.documents ? await list(pkg) : [];
        const against = args.against === undefined ? undefined : await compared(pkg, args.against, args);
        if (args.json)
          json({
            ...statement(head),
            ...sealed(known),
            ...(args.documents && { list: documents }),
            ...(against && { against }),
          });
        else {
          await showLabel(args.package, head);
          const { overviews } = known;
          const rules = Object.entries(known.rules).map(([rule, version]) => `${rule} ${version}`);
          say(
            label([
              ["Overviews", overviews === 0 ? undefined : `${overviews} of the passages, written elsewhere`],
              ["Passages by", known.cut ?? undefined],
              ...factLines(known),
              ...meaningLines(known),
              ["Rules", rules.join(", ")],
            ]),
          );
          if (args.documents) showDocuments(documents);
          if (against) showComparison(against, args.against!);
        }
      });
    }
    process.exitCode = DONE;
  },
});

/** Holds a package against a folder; it may lie there itself, and so may its secret. */
async function compared(
  pkg: Package,
  folder: string,
  args: {
    readonly package: string;
    readonly keyFile?: readonly string[] | undefined;
    readonly shard?: string | undefined;
  },
): Promise<FolderComparison> {
  const { compareFolder } = await import("../src/compare-folder.js");
  const { MDCX_KEY_FILE } = process.env;
  const ownFiles = [args.package, ...(args.keyFile ?? []), ...(MDCX_KEY_FILE === undefined ? [] : [MDCX_KEY_FILE])];
  return compareFolder(pkg, folder, ownFiles, args.shard === undefined ? undefined : parseShard(args.shard));
}

function statement(head: Head): Record<string, unknown> {
  return {
    ...head.claims.raw,
    signature: head.signatureState,
    root: Buffer.from(head.root).toString("hex"),
    file_bytes: fileBytes(head),
    slots: head.envelope.slots.map((slot) => ({
      type: slot.type === "unknown" ? slot.typeName : slot.type,
      ...(slot.label !== undefined && { label: slot.label }),
    })),
  };
}

/** How the threshold was obtained, in words. */
const ORIGINS = {
  estimated: "estimated from its own passages",
  focus: "from questions given when it was packed (focus)",
  "focus-after": "from questions given to mdcx calibrate (focus-after)",
} as const;

/** What only the key shows of how it is found. */
function sealed(known: PackageInfo): Record<string, unknown> {
  const { overviews, rules, cut, encoder, calibration, datedFrom, directions } = known;
  return {
    overviews,
    dated_from: datedFrom,
    directions,
    rules,
    passages_by: cut,
    encoder,
    calibration: calibration && {
      answerable_at: calibration.answerableAt,
      origin: calibration.origin,
      base: calibration.base,
      margin: calibration.margin,
      false_alarms: calibration.falseAlarms,
      misses: calibration.misses,
      questions: calibration.questions,
    },
  };
}

/** What is known of its documents, and from where. */
function factLines({ datedFrom, directions }: PackageInfo): [string, string | undefined][] {
  const origins = Object.entries(datedFrom).map(([origin, count]) => `${printableLine(origin)} ${count}`);
  return [
    ["Dates from", origins.length === 0 ? undefined : origins.join(", ")],
    ["Direction", directionLine(directions)],
  ];
}

function meaningLines({ encoder, calibration }: PackageInfo): [string, string][] {
  if (encoder === null) return [];
  const { dtype, pooling, window } = encoder;
  const lines: [string, string][] = [
    ["Encoder", `${dtype}, pooled by ${pooling}${window > 0 ? `, window of ${window} tokens` : ""}`],
  ];
  if (calibration !== null)
    lines.push([
      "Warns",
      `that nothing is about a question whose nearest passage is less like it than ${warnsBelow(calibration).toFixed(2)} (questions on other subjects reach ${calibration.strangers.toFixed(2)} on average), unless its words stand together in a passage`,
    ]);
  const tried = calibration === null ? "" : errorRates(calibration);
  if (tried !== "")
    lines.push([
      "Tried",
      `on questions ${calibration!.origin === "estimated" ? "made from its passages" : "that were given"}: ${tried}`,
    ]);
  return lines;
}

function fileBytes(head: Head): number {
  const chunks = head.imageLength / 16_384 + 1;
  return head.sealedStart + 56 + head.imageLength + 16 * chunks;
}

async function showLabel(file: string, head: Head): Promise<void> {
  const { claims } = head;
  const { dated, model, answerableAt: answerable } = claims;
  const all = claims.documents + claims.attachments;
  const [predominant] = claims.languages;
  say(styled("bold", claims.title === "" ? file : printableLine(claims.title)));
  say(
    label([
      ["Package", `${claims.packageId}, revision ${claims.revision}`],
      ["Issuer", await issuerLine(head)],
      ["Made", claims.created.replace("T", " ").replace("Z", " UTC")],
      [
        "Documents",
        counted(claims.documents, "document") +
          (claims.attachments === 0 ? "" : ` and ${counted(claims.attachments, "attachment")} that no search finds`),
      ],
      ["Passages", claims.passages.toLocaleString("en")],
      [
        "Languages",
        predominant &&
          `mostly ${predominant.code} (${claims.languages.map(({ code, documents }) => `${code} ${documents}`).join(", ")})`,
      ],
      [
        "Dated",
        `${dated.count} of ${all} dated${dated.from === null || dated.to === null ? "" : `, ${dated.from} to ${dated.to}`}`,
      ],
      ["Converted", conversionLine(readConversionFigures(claims.conversion))],
      ["Meaning", model ? `${printableLine(model.id)}, ${model.dimensions} dimensions` : "none: found by words alone"],
      ["Answerable", answerable ? `from ${answerable.value.toFixed(3)} (${ORIGINS[answerable.origin]})` : undefined],
      ["Size", bytes(fileBytes(head))],
      ["Opens with", head.envelope.slots.map(slotName).join(", ")],
      ["Integrity", "the head and the leaf table are whole; `mdcx verify` reads every byte"],
    ]),
  );
}

function slotName(slot: Head["envelope"]["slots"][number], position: number): string {
  const kind =
    slot.type === "scrypt"
      ? "a passphrase"
      : slot.type === "key"
        ? "a key"
        : `"${printableLine(slot.typeName)}" (unknown here)`;
  return `${position}: ${kind}${slot.label === undefined ? "" : ` (${printableLine(slot.label)})`}`;
}

async function list(pkg: Package): Promise<DocumentLine[]> {
  const lines: DocumentLine[] = [];
  for (let from = 0; from < pkg.documentCount; from += PAGE)
    lines.push(...(await whenHere(() => pkg.documents(from, PAGE))));
  return lines;
}

function showDocuments(documents: readonly DocumentLine[]): void {
  for (const document of documents) {
    const facts = [
      document.language,
      bytes(document.bytes),
      document.indexed ? counted(document.passages, "passage") : "not indexed",
      document.dated === undefined ? undefined : `${document.dated} (${printableLine(document.datedFrom ?? "")})`,
      document.direction,
    ].filter((fact) => fact !== undefined);
    say(`${styled("cyan", printableLine(document.document))}  ${styled("dim", facts.join(" · "))}`);
    if (document.title !== "") say(`    ${printableLine(document.title)}`);
  }
  note(styled("dim", counted(documents.length, "document")));
}

import { existsSync } from "node:fs";

/** Where distributions put it, the name that a user gives first. */
const PLACES = [
  process.env.MDCX_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The program of a Chromium of this machine. */
export const chromiumPath = PLACES.find((place) => place !== undefined && existsSync(place));

/** Why a test that needs one is left out; empty where there is one. */
export const withoutChromium =
  chromiumPath === undefined
    ? " (left out: no Chromium here; apt-get install chromium, or name it in MDCX_CHROMIUM)"
    : "";

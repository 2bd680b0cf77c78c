import { attackerRefusals } from "./attackers.js";
import { bytesRefusals } from "./bytes.js";
import { headRefusals } from "./head.js";
import { imageRefusals } from "./image.js";
import { jsonRefusals } from "./json.js";
import type { Refusal } from "./refusal.js";
import { signatureRefusals } from "./signature.js";
import { slotRefusals } from "./slots.js";

/** Every file that must be refused; spec/vectors/malleability holds each of them for other implementers. */
export const refusals: readonly Refusal[] = [
  ...bytesRefusals,
  ...headRefusals,
  ...jsonRefusals,
  ...signatureRefusals,
  ...attackerRefusals,
  ...slotRefusals,
  ...imageRefusals,
];

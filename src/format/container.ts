export { readHead, signatureSentence, type Head, type Pins, type SignatureState } from "./head.js";
export { openContainer, type OpenedContainer, type OpenOptions } from "./open.js";
export { rekey, reseal, type RekeyOptions, type RekeyReport, type ResealOptions } from "./rekey.js";
export { Rewriting, type RewriteOptions, type RewriteReport, type RewriteReport as ResealReport } from "./rewrite.js";
export { verifyContainer, type VerifyOptions, type VerifyReport } from "./verify.js";
export { writeContainer, type NewContainer, type WrittenContainer } from "./write.js";

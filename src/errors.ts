/**
 * Every way in which mdcx refuses, by name. The name is for programs and tests, the message for people: one sentence
 * that says what is wrong, and what to do where something can be done.
 */
export type ErrorCode =
  // the file as bytes
  | "not-a-package" // no magic, or shorter than the smallest package
  | "newer-version" // a format version that this reader does not know
  | "version-1" // written by the Python mdcx
  | "bad-length" // n, m or L against its limits, or against the length of the file
  | "head-damaged" // the head digest differs
  | "bad-json" // claims or envelope break the JSON rules
  | "bad-claims" // a claim of the wrong type or value
  | "bad-envelope" // a slot of the wrong shape
  | "bad-suite" // the seal record names another suite or leaf size
  | "bad-signature"
  | "table-damaged" // the leaf table does not give the root
  | "leaf-damaged" // a leaf of the image does not give its digest
  | "chunk-damaged" // AES-GCM refuses a chunk
  | "bad-commitment" // the commitment of the sealed image differs
  | "bad-tag" // the head was not written by a holder of the file key
  // secrets
  | "no-usable-slot"
  | "wrong-secret"
  | "slot-damaged"
  | "kdf-too-costly"
  | "bad-secret" // empty, too long, mistyped key
  // pins
  | "wrong-issuer"
  | "unsigned"
  | "wrong-package"
  | "older-revision"
  // the image
  | "bad-image" // not the SQLite image that its meta describes
  | "image-too-large"
  | "newer-rules" // its words were made by rules that this reader does not know
  // conversion
  | "refused" // an original that cannot be converted
  | "missing-package" // an optional dependency that this needs
  // meaning
  | "missing-model" // a model that is not on this machine
  | "encoder-failed" // a model or a server that gives no vector
  | "no-meaning" // a package without vectors, asked by meaning alone
  | "other-model" // vectors of another model than the one at hand
  // the web
  | "no-answer" // a server that cannot be reached, stalls, or says that it failed
  | "no-ranges" // a server that sends whole files only
  | "file-changed" // the file on the server is not the one that was opened, or the server does not answer truthfully
  | "unsafe-address" // a redirect to where a public server must not lead
  | "no-access" // a server that wants other credentials
  // use
  | "bad-input" // an argument, a question, a source document
  | "empty-shard" // a shard that no document is dealt to: nothing to write, and nothing wrong
  | "not-found"
  | "unsafe-path"
  | "io" // the file system says no
  | "internal";

/** An error that is meant to be read: `code` names the refusal, `message` is one sentence for a person. */
export class MdcxError extends Error {
  override readonly name = "MdcxError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

import { AwsV4Signer } from "aws4fetch";
import { MdcxError } from "../errors.js";
import type { Credentials } from "../format/http-transport.js";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where a package on the web is read from, and what lets the request in. */
export interface RemoteAddress {
  /** `https://…` or `http://…` */
  readonly address: string;
  readonly credentials?: Credentials;
}

/**
 * What a named address comes to with what is in the environment: `MDCX_BEARER` is sent as a bearer token (RFC 6750) to
 * `https:` addresses and to this machine; `s3://bucket/name.mdcx` is signed (AWS Signature Version 4) with the usual AWS
 * variables.
 *
 * @throws MdcxError `bad-input` for an s3 address that cannot be read, `no-access` where its variables are missing
 */
export function remoteAddress(address: string, environment: NodeJS.ProcessEnv): RemoteAddress {
  if (address.startsWith("s3://")) return s3Address(address, environment);
  const token = environment.MDCX_BEARER;
  if (token === undefined || token === "") return { address };
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new MdcxError(
      "bad-input",
      "MDCX_BEARER holds a blank or a character that no token has: set the token alone.",
    );
  return {
    address,
    credentials: ({ protocol, hostname }) => {
      if (protocol === "https:" || LOOPBACK.test(hostname))
        return Promise.resolve({ Authorization: `Bearer ${token}` });
      throw new MdcxError(
        "no-access",
        "MDCX_BEARER is set, and would travel readable for everybody to an http:// address: use https://, or unset it.",
      );
    },
  };
}

function s3Address(address: string, environment: NodeJS.ProcessEnv): RemoteAddress {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^?#]+)$/.exec(address);
  if (parts === null)
    throw new MdcxError("bad-input", "The address of the package cannot be read: write it as s3://bucket/name.mdcx.");
  const [bucket, key] = parts.slice(1) as [string, string];
  const accessKeyId = environment.AWS_ACCESS_KEY_ID ?? "";
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY ?? "";
  if (accessKeyId === "" || secretAccessKey === "")
    throw new MdcxError(
      "no-access",
      "An s3:// address needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment (and AWS_REGION, AWS_ENDPOINT_URL where they differ from AWS's own).",
    );
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
  const sessionToken = environment.AWS_SESSION_TOKEN;
  const path = key
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  return {
    address:
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com/${path}`
        : `${endpoint.replace(/\/+$/, "")}/${bucket}/${path}`,
    credentials: async (url) => {
      const signer = new AwsV4Signer({
        url: url.href,
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
        service: "s3",
        region,
      });
      const { headers } = await signer.sign();
      return Object.fromEntries(headers.entries());
    },
  };
}

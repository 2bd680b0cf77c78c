import { HttpSource } from "../format/http-source.js";
import { NodeTransport } from "./http-transport.js";
import { remoteAddress } from "./remote-credentials.js";

/** A package on the web, with what the environment says of credentials. */
export async function openRemoteSource(address: string): Promise<HttpSource> {
  const { address: url, credentials } = remoteAddress(address, process.env);
  const transport = new NodeTransport();
  try {
    return await HttpSource.open(url, transport, credentials && { credentials });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

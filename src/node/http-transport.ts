import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { MdcxError } from "../errors.js";
import type { HttpAnswer, HttpRequest, HttpTransport } from "../format/http-transport.js";
import { isPrivateAddress, isPrivateHost } from "./address-guard.js";

/** Milliseconds that a connection is kept for the next question. */
const IDLE = 30_000;
/** Milliseconds in which a connection must come about. */
const CONNECT = 9_000;

export interface NodeTransportOptions {
  /** Certificates that are trusted beside those of the system, PEM. */
  readonly ca?: string;
  readonly isPrivate?: (host: string) => Promise<boolean>;
  /** Looks up a host that is connected to; the system's unless given. */
  readonly lookup?: Lookup;
}

type Lookup = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Requests by undici: HTTP/2 where the server speaks it over TLS, else HTTP/1.1. */
export class NodeTransport implements HttpTransport {
  readonly isPrivate: (host: string) => Promise<boolean>;
  readonly #agents = new Map<boolean, Agent>();

  constructor(private readonly options: NodeTransportOptions = {}) {
    this.isPrivate = options.isPrivate ?? isPrivateHost;
  }

  async get(url: URL, { headers, publicOnly, signal }: HttpRequest): Promise<HttpAnswer> {
    // A host that is a number is never looked up.
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (publicOnly && isIP(host) !== 0 && (await this.isPrivate(host))) throw privateNetwork();
    const answer = await request(url, { method: "GET", headers, signal, dispatcher: this.#agent(publicOnly) });
    return {
      status: answer.statusCode,
      header: (name) => {
        const value = answer.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: answer.body as AsyncIterable<Uint8Array>,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#agents.clear();
  }

  #agent(publicOnly: boolean): Agent {
    let agent = this.#agents.get(publicOnly);
    if (agent === undefined) {
      const { ca } = this.options;
      agent = new Agent({
        allowH2: true,
        keepAliveTimeout: IDLE,
        connect: {
          timeout: CONNECT,
          ...(ca !== undefined && { ca }),
          ...(publicOnly && { lookup: publicLookup(this.options.lookup ?? lookup) }),
        },
      });
      this.#agents.set(publicOnly, agent);
    }
    return agent;
  }
}

/** Looks a host up and refuses private addresses: what was public when it was asked may be another one when it is connected to. */
function publicLookup(lookup: Lookup) {
  return (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        done(error, []);
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address))) done(privateNetwork(), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

function privateNetwork(): MdcxError {
  return new MdcxError(
    "unsafe-address",
    "A public address leads to this machine or a private network, where nothing is read from.",
  );
}

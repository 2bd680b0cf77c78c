/** How requests are sent on this platform. Given from outside, so that the format knows no network of its own. */
export interface HttpTransport {
  /**
   * Sends one GET and gives the answer as soon as its headers are here; redirects are given back as they came.
   *
   * @param request.publicOnly refuse to connect to this machine or a private network, whatever the name resolves to now
   */
  get(url: URL, request: HttpRequest): Promise<HttpAnswer>;
  /** Whether a host, by name or number, is this machine or in a private network. */
  isPrivate(host: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly publicOnly: boolean;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  /** The bytes as they come. Whoever does not read to the end breaks off, which ends the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Headers that let a request in, for one address. They are sent to its origin and to no other, redirected or not. */
export type Credentials = (url: URL) => Promise<Readonly<Record<string, string>>>;

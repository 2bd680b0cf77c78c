import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Debian puts it is on nobody's path but root's. */
const NGINX = ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"], { stdio: "ignore" }).status === 0);
const OPENSSL = spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;

/** Why the tests with nginx cannot run here; undefined where they can. */
export const withoutNginx =
  NGINX === undefined
    ? "needs nginx: apt-get install nginx-light"
    : OPENSSL
      ? undefined
      : "needs openssl for a certificate";

/** A token of these tests, worth nothing anywhere else. */
export const TOKEN = "a-token-of-a-test";

export interface Nginx {
  /** `http://…/`: its folders are `open/`, `guarded/` (a bearer token) and `whole/` (no parts of files). */
  readonly plain: string;
  /** The same over TLS and HTTP/2. */
  readonly tls: string;
  readonly certificate: string;
  /** The folder that it serves. */
  readonly files: string;
  /** What it was asked, a line each: protocol, status, bytes sent, range. */
  log(): string[];
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  return port;
}

/** Starts nginx on loopback, with nothing of the system's configuration, in a folder of its own. */
export async function startNginx(): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "mdcx-nginx-"));
  const files = join(folder, "files");
  mkdirSync(files);
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj"].concat([
      "/CN=127.0.0.1",
      "-addext",
      "subjectAltName=IP:127.0.0.1",
      "-keyout",
      key,
      "-out",
      certificate,
    ]),
    { stdio: "ignore" },
  );
  const [port, tlsPort] = [await freePort(), await freePort()];
  const locations = `
    location /open/ { alias ${files}/; }
    location /whole/ { alias ${files}/; max_ranges 0; }
    location /guarded/ { if ($http_authorization != "Bearer ${TOKEN}") { return 401; } alias ${files}/; }`;
  writeFileSync(
    join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http {
  log_format asked '$server_protocol $status $body_bytes_sent $http_range';
  access_log ${folder}/access.log asked;
  client_body_temp_path ${folder}/t1; proxy_temp_path ${folder}/t2; fastcgi_temp_path ${folder}/t3;
  uwsgi_temp_path ${folder}/t4; scgi_temp_path ${folder}/t5;
  server { listen 127.0.0.1:${port}; ${locations} }
  server {
    listen 127.0.0.1:${tlsPort} ssl http2; ssl_certificate ${certificate}; ssl_certificate_key ${key}; ${locations}
  }
}
`,
  );
  const child = spawn(NGINX!, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) =>
    child.on("exit", () => {
      resolve();
    }),
  );
  const plain = `http://127.0.0.1:${port}/`;
  for (let tried = 0; ; tried++) {
    try {
      await fetch(plain);
      break;
    } catch (error) {
      if (tried === 100)
        throw new Error(`nginx does not start: ${readFileSync(join(folder, "error.log"), "utf8")}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    plain,
    tls: `https://127.0.0.1:${tlsPort}/`,
    certificate: readFileSync(certificate, "utf8"),
    files,
    log: () => readFileSync(join(folder, "access.log"), "utf8").trim().split("\n").slice(1),
    close: async () => {
      child.kill("SIGQUIT");
      const late = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await ended;
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

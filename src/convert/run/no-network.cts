/**
 * Loaded into every thread of a worker before anything else: a document that names an address, and a library that would
 * follow it, reach nothing. All connections are made of sockets, whatever their protocol. A CommonJS module, because Node
 * loads only such into threads whose code is given as text.
 */
import dgram = require("node:dgram");
import dns = require("node:dns");
import nodeModule = require("node:module");
import net = require("node:net");

function refuse(): never {
  throw new Error("a conversion does not use the network");
}

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.Socket.prototype.bind = refuse;
dgram.Socket.prototype.send = refuse;
// A name that is looked up tells its server as much as a request.
for (const api of [dns, dns.promises] as unknown as Record<string, unknown>[])
  for (const name of Object.keys(api))
    if (/^(?:lookup|resolve|reverse)/.test(name) && typeof api[name] === "function") api[name] = refuse;
nodeModule.syncBuiltinESMExports();

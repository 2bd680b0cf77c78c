import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/**
 * Networks that are no part of the public internet (IANA's registries of special-purpose addresses, RFC 6890 and what
 * followed): this machine, private ones, links, shared address space, documentation, multicast, what is reserved.
 */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

/** Whether an address is in a network that is not public. What is no address counts as one. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  // BlockList looks through IPv4 that is mapped into IPv6.
  return PRIVATE.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Whether a host leads, by any of its addresses, to this machine or a private network. One that is unknown leads nowhere. */
export async function isPrivateHost(host: string): Promise<boolean> {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) !== 0) return isPrivateAddress(name);
  try {
    return (await lookup(name, { all: true })).some(({ address }) => isPrivateAddress(address));
  } catch {
    return false;
  }
}

/** Addresses that are not public: loopback, private and link-local networks (IANA's special-purpose registries). */
import { lookup as lookupOnce } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const notPublic = new BlockList();
for (const [subnet, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(subnet, bits, 'ipv4');
  // The same addresses, translated to IPv6 (RFC 6052).
  notPublic.addSubnet(`64:ff9b::${subnet}`, 96 + bits, 'ipv6');
}
for (const [subnet, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(subnet, bits, 'ipv6');
}

/** Whether the host, or one of the addresses of its name, is not public. An unknown name counts as public. */
export async function isPrivate({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  return found.some(isNotPublic);
}

const isNotPublic = ({ address }: { address: string }) =>
  notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Looks up a name for a connection, and gives it no address that is not public. A name may have another address now than
 * when it was checked.
 */
const lookupPublic: LookupFunction = (host, options, done) =>
  lookupOnce(host, { ...options, all: true }, (error, found = []) => {
    const wrong = error ?? (found.some(isNotPublic) ? new Error(`${host} is in the local network`) : null);
    const [first] = found;
    if (wrong !== null) done(wrong, []);
    else if (options.all) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  });

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * The field of a request that keeps `fetch` out of the local network. Node does not export the agent that its `fetch` is
 * made of; after the first request, it is the global dispatcher. Other runtimes have none, and only the check before.
 */
export function onlyPublic(): object {
  const Agent = (globalThis as { [DISPATCHER]?: object })[DISPATCHER]?.constructor as
    | (new (
        options: object,
      ) => object)
    | undefined;
  return Agent === undefined ? {} : { dispatcher: new Agent({ connect: { lookup: lookupPublic } }) };
}

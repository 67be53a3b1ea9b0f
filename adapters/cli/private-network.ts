/** Which addresses only machines of one network, or one machine, can reach (IANA's special-purpose registries). */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

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
  // The same, as IPv6 writes it where it is translated (RFC 6052).
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

/** Does the address, or the name by one of its addresses, lead there? A name that nobody knows does not. */
export async function isPrivate({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  return found.some(({ address }) => notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

/** Addresses that are not public: loopback, private and link-local networks (IANA's special-purpose registries). */
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
  return found.some(({ address }) => notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

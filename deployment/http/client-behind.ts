import { BlockList, isIP } from 'node:net';
import { limits } from '../shared/limits.ts';

/**
 * A function that returns the address of a client, given the peer address of its connection and the X-Forwarded-For of
 * its request: each proxy appends the address of its client, so the list is read from its end, as long as the entries
 * are trusted proxies. The first address that is not one is the client's; entries before it can be forged. Without
 * trusted proxies the header is ignored. `networks` are in CIDR notation (RFC 4632), or addresses.
 */
export function clientBehind(
  networks: readonly string[],
): (peer: string | undefined, forwardedFor: string | null) => string | undefined {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => trusted.check(address, familyOf(address));
  return (peer, forwardedFor) => {
    if (networks.length === 0 || peer === undefined || forwardedFor === null) return peer;
    let client = plain(peer);
    const hops = forwardedFor.split(',').slice(-limits.forwardedHops);
    for (const hop of hops.map((one) => plain(one.trim())).toReversed()) {
      if (!isTrusted(client) || isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** An IPv4 address of a dual-stack socket (RFC 4291, 2.5.5.2) in its usual form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

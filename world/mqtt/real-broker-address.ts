import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Where a broker listens. */
export interface BrokerAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Undefined for plain TCP. */
  readonly tls: { readonly ca: string | undefined } | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };

/** The address in an `mqtt://` or `mqtts://` URL. Throws a TypeError if the URL is not such an address. */
export function parseBrokerUrl(url: string, ca?: string): BrokerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const defaultPort = parsed === undefined ? undefined : DEFAULT_PORTS[parsed.protocol];
  if (parsed === undefined || defaultPort === undefined || parsed.hostname === '') {
    // Without an account, which may hold a password.
    const shown = url.replace(/^(.*?:\/\/)?.*@/s, '$1');
    throw new TypeError(`Not an address of an MQTT broker (mqtt://host:port or mqtts://host:port): ${shown}`);
  }
  return {
    url: `${parsed.protocol}//${parsed.host}`,
    // An IPv6 address is in brackets in a URL.
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? defaultPort : Number(parsed.port),
    tls: parsed.protocol === 'mqtts:' ? { ca } : undefined,
  };
}

/**
 * Starts to connect, from `localAddress` where one is given. An invalid certificate causes an `error` event of the
 * socket.
 */
export function socketTo(address: BrokerAddress, localAddress?: string): Socket {
  const { host, port, tls } = address;
  const from = localAddress === undefined ? {} : { localAddress };
  if (tls === undefined) return connectTcp({ host, port, ...from, noDelay: true });
  return connectTls({
    host,
    port,
    ...from,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
  }).setNoDelay(true);
}

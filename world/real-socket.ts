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

/** The address in an `mqtt://` or `mqtts://` URL. Throws a TypeError where it is none. */
export function parseBrokerUrl(url: string, ca?: string): BrokerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const defaultPort = parsed === undefined ? undefined : DEFAULT_PORTS[parsed.protocol];
  if (parsed === undefined || defaultPort === undefined || parsed.hostname === '') {
    throw new TypeError(`Not an address of an MQTT broker (mqtt://host:port or mqtts://host:port): ${url}`);
  }
  return {
    url: `${parsed.protocol}//${parsed.host}`,
    // An IPv6 address stands in brackets in a URL.
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? defaultPort : Number(parsed.port),
    tls: parsed.protocol === 'mqtts:' ? { ca } : undefined,
  };
}

/** Starts to connect. A certificate that does not hold is an `error` of the socket. */
export function socketTo(address: BrokerAddress): Socket {
  const { host, port, tls } = address;
  if (tls === undefined) return connectTcp({ host, port, noDelay: true });
  return connectTls({
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
  }).setNoDelay(true);
}

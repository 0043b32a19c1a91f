import { clientIdOf } from '../../world/mqtt/mqtt-client-id.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { type RealProxy, startRealProxy } from '../../world/network/real-proxy.ts';
import { RealNetworkFaults } from '../../world/network-faults/real-network-faults.ts';
import type { Stream } from '../../world/random/random.ts';
import { limits } from '../limits.ts';

/** The links of boxes to their broker: by a proxy of this machine, with weather. */
export interface LiveLinks {
  /** Where boxes connect. */
  readonly url: string;
  readonly networkFaults: RealNetworkFaults;
  readonly proxy: RealProxy;
}

/** Why weather of links cannot be had; undefined: it can. */
export function linkTrouble(mqttUrl: string, boxes: number): string | undefined {
  if (boxes > limits.faultyLinks)
    return `Each link would pass through this process once more; that is done for up to ${limits.faultyLinks} boxes.`;
  if (mqttUrl.includes(','))
    return 'The broker has several addresses, and links to one alone can be disturbed.';
  if (!/^mqtt:\/\//.test(mqttUrl)) return 'The links are encrypted up to the broker.';
  return undefined;
}

/**
 * Starts the proxy before the broker at `mqttUrl` (`mqtt://host:1883`), for which `linkTrouble` has none. `secretOf`: the
 * password of a box, with which weather takes its session over. Rejects where no port is to be had.
 */
export async function openLiveLinks(parts: {
  readonly mqttUrl: string;
  readonly secretOf: (boxId: string) => string | undefined;
  readonly chance: Stream;
}): Promise<LiveLinks> {
  const { hostname, port } = new URL(parts.mqttUrl);
  // An address of IPv6 stands in brackets in a URL, and in none elsewhere.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const to = { host, port: Number(port === '' ? limits.mqttPort : port) };
  const networkFaults = new RealNetworkFaults((boxId, isForgetting) => {
    takeOver(`mqtt://${hostname}:${to.port}`, boxId, {
      password: parts.secretOf(boxId) ?? '',
      isForgetting,
    }).catch(() => undefined);
  });
  const proxy = await startRealProxy({
    to: () => to,
    nameOf: clientIdOf,
    conditionsOf: (name) => networkFaults.conditionsOf(name),
    countsOf: (name) => networkFaults.countsOf(name),
    packetFaultsOf: (name) => networkFaults.packetFaultsOf(name),
    draw: () => parts.chance.fraction(),
  });
  networkFaults.attach(proxy);
  return { url: `mqtt://127.0.0.1:${proxy.port}`, networkFaults, proxy };
}

/** Takes the session of a box over (MQTT 3.1.1 section 3.1.4), and leaves. */
async function takeOver(
  url: string,
  boxId: string,
  { password, isForgetting }: { readonly password: string; readonly isForgetting: boolean },
): Promise<void> {
  const session = await realMqttClient({ url }).open(
    {
      ...{ clientId: boxId, username: boxId, password, clean: isForgetting },
      ...{ keepAliveS: limits.impostorKeepAliveS, connectTimeoutMs: limits.impostorConnectMs },
    },
    { message: () => undefined, closed: () => undefined },
  );
  await session.end();
}

import { type MqttClient, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import { clientIdOf } from '../../world/mqtt/mqtt-client-id.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { RealNetworkFaults } from '../../world/network/real-network-faults.ts';
import { type RealProxy, startRealProxy } from '../../world/network/real-proxy.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../shared/limits.ts';

/** A proxy with weather before an MQTT broker. */
export interface LinkProxy {
  /** Where clients connect. */
  readonly url: string;
  readonly networkFaults: RealNetworkFaults;
  readonly proxy: RealProxy;
}

/** The links of boxes to their broker: direct, and through a proxy with weather from their first fault on. */
export interface LiveLinks {
  readonly mqtt: MqttClient;
  readonly networkFaults: RealNetworkFaults;
  /** Undefined until a link is disturbed. */
  readonly proxy: Pick<RealProxy, 'isDown' | 'metCount' | 'setDown' | 'cut'> | undefined;
  /**
   * Moves the links of these boxes behind the proxy. Boxes that are connected lose their connection once; resolves when
   * all are ready again, whichever call moved them, or after `linkMountMs`. Rejects where no port is available; the next
   * call tries again.
   */
  mount(boxIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Why weather of links is not available; undefined: it is. */
export function linkTrouble(mqttUrl: string, boxes: number): string | undefined {
  if (boxes > limits.faultyLinks)
    return `Each link would pass through this process once more; that is done for up to ${limits.faultyLinks} boxes.`;
  if (mqttUrl.includes(','))
    return 'The broker has several addresses, and links to one alone can be disturbed.';
  if (!/^mqtt:\/\//.test(mqttUrl)) return 'The links are encrypted up to the broker.';
  return undefined;
}

/**
 * The links of boxes to the broker at `mqttUrl` (`mqtt://host:1883`), where `linkTrouble` returns undefined. `direct`
 * connects to it; `secretOf`: the password of a box, with which weather takes its session over; `draw` is uniform in
 * [0, 1).
 */
export function liveLinks(parts: {
  readonly mqttUrl: string;
  readonly direct: MqttClient;
  readonly subscribeQos: 0 | 1 | undefined;
  readonly secretOf: (boxId: string) => string | undefined;
  readonly draw: () => number;
  /** The box accepts commands, and the service knows that. */
  readonly isReady: (boxId: string) => boolean;
  readonly time: Time;
}): LiveLinks {
  const { direct, subscribeQos, isReady, time } = parts;
  const { hostname, port } = new URL(parts.mqttUrl);
  // A URL has brackets around an IPv6 address, other places do not.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const to = { host, port: Number(port === '' ? limits.mqttPort : port) };
  const networkFaults = faultsOfLinks(() => `mqtt://${hostname}:${to.port}`, parts.secretOf);
  const behindProxy = new Set<string>();
  /** How to drop each direct connection. */
  const drops = new Map<string, () => void>();
  /** Boxes whose direct connection is being opened. */
  const connecting = new Set<string>();
  /** When each box behind the proxy is ready again. */
  const mounts = new Map<string, Promise<void>>();
  let opening: Promise<LinkProxy> | undefined;
  let opened: LinkProxy | undefined;
  const openProxy = async (): Promise<LinkProxy> => {
    opening ??= startLinkProxy({ to: () => to, networkFaults, draw: parts.draw });
    try {
      opened = await opening;
      return opened;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const open: MqttClient['open'] = async (options, events) => {
    const { clientId } = options;
    if (behindProxy.has(clientId)) {
      const { url } = await openProxy();
      return realMqttClient({ url, ...(subscribeQos === undefined ? {} : { subscribeQos }) }).open(
        options,
        events,
      );
    }
    let drop: (() => void) | undefined;
    connecting.add(clientId);
    const session = await direct
      .open(options, {
        ...events,
        message: (...parameters) => events.message(...parameters),
        closed: (reason) => {
          if (drops.get(clientId) === drop) drops.delete(clientId);
          events.closed(reason);
        },
      })
      .finally(() => connecting.delete(clientId));
    if (behindProxy.has(clientId)) {
      session.drop();
      throw new MqttRefused('the link of this box has moved behind a proxy');
    }
    drop = () => session.drop();
    drops.set(clientId, drop);
    return session;
  };
  const move = async (boxIds: readonly string[]): Promise<void> => {
    const { proxy } = await openProxy().catch((error: unknown) => {
      for (const boxId of boxIds) mounts.delete(boxId);
      throw error;
    });
    const connected = boxIds.filter((boxId) => drops.has(boxId) || connecting.has(boxId));
    for (const boxId of boxIds) behindProxy.add(boxId);
    for (const boxId of connected) drops.get(boxId)?.();
    const untilMs = time.nowMs() + limits.linkMountMs;
    const isBack = () => {
      const names = new Set(proxy.names());
      return connected.every((boxId) => names.has(boxId) && isReady(boxId));
    };
    while (!isBack() && time.nowMs() < untilMs) await sleep(time, limits.linkMountLookMs);
  };
  return {
    mqtt: { open },
    networkFaults,
    get proxy() {
      return opened?.proxy;
    },
    async mount(boxIds) {
      const moving = boxIds.filter((boxId) => !mounts.has(boxId));
      if (moving.length > 0) {
        const moved = move(moving);
        for (const boxId of moving) mounts.set(boxId, moved);
      }
      await Promise.all(new Set(boxIds.map((boxId) => mounts.get(boxId))));
    },
    async close() {
      await (await opening?.catch(() => undefined))?.proxy.close();
    },
  };
}

/** Faults of links whose weather can take sessions over at the broker of that URL. */
export function faultsOfLinks(
  url: () => string,
  secretOf: (boxId: string) => string | undefined,
): RealNetworkFaults {
  return new RealNetworkFaults((boxId, isForgetting) => {
    takeOver(url(), boxId, { password: secretOf(boxId) ?? '', isForgetting }).catch(() => undefined);
  });
}

/** Starts the proxy through which `networkFaults` act. Rejects where no port is available. */
export async function startLinkProxy({
  to,
  networkFaults,
  draw,
}: {
  readonly to: () => { readonly host: string; readonly port: number };
  readonly networkFaults: RealNetworkFaults;
  readonly draw: () => number;
}): Promise<LinkProxy> {
  const proxy = await startRealProxy({
    to,
    nameOf: clientIdOf,
    conditionsOf: (name) => networkFaults.conditionsOf(name),
    countsOf: (name) => networkFaults.countsOf(name),
    packetFaultsOf: (name) => networkFaults.packetFaultsOf(name),
    lateCopiesOf: (name) => networkFaults.lateCopiesOf(name),
    draw,
  });
  networkFaults.attach(proxy);
  return { url: `mqtt://127.0.0.1:${proxy.port}`, networkFaults, proxy };
}

/** Takes the session of a box over (MQTT 3.1.1 section 3.1.4), and disconnects. */
async function takeOver(
  url: string,
  boxId: string,
  { password, isForgetting }: { readonly password: string; readonly isForgetting: boolean },
): Promise<void> {
  const session = await realMqttClient({ url }).open(
    {
      clientId: boxId,
      username: boxId,
      password,
      clean: isForgetting,
      keepAliveS: limits.impostorKeepAliveS,
      connectTimeoutMs: limits.impostorConnectMs,
    },
    { message: () => undefined, closed: () => undefined },
  );
  await session.end();
}

import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { areSecretsEqual } from '../../brokers/mqtt/sign-in.ts';
import { BACKEND } from '../../scenarios/testbed/common/names.ts';
import type { Log } from '../../world/log/log.ts';
import { clientIdOf } from '../../world/mqtt/mqtt-client-id.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { type RealProxy, startRealProxy } from '../../world/network/real-proxy.ts';
import { RealNetworkFaults } from '../../world/network-faults/real-network-faults.ts';
import { limits } from './limits.ts';

const HOST = '127.0.0.1';

/** The embedded MQTT broker behind a proxy with weather. */
export interface MqttSide {
  /** Of the proxy. */
  readonly url: string;
  readonly proxy: RealProxy;
  readonly networkFaults: RealNetworkFaults;
  readonly broker: {
    readonly isDown: boolean;
    readonly metCount: number;
    /** The broker tells nobody whose sessions it keeps. */
    readonly hidesSessions: true;
    setDown(isDown: boolean): void;
    restart(how: { readonly isPersistent: boolean }): void;
  };
  close(): Promise<void>;
}

export async function openMqttSide(parts: {
  readonly secretOf: (boxId: string) => string | undefined;
  readonly draw: () => number;
  readonly log: Log;
}): Promise<MqttSide> {
  const { secretOf, draw, log } = parts;
  const start = (): Promise<MqttBroker> =>
    startMqttBroker({
      host: HOST,
      port: 0,
      backend: BACKEND,
      authenticate: async (boxId, secret) => {
        const expected = secretOf(boxId);
        return expected !== undefined && areSecretsEqual(secret, expected);
      },
      log,
    });
  let broker = await start();
  const networkFaults = new RealNetworkFaults((clientId, isForgetting) => {
    takeOverSession(broker.url, clientId, secretOf(clientId) ?? '', isForgetting).catch(() => undefined);
  });
  const proxy = await startRealProxy({
    to: () => ({ host: HOST, port: broker.port }),
    nameOf: clientIdOf,
    conditionsOf: (name) => networkFaults.conditionsOf(name),
    countsOf: (name) => networkFaults.countsOf(name),
    packetFaultsOf: (name) => networkFaults.packetFaultsOf(name),
    draw,
  });
  networkFaults.attach(proxy);
  let isDown = false;
  let restarting: Promise<void> = Promise.resolve();
  const replace = async (): Promise<void> => {
    const old = broker;
    broker = await start();
    await old.close();
    proxy.setDown(isDown);
  };
  return {
    url: `mqtt://${HOST}:${proxy.port}`,
    proxy,
    networkFaults,
    broker: {
      get isDown() {
        return isDown;
      },
      get metCount() {
        return proxy.metCount;
      },
      hidesSessions: true,
      setDown(to) {
        isDown = to;
        restarting = restarting.then(() => proxy.setDown(isDown));
        if (to) proxy.setDown(true);
      },
      // A broker that keeps its sessions over a restart is, to everybody else, one that was away for a moment.
      restart({ isPersistent }) {
        if (isPersistent) proxy.cut(undefined);
        else {
          proxy.setDown(true);
          restarting = restarting.then(replace);
        }
      },
    },
    async close() {
      await restarting.catch(() => undefined);
      await proxy.close();
      await broker.close();
    },
  };
}

/** Takes the session of a box over (MQTT 3.1.1 section 3.1.4), and leaves. */
async function takeOverSession(
  url: string,
  boxId: string,
  secret: string,
  isForgetting: boolean,
): Promise<void> {
  const session = await realMqttClient({ url }).open(
    {
      clientId: boxId,
      username: boxId,
      password: secret,
      clean: isForgetting,
      keepAliveS: limits.impostorKeepAliveS,
      connectTimeoutMs: limits.connectTimeoutMs,
    },
    { message: () => undefined, closed: () => undefined },
  );
  await session.end();
}

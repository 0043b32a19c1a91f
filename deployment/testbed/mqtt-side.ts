import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { BACKEND } from '../../scenarios/testbed/common/names.ts';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import type { Log } from '../../world/log/log.ts';
import { faultsOfLinks, type LinkProxy, startLinkProxy } from '../faults/live-links.ts';

const HOST = '127.0.0.1';

/** The embedded MQTT broker behind a proxy with weather. */
export interface MqttSide extends LinkProxy {
  readonly broker: {
    readonly isDown: boolean;
    readonly metCount: number;
    /** The broker does not report whose sessions it keeps. */
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
  const { url, networkFaults, proxy } = await startLinkProxy({
    to: () => ({ host: HOST, port: broker.port }),
    networkFaults: faultsOfLinks(() => broker.url, secretOf),
    draw,
  });
  let isDown = false;
  let restarting: Promise<void> = Promise.resolve();
  const replace = async (): Promise<void> => {
    const old = broker;
    broker = await start();
    await old.close();
    proxy.setDown(isDown);
  };
  return {
    url,
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
      // To its clients, a broker that keeps its sessions over a restart was only unreachable for a moment.
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

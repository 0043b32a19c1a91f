import { NOTHING_TO_CUT } from '../../../deployment/faults/cuttable-peers.ts';
import type { LiveFaultParts } from '../../../deployment/faults/live-fault-parts.ts';
import { LiveFaults } from '../../../deployment/faults/live-faults.ts';
import { FlashFaults } from '../../../scenarios/testbed/common/faults/flash-faults.ts';
import { StoreFaultLayers } from '../../../scenarios/testbed/common/faults/store-faults.ts';
import { simProviders } from '../../../simulator/sim-provider/providers.ts';
import { FaultyAmqpPublisher } from '../../../world/amqp/faulty-amqp-publisher.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { RealNetworkFaults } from '../../../world/network/real-network-faults.ts';
import type { RealProxy } from '../../../world/network/real-proxy.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';
import { fakeFleet } from './fake-fleet.ts';

/** Live faults on three boxes, of which a test says who is connected, and what waits for the exchange. */
export function liveFaultStage(changes: Partial<LiveFaultParts> = {}) {
  const { boxes, first } = fakeFleet(3);
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('faults'));
  const sims = simProviders({
    time,
    fleet: () => ({ boxes }),
    apiKeys: { meridian: 'a', tundra: 'b', harbour: 'c' },
  });
  /** The client ids at the broker. */
  const connected = new Set<string>();
  const counts = { atBroker: 0, ofService: 0, waiting: 0 };
  const exchange = new FaultyAmqpPublisher(time, NOTHING_TO_CUT);
  const store = new StoreFaultLayers();
  const flashFaults = new FlashFaults({ tearLastWrite: () => undefined, losePower: () => undefined });
  const networkFaults = new RealNetworkFaults(() => undefined);
  /** The boxes whose links have a proxy. */
  const mounted = new Set<string>();
  let isDown = false;
  const proxy: RealProxy = {
    port: 1,
    cut(name) {
      const cut = [...connected].filter((one) => name === undefined || one === name);
      if (name === undefined) counts.atBroker += cut.length;
      for (const one of cut) connected.delete(one);
      return cut.length;
    },
    changed: () => undefined,
    setDown(to) {
      isDown = to;
      if (to) proxy.cut(undefined);
    },
    get isDown() {
      return isDown;
    },
    get metCount() {
      return counts.atBroker;
    },
    names: () => [...connected],
    close: async () => undefined,
  };
  networkFaults.attach(proxy);
  const serviceMqtt = {
    ...NOTHING_TO_CUT,
    get metCount() {
      return counts.ofService;
    },
    cut() {
      if (connected.delete('service')) counts.ofService += 1;
    },
  };
  const faults = new LiveFaults({
    time,
    boxOf: (id) => boxes.get(id),
    boxIds: () => [...boxes.keys()],
    sims: () => sims,
    cloud: () => undefined,
    links: {
      networkFaults,
      proxy,
      mqtt: { open: () => Promise.reject(new Error('No box connects here.')) },
      mount: async (boxIds) => {
        for (const boxId of boxIds) mounted.add(boxId);
      },
      close: async () => undefined,
    },
    flashFaults,
    serviceMqtt,
    exchange,
    store,
    waitingMessages: async () => counts.waiting,
    ...changes,
  });
  const parts = { flashFaults, networkFaults, mounted, exchange, store, sims, connected, counts };
  return { boxes, first, loop, time, faults, parts };
}

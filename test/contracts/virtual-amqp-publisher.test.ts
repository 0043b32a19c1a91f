import { sleep } from '../../world/time/time.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { keepRunning, runUntilTrue } from '../support/world/run-loop.ts';
import { amqpPublisherContract } from './amqp-publisher-contract.ts';

const SETTLE_MS = 10_000;
/** AMQP 0-9-1: 2 is persistent, and the port publishes every message as persistent. */
const PERSISTENT = 2;

amqpPublisherContract('virtual', () => {
  const world = openVirtualWorld({ seed: 1 });
  const dead = openVirtualWorld({ seed: 1 });
  dead.amqpBroker.setDown(true);
  const stops = [keepRunning(world.loop), keepRunning(dead.loop)];
  const { amqp } = world;
  const unreachableAmqp = dead.amqp;
  if (amqp === undefined || unreachableAmqp === undefined) throw new Error('A virtual world has an exchange');
  return Promise.resolve({
    amqp,
    unreachableAmqp,
    wrongPassword: { none: 'the virtual exchange has no accounts' },
    name: (base) => base,
    drain: (queue) =>
      Promise.resolve(
        world.amqpBroker
          .drain(queue)
          .map(({ storedMs: _, ...message }) => ({ ...message, deliveryMode: PERSISTENT })),
      ),
    until: (condition) => runUntilTrue(world.loop, condition),
    settle: () => sleep(world.time, SETTLE_MS),
    close: async () => {
      for (const stop of stops) await stop();
    },
  });
});

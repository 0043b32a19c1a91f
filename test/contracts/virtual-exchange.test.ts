import { sleep } from '../../world/time.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { exchangeContract } from './exchange-contract.ts';
import { pump, untilTrue } from './pump.ts';

const SETTLE_MS = 10_000;
/** AMQP 0-9-1: 2 is persistent, and everything that the port publishes is. */
const PERSISTENT = 2;

exchangeContract('virtual', () => {
  const world = openVirtualWorld({ seed: 1 });
  const dead = openVirtualWorld({ seed: 1 });
  dead.exchangeBroker.setDown(true);
  const stops = [pump(world.loop), pump(dead.loop)];
  const { exchange } = world;
  const deadExchange = dead.exchange;
  if (exchange === undefined || deadExchange === undefined)
    throw new Error('A virtual world has an exchange');
  return Promise.resolve({
    exchange,
    deadExchange,
    wrongPassword: { none: 'the virtual exchange has no accounts' },
    name: (base) => base,
    drain: (queue) =>
      Promise.resolve(
        world.exchangeBroker
          .drain(queue)
          .map(({ storedMs: _, ...message }) => ({ ...message, deliveryMode: PERSISTENT })),
      ),
    until: (condition) => untilTrue(world.loop, condition),
    settle: () => sleep(world.time, SETTLE_MS),
    close: async () => {
      for (const stop of stops) await stop();
    },
  });
});

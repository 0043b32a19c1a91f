import { sleep } from '../../world/time.ts';
import type { BrokerRule } from '../../world/virtual-broker.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { linkContract } from './link-contract.ts';
import { pump, untilTrue } from './pump.ts';

const SETTLE_MS = 10_000;
const [BOX, OTHER] = ['0f3a000000000001', '0f3a000000000002'];

/** The rule of the fleet in short: a box below its own id, the backend everywhere. */
const rule: BrokerRule = {
  mayConnect: ({ password }) => password === 'right',
  mayPublish: (username, topic) => username === 'backend' || topic.startsWith(`boxes/${username}/`),
  maySubscribe: (username, filter) => username === 'backend' || filter.startsWith(`boxes/${username}/`),
};

linkContract('virtual', () => {
  const world = openVirtualWorld({ seed: 1, rule });
  const dead = openVirtualWorld({ seed: 1 });
  dead.broker.setDown(true);
  const stops = [pump(world.loop), pump(dead.loop)];
  const box = (id: string) => ({ clientId: id, username: id, password: 'right' });
  const backend = (clientId: string) => ({ clientId, username: 'backend', password: 'right' });
  return Promise.resolve({
    link: world.link,
    box: box(BOX),
    otherBox: box(OTHER),
    backend: backend('backend-1'),
    witness: backend('witness-1'),
    deadLink: dead.link,
    forbiddenFilter: `boxes/${OTHER}/down`,
    until: (condition) => untilTrue(world.loop, condition),
    settle: () => sleep(world.time, SETTLE_MS),
    close: async () => {
      for (const stop of stops) await stop();
    },
  });
});

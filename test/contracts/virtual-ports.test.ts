import { virtualCrypto } from '../../world/crypto/virtual-crypto.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { keepRunning } from '../support/world/run-loop.ts';
import { virtualFiles } from '../support/world/virtual-files.ts';
import { cryptoContract } from './crypto-contract.ts';
import { filesContract } from './files-contract.ts';
import { flashContract } from './flash-contract.ts';
import { httpContract } from './http-contract.ts';
import { idGeneratorContract } from './id-generator-contract.ts';
import { randomContract } from './random-contract.ts';
import { timeContract } from './time-contract.ts';

const nothing = () => Promise.resolve();

/** A world in which time passes by itself. */
function running() {
  const world = openVirtualWorld({ seed: 1 });
  return { world, close: keepRunning(world.loop) };
}

timeContract('virtual', () => {
  const { world, close } = running();
  return Promise.resolve({ time: world.time, close });
});

randomContract('seeded', seededRandom);

idGeneratorContract('virtual', () => {
  const { world, close } = running();
  return Promise.resolve({ ids: world.ids, time: world.time, close });
});

cryptoContract('virtual', () =>
  Promise.resolve({
    crypto: virtualCrypto(seededRandom(1).stream('seal')),
    stranger: virtualCrypto(seededRandom(2).stream('seal')),
  }),
);

filesContract('virtual', async () => {
  const files = virtualFiles();
  return {
    files,
    path: (name) => `/data/${name}`,
    make: async (path) => files.make(path),
    // Their content is irrelevant here.
    grow: nothing,
    remove: async (path) => files.remove(path),
    move: async (from, to) => files.move(from, to),
    close: nothing,
  };
});

flashContract('virtual', () => {
  const { world, close } = running();
  return Promise.resolve({
    flash: world.flash,
    reopen: () => Promise.resolve(world.instance('again').flash),
    tearLastWrite: (owner) => Promise.resolve(world.flashImages.tearLastWrite(owner)),
    fill: () => Promise.resolve(world.flashImages.setFull('box', true)),
    close,
  });
});

httpContract('virtual', () => {
  const { world, close } = running();
  let count = 0;
  return Promise.resolve({
    http: world.http,
    serve: (handler) => {
      count += 1;
      const origin = `http://service-${count}.example`;
      world.origins.serve(origin, handler);
      return Promise.resolve(origin);
    },
    deadOrigin: 'http://nobody.example',
    close,
  });
});

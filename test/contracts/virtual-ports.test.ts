import { seededRandom } from '../../world/seeded-random.ts';
import { virtualFiles } from '../../world/virtual-files.ts';
import { virtualSeal } from '../../world/virtual-seal.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { filesContract } from './files-contract.ts';
import { flashContract } from './flash-contract.ts';
import { httpContract } from './http-contract.ts';
import { mintContract } from './mint-contract.ts';
import { pump } from './pump.ts';
import { randomContract } from './random-contract.ts';
import { sealContract } from './seal-contract.ts';
import { timeContract } from './time-contract.ts';

const nothing = () => Promise.resolve();

/** A world in which time passes by itself. */
function running() {
  const world = openVirtualWorld({ seed: 1 });
  return { world, close: pump(world.loop) };
}

timeContract('virtual', () => {
  const { world, close } = running();
  return Promise.resolve({ time: world.time, close });
});

randomContract('seeded', seededRandom);

mintContract('virtual', () => {
  const { world, close } = running();
  return Promise.resolve({ mint: world.mint, time: world.time, close });
});

sealContract('virtual', () =>
  Promise.resolve({
    seal: virtualSeal(seededRandom(1).stream('seal')),
    stranger: virtualSeal(seededRandom(2).stream('seal')),
  }),
);

filesContract('virtual', async () => {
  const files = virtualFiles();
  return {
    files,
    path: (name) => `/data/${name}`,
    make: async (path) => files.make(path),
    // What is in them is nobody's business here.
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
    reopen: () => Promise.resolve(world.incarnation('again').flash),
    tearLastWrite: (owner) => Promise.resolve(world.chips.tearLastWrite(owner)),
    fill: () => Promise.resolve(world.chips.setFull('box', true)),
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

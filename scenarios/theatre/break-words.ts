import type { Behaviour } from '../../simulator/maker-cloud/behaviour.ts';
import type { Break, PartName } from '../language/breaks.ts';
import { MAKER } from './names.ts';
import type { Scene } from './scene.ts';

/** Whose box it is broken in, and whether it is to be whole again after a while (`for`). */
export interface Occasion {
  readonly boxIds: readonly string[];
  readonly isTimed: boolean;
}

/** Takes a fault back; undefined: it is over. */
export type Mend = (() => void | Promise<void>) | undefined;
type Do<Settings> = (scene: Scene, occasion: Occasion, settings: Settings) => Mend | Promise<Mend>;

type Words<Part extends PartName> = {
  readonly [B in Extract<Break, { readonly part: Part }> as B['name']]: Do<B['settings']>;
};

/** One is enough of what there is once. */
const THE_ONE = 'the one';
const ONLY = [THE_ONE];

function each(act: (boxId: string, scene: Scene) => void): Do<unknown> {
  return (scene, { boxIds }) => {
    for (const boxId of boxIds) act(boxId, scene);
    return undefined;
  };
}

const MANNERS: Readonly<Record<string, Behaviour['calls']>> = {
  error: { manner: 'error', status: 503 },
  'rate-limit': { manner: 'rate-limit', retry_after_in_seconds: 30 },
  silence: { manner: 'silence', after_acting: false },
  slow: { manner: 'slow', delay_in_milliseconds: 10_000 },
  nonsense: { manner: 'nonsense' },
};

export const BREAK_WORDS: { readonly [Part in PartName]: Words<Part> } = {
  box: {
    'brown-out': each((boxId, { boxOf }) => boxOf(boxId)?.brownOut()),
    watchdog: each((boxId, { boxOf }) => boxOf(boxId)?.reset('WATCHDOG')),
    reset: (scene, { boxIds }, { reason }) => {
      for (const boxId of boxIds) scene.boxOf(boxId)?.reset(reason);
      return undefined;
    },
    'power-loss': ({ layers }, { boxIds }) => layers.supply.lay(boxIds, true),
    'flash-full': ({ layers }, { boxIds }) => layers.flashFull.lay(boxIds, true),
    'clock-jump': (scene, { boxIds }, { by }) => {
      for (const boxId of boxIds) scene.boxOf(boxId)?.jumpClock(by);
      return undefined;
    },
    'gnss-lost': ({ layers }, { boxIds }) => layers.noSky.lay(boxIds, true),
    wipe: each((boxId, { boxOf }) => boxOf(boxId)?.wipe()),
    hang: ({ layers }, { boxIds }) => layers.hang.lay(boxIds, true),
    error: ({ layers }, { boxIds }, { text, once }) => layers.error.lay(boxIds, { text, isPassing: once }),
    installation: ({ layers }, { boxIds }, { obstacle }) => layers.installation.lay(boxIds, obstacle),
  },
  broker: {
    restart: ({ world, layers }, { isTimed }, { sessions }) => {
      world.broker.restart({ isPersistent: sessions === 'kept' });
      return isTimed ? layers.brokerDown.lay(ONLY, true) : undefined;
    },
  },
  exchange: {
    down: ({ layers }) => layers.exchangeDown.lay(ONLY, true),
    nack: ({ layers }) => layers.exchangeRefusing.lay(ONLY, true),
    blocked: ({ layers }) => layers.exchangeBlocked.lay(ONLY, true),
  },
  backend: {
    crash: ({ office, layers, points }, _, { point }) => {
      let lift: (() => void) | undefined;
      const die = (): void => {
        office.crash(point === undefined ? 'it crashed' : `it crashed: ${point}`);
        lift = layers.backendDown.lay(ONLY, true);
      };
      const disarm = point === undefined ? die() : points.arm(point, die);
      return async () => {
        // It may never have come to that point.
        disarm?.();
        lift?.();
        // Another crash may keep it down for longer.
        if (lift !== undefined && !layers.backendDown.isOver(THE_ONE))
          await office.start('it was started again');
      };
    },
    restart: async ({ office, layers }) => {
      await office.stop('it was stopped');
      if (!layers.backendDown.isOver(THE_ONE)) await office.start('it was started again');
      return undefined;
    },
  },
  store: {
    full: ({ store }) => store.lay({ failing: 'writes', slowMs: 0 }),
    slow: ({ store }, _, { by }) => store.lay({ failing: 'nothing', slowMs: by }),
    down: ({ store }) => store.lay({ failing: 'everything', slowMs: 0 }),
  },
  sim_provider: {
    outage: ({ layers }, _, { provider, manner }) => layers.simProvider.lay([provider], manner),
  },
  maker: {
    outage: ({ layers }, _, { manner, push }) =>
      layers.maker.lay([MAKER.name], { calls: MANNERS[manner] ?? { manner: 'right' }, push }),
  },
};

/** Breaks it; what comes back mends it, nothing where it is over as soon as it happened. */
export async function breakPart(scene: Scene, occasion: Occasion, broken: Break): Promise<Mend> {
  const words = BREAK_WORDS[broken.part] as Readonly<Record<string, Do<unknown>>>;
  return words[broken.name]?.(scene, occasion, broken.settings);
}

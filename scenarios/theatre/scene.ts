import type { SimState } from '../../simulator/firmware/state.ts';
import type { FleetBox } from '../../simulator/fleet.ts';
import type { Behaviour } from '../../simulator/maker-cloud/behaviour.ts';
import { RIGHT } from '../../simulator/maker-cloud/behaviour.ts';
import type { MakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import type { Mode } from '../../simulator/sim-provider/behaviour.ts';
import type { SimProviderName } from '../../simulator/sim-provider/names.ts';
import type { SimProviders } from '../../simulator/sim-provider/providers.ts';
import type { InstallationFault } from '../../simulator/vehicle/senses.ts';
import type { CrashPoints } from '../crash-points.ts';
import type { FaultWorld } from './fault-world.ts';
import { Layers, topOf, worstOf } from './layers.ts';
import { limits } from './limits.ts';
import type { Backstage } from './office.ts';
import type { StoreFaults } from './store-faults.ts';

export type Coverage = 'good' | 'poor' | 'none';

/** What faults are laid over. */
export interface Scene {
  readonly world: FaultWorld;
  readonly office: Backstage;
  readonly sims: SimProviders;
  readonly store: StoreFaults;
  readonly points: CrashPoints;
  readonly boxOf: (boxId: string) => FleetBox | undefined;
  /** What stands in a file beside the scenario; undefined: there is none. */
  readonly readFile: (file: string) => string | undefined;
  readonly cloud: () => MakerCloud | undefined;
  readonly layers: ReturnType<typeof makeLayers>;
}

/** Everything over which several faults may lie at once. Keys are box ids, but where told otherwise. */
export function makeLayers(
  world: FaultWorld,
  boxOf: (boxId: string) => FleetBox | undefined,
  sims: SimProviders,
  cloud: () => MakerCloud | undefined,
) {
  const gapsMs = new Map<string, number>();
  return {
    csq: new Layers<number>((boxId, values) => boxOf(boxId)?.setSignalQuality(topOf(values))),
    coverage: new Layers<Coverage>((boxId, values) =>
      boxOf(boxId)?.setCoverage(worstOf(values, ['good', 'poor', 'none']) !== 'none'),
    ),
    sim: new Layers<SimState>((boxId, values) =>
      boxOf(boxId)?.setSim(worstOf(values, ['active', 'detached', 'suspended']) ?? 'active'),
    ),
    supply: new Layers<true>((boxId, values) => boxOf(boxId)?.setSupply(values.length > 0 ? 'cut' : 'good')),
    flashFull: new Layers<true>((boxId, values) => boxOf(boxId)?.setFlashFull(values.length > 0)),
    noSky: new Layers<true>((boxId, values) => boxOf(boxId)?.setSky(values.length === 0)),
    /** How long the gap at the border is, in milliseconds; it is as long on the way home. */
    abroad: new Layers<number>((boxId, values) => {
      const gapMs = topOf(values) ?? gapsMs.get(boxId) ?? 0;
      gapsMs.set(boxId, gapMs);
      boxOf(boxId)?.crossBorder(values.length > 0, gapMs);
    }),
    hang: new Layers<true>((boxId, values) => boxOf(boxId)?.hang(values.length > 0 ? limits.hangMs : 0)),
    error: new Layers<{ readonly text: string; readonly isPassing: boolean }>((boxId, values) =>
      boxOf(boxId)?.setFault(topOf(values)),
    ),
    installation: new Layers<InstallationFault>((boxId, values) =>
      boxOf(boxId)?.setInstallationFault(topOf(values)),
    ),
    /** Of the one broker. */
    brokerDown: new Layers<true>((_, values) => {
      const isDown = values.length > 0;
      if (world.broker.isDown !== isDown) world.broker.setDown(isDown);
    }),
    exchangeDown: new Layers<true>((_, values) => {
      const isDown = values.length > 0;
      if (world.exchangeBroker.isDown !== isDown) world.exchangeBroker.setDown(isDown);
    }),
    exchangeRefusing: new Layers<true>((_, values) => world.exchangeBroker.setRefusing(values.length > 0)),
    exchangeBlocked: new Layers<true>((_, values) => world.exchangeBroker.setBlocked(values.length > 0)),
    /** Why the one service is down; it is started by whoever takes the last one back. */
    backendDown: new Layers<true>(() => undefined),
    /** By the name of the provider. */
    simProvider: new Layers<Mode>((name, values) =>
      sims.setMode(name as SimProviderName, topOf(values) ?? 'works'),
    ),
    /** By the name of the maker. */
    maker: new Layers<Behaviour>((_, values) => cloud()?.behave(topOf(values) ?? RIGHT)),
  };
}

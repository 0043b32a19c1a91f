import type { CanFrameShape, SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { VehicleSnapshot } from '../../testbed/port/simulated-vehicle.ts';

/**
 * Through what a box learns of a property. `drive`: control units that sleep without ignition; `bus`: those that never
 * do; `ports`: wires. The others the box measures itself.
 */
export type SignalPath = 'drive' | 'bus' | 'ports' | 'box';

const known = new WeakMap<VehicleModel, ReadonlyMap<string, SignalPath>>();

/** By what the model's rows feed; of two ways the one that is open more often. */
export function signalPathOf(model: VehicleModel | undefined, property: string): SignalPath {
  if (model === undefined) return 'box';
  let ways = known.get(model);
  if (ways === undefined) {
    ways = signalPathsOf(model);
    known.set(model, ways);
  }
  return ways.get(property) ?? 'box';
}

function signalPathsOf({ rows, frames }: VehicleModel): ReadonlyMap<string, SignalPath> {
  const ways = new Map<string, SignalPath>();
  for (const open of ['drive', 'bus', 'ports'] as const)
    for (const row of rows.filter((one) => signalPathOfRow(one, frames) === open))
      for (const path of row.feeds) ways.set(path.split('.')[0] ?? path, open);
  return ways;
}

function signalPathOfRow({ source }: SignalRow, frames: readonly CanFrameShape[]): SignalPath {
  if (source.from === 'digital' || source.from === 'analog') return 'ports';
  if (source.from !== 'can') return 'drive';
  const shape = frames.find(({ bus, id }) => bus === source.bus && id === source.id);
  return shape?.always === true ? 'bus' : 'drive';
}

/** Why what is so now need not be known to the service. What a value says of its own time must be so all the same. */
export const EXCUSES = {
  'its box is away, or has records to send': (
    { isConnected, heldRecords: held, belief }: VehicleSnapshot,
    _signalPath: SignalPath,
  ) => !isConnected || held > 0 || belief['power'] !== 'up' || belief['hangsUntilMs'] !== null,
  'its box is being set up': ({ belief }: VehicleSnapshot, _signalPath: SignalPath) =>
    belief['setup'] !== null,
  'the wires to its bus are loose': ({ truth }: VehicleSnapshot, signalPath: SignalPath) =>
    (signalPath === 'drive' || signalPath === 'bus') && truth['installationFault'] === 'no-vehicle-bus',
  'its box is in workshop mode': ({ belief }: VehicleSnapshot, signalPath: SignalPath) =>
    signalPath === 'drive' && belief['workshopMode'] === true,
} as const satisfies Readonly<Record<string, (snapshot: VehicleSnapshot, signalPath: SignalPath) => boolean>>;

export type Excuse =
  | keyof typeof EXCUSES
  | 'its sensor does not work'
  | 'its journal has given records up'
  | 'what it was then is not kept any more'
  | 'it can be of too many moments'
  | "its maker's car tells it by polls"
  | 'it is not set up';

/** Why what is so now need not be known; undefined: it must be. */
export function excuseOf(snapshot: VehicleSnapshot, signalPath: SignalPath): Excuse | undefined {
  const names = Object.keys(EXCUSES) as (keyof typeof EXCUSES)[];
  return names.find((name) => EXCUSES[name](snapshot, signalPath));
}

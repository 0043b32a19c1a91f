import type { CanFrameShape, SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { VehicleSnapshot } from '../../evidence/simulated-vehicle.ts';

/**
 * The source of a property in a box. `drive`: control units that sleep without ignition; `bus`: those that never do;
 * `ports`: wires. The box measures the others itself.
 */
export type SignalPath = 'drive' | 'bus' | 'ports' | 'box';

const known = new WeakMap<VehicleModel, ReadonlyMap<string, SignalPath>>();

/** By the model's rows; of two sources the one that is available more often. */
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

/** Why the service need not know the present state. A value must still be true at its own time. */
export const ALLOWED_DIFFERENCES = {
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

export type AllowedDifference =
  | keyof typeof ALLOWED_DIFFERENCES
  | 'its sensor does not work'
  | 'its journal has given records up'
  | 'what it was then is not kept any more'
  | 'it can be of too many moments'
  | "its maker's car tells it by polls"
  | 'it is not set up';

/** Why the present state need not be known; undefined: it must be. */
export function allowedDifference(
  snapshot: VehicleSnapshot,
  signalPath: SignalPath,
): AllowedDifference | undefined {
  const names = Object.keys(ALLOWED_DIFFERENCES) as (keyof typeof ALLOWED_DIFFERENCES)[];
  return names.find((name) => ALLOWED_DIFFERENCES[name](snapshot, signalPath));
}

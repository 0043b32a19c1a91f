import type { Stream } from '../../../../world/random/random.ts';
import { BACKEND_READS, BACKEND_WRITES, look } from './backend-calls.ts';
import { BOX_WRITES, commit } from './box-calls.ts';
import { BOX_READS } from './box-reads.ts';
import {
  ACCESS_READS,
  ACCESS_WRITES,
  BULK_READS,
  BULK_WRITES,
  leaseItems,
  ONCE_WRITES,
  pruneJobs,
  SUBSCRIPTION_READS,
  SUBSCRIPTION_WRITES,
  takeOverdue,
} from './client-calls.ts';
import { BOXES, callOf, type Draw, type Drawer, type DrawnCall, FLEETS, MAKERS } from './draw.ts';
import { claimThirdParty, commitThirdParty, VEHICLE_READS, VEHICLE_WRITES } from './vehicle-calls.ts';

/** What the calls of a group are about: so they are in each other's way. */
interface Theme {
  readonly writes: readonly Drawer[];
  readonly reads: readonly Drawer[];
  /** Of so many calls one reads; absent: of four. */
  readonly readsOnceIn?: number;
}

/** Reads of several statements, which all see one moment. */
const SNAPSHOTS: readonly Drawer[] = [
  () => callOf('subscriptions', 'live'),
  () => callOf('subscriptions', 'live'),
  (draw) => callOf('subscriptions', 'ofFleet', draw.pick(FLEETS)),
  () => callOf('thirdParty', 'findLinked', MAKERS[0], 'm1'),
  () => callOf('ingest', 'load', BOXES),
];

const THEMES: readonly Theme[] = [
  { writes: VEHICLE_WRITES, reads: VEHICLE_READS },
  { writes: BOX_WRITES, reads: BOX_READS },
  { writes: [...VEHICLE_WRITES, ...BOX_WRITES], reads: [...VEHICLE_READS, ...BOX_READS] },
  { writes: [...BULK_WRITES, ...BOX_WRITES, ...VEHICLE_WRITES], reads: BULK_READS },
  { writes: BULK_WRITES, reads: BULK_READS },
  { writes: ACCESS_WRITES, reads: ACCESS_READS },
  { writes: SUBSCRIPTION_WRITES, reads: SUBSCRIPTION_READS },
  { writes: BACKEND_WRITES, reads: BACKEND_READS },
  { writes: [...SUBSCRIPTION_WRITES, commitThirdParty, commitThirdParty], reads: SNAPSHOTS, readsOnceIn: 2 },
  { writes: [...ONCE_WRITES, commit, commit, commit], reads: SUBSCRIPTION_READS, readsOnceIn: 8 },
];

/**
 * Calls that leave out rows that others have locked, and so are in no order with them: each is carried out alone. What
 * holds of several at once is a test of its own.
 */
const ALONE: readonly Drawer[] = [
  look,
  look,
  leaseItems,
  leaseItems,
  leaseItems,
  claimThirdParty,
  takeOverdue,
  pruneJobs,
];

const TRIES = 8;

/** All drawers of calls that write. */
export const WRITERS: readonly Drawer[] = [...THEMES.flatMap(({ writes }) => writes), ...ALONE];

/** All drawers of calls that read. */
export const READERS: readonly Drawer[] = THEMES.flatMap(({ reads }) => reads);

/** Calls that are made at the same time; `streams`: chance for each. None if the store has nothing for them to be about. */
export function drawGroup(theme: Stream, draws: readonly Draw[]): readonly DrawnCall[] {
  const [first] = draws;
  if (first !== undefined && theme.whole(1, 4) === 1) return found(first, ALONE);
  const { writes, reads, readsOnceIn = 4 } = theme.pick(THEMES);
  return draws.flatMap((draw) => found(draw, draw.once(readsOnceIn) ? reads : writes));
}

function found(draw: Draw, drawers: readonly Drawer[]): readonly DrawnCall[] {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const call = draw.pick(drawers)(draw);
    if (call !== undefined) return [call];
  }
  return [];
}

import fc from 'fast-check';
import type { Store } from '../../../../backend/store/port/store.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import type { PostgresFault } from '../postgres-fault-proxy.ts';
import { START_MS } from '../store-rows.ts';
import { BACKENDS, FLEETS, MAKERS, VEHICLES } from './draw.ts';
import { firstCalls } from './first-calls.ts';
import type { Stage } from './stage.ts';

/** Backends that take what there is to do at the same time; requests that come later than those of others. */
export interface Taking {
  /** How many pieces each takes at most. */
  readonly limits: readonly number[];
  readonly slow: readonly number[];
}

export const callsOfTakers: fc.Arbitrary<readonly Taking[]> = fc.array(
  fc.record({
    limits: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 3 }),
    slow: fc.array(fc.nat(12), { maxLength: 4 }),
  }),
  { minLength: 3, maxLength: 4, size: 'max' },
);

const LEASE_MS = 15_000;

/** A kind of work: what one backend takes of it, named; what it takes is due again after LEASE_MS. */
type Take = (store: Store, backend: string, nowMs: number, limit: number) => Promise<readonly string[]>;

const TAKES: readonly Take[] = [
  async (store, holder, nowMs, limit) => {
    const items = await store.bulk.lease({ nowMs, leaseMs: LEASE_MS, limit, holder });
    return items.map(({ jobId, position }) => `${jobId}:${position}`);
  },
  async (store, _, nowMs, count) => {
    const taken = await store.subscriptions.takeOverdue(nowMs, nowMs + LEASE_MS, count);
    return taken.map(({ id }) => id);
  },
  async (store, _, nowMs, limit) => {
    const due = await store.thirdParty.claim({
      makers: MAKERS,
      nowMs,
      leasedUntilMs: nowMs + LEASE_MS,
      limit,
    });
    return due.map(({ vehicleId }) => vehicleId);
  },
];

/** Throws if two take the same, or something that is due is left when all take together with those after them. */
export async function takeTogether(stage: Stage, given: readonly Taking[]): Promise<void> {
  await stage.setClock(START_MS);
  const first = await stage.open();
  // Each has connections of its own: the calls for leases of one are made one after the other.
  const stores = [first, await stage.beside(), await stage.beside()];
  try {
    await fill(first);
    for (const [round, taking] of given.entries()) {
      const nowMs = START_MS + (round + 1) * 2 * LEASE_MS;
      await stage.setClock(nowMs);
      for (const take of TAKES) await takeAll(stage, stores, take, nowMs, taking);
      await lookTogether(stage, stores, taking);
    }
  } finally {
    stage.proxy.plan(new Map());
    await Promise.all(stores.map((store) => store.close()));
  }
}

async function fill(store: Store): Promise<void> {
  for (const { part, name, parameters } of firstCalls()) {
    const members = store[part] as unknown as Record<
      string,
      (...given: readonly unknown[]) => Promise<unknown>
    >;
    await members[name]?.(...parameters(() => 0));
  }
  const [fleetId] = FLEETS;
  const times = { createdMs: START_MS, expiresMs: START_MS + 3_600_000 };
  await store.bulk.create(
    { id: 'job', fleetId, flowId: '', vehicleIds: VEHICLES, features: { geofence: {} }, ...times },
    { jobs: 9, vehicles: 99 },
  );
  for (const id of ['s1', 's2', 's3', 's4']) {
    const queues = [{ topic: 'Trip_v1', name: id }];
    await store.subscriptions.begin(
      { id, fleetId, discriminator: id, user: undefined, queues, createdMs: START_MS, dueMs: START_MS },
      { perFleet: 9 },
    );
  }
  for (const vehicleId of ['m2', 'm3', 'm4']) {
    const link = { name: MAKERS[0], vehicleId };
    await store.vehicles.saveMakerUnit({ link, fleetId });
    await store.vehicles.create({
      id: `VEH-${vehicleId}`,
      fleetId,
      telematics: { maker: link },
      model: 'petrol-compact',
      setupStatus: 'SUCCEEDED',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: START_MS,
    });
  }
}

function slowed(taking: Taking): ReadonlyMap<number, PostgresFault> {
  return new Map(taking.slow.map((request) => [request, 'slow']));
}

async function takeAll(
  stage: Stage,
  stores: readonly Store[],
  take: Take,
  nowMs: number,
  taking: Taking,
): Promise<void> {
  stage.proxy.plan(slowed(taking));
  const together = await Promise.all(
    taking.limits.map((limit, index) =>
      take(stores[index] as Store, BACKENDS[index] as string, nowMs, limit),
    ),
  );
  const rest = await take(stores[0] as Store, BACKENDS[0], nowMs, 99);
  const all = [...together.flat(), ...rest];
  const expected = take === TAKES[0] ? VEHICLES.length : 4;
  if (new Set(all).size !== all.length || all.length !== expected)
    throw new Error(
      `Of ${expected} pieces backends have taken ${JSON.stringify(together)}, and then ${rest.join()}`,
    );
}

/** A partition is with one backend at most, and the row says so; and those that look again have all of them. */
async function lookTogether(stage: Stage, stores: readonly Store[], taking: Taking): Promise<void> {
  stage.proxy.plan(slowed(taking));
  const backends = BACKENDS.slice(0, taking.limits.length);
  const look = (backend: string, index: number) =>
    (stores[index] as Store).leases.look({ backend, leaseMs: LEASE_MS });
  const held = await Promise.all(backends.map(look));
  const rows = (await stage.contents()).partition_leases;
  const said = held.flatMap(({ held: leases }, index) =>
    leases.map(({ partition, fence }) => `${partition} ${fence} ${backends[index]}`),
  );
  const there = rows
    .filter(({ holder }) => holder !== '')
    .map(({ partition, fence, holder }) => `${Number(partition)} ${Number(fence)} ${String(holder)}`);
  if (said.toSorted(byText).join() !== there.toSorted(byText).join())
    throw new Error(`Backends hold ${said.join(', ')}; the rows say ${there.join(', ')}`);
  const partitions = new Set<number>();
  for (const [index, backend] of backends.entries()) {
    const { held: leases } = await look(backend, index);
    for (const { partition } of leases) partitions.add(partition);
  }
  if (partitions.size !== PARTITIONS) throw new Error(`Only ${partitions.size} partitions are held.`);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

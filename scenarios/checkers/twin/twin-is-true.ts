import { knownModel } from '../../../protocol/models/known-models.ts';
import { sleep } from '../../../world/time/time.ts';
import { counted } from '../../language/document/counted.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { type ApiProperty, TwinComparison } from './twin-comparison.ts';
import { recordFaults } from './vehicle-record.ts';

/**
 * Compares the latest vehicle state that the API answers with the physics of the simulator: each value with
 * the truth at its own time, and for a vehicle that stands with its ignition off also with the present truth
 * of what a box watches. Of the service only the JSON of its answer is used. A vehicle that was just parked
 * has some seconds to report, so differences are read again before they count.
 */
export const twinIsTrue: Checker = async (scope) => {
  const findings = new Findings();
  const done = new Map<SimulatedVehicle, TwinComparison>();
  const rebooked = await rebookedVehicles(scope);
  let open = scope.vehicles.filter(({ vehicleId }) => vehicleId !== '');
  for (let waitedMs = 0; ; waitedMs += limits.truthLookMs) {
    for (const vehicle of open) done.set(vehicle, await compare(scope, vehicle, rebooked));
    open = open.filter((vehicle) => (done.get(vehicle)?.differences.length ?? 0) > 0);
    if (open.length === 0 || waitedMs >= limits.truthPatienceMs) break;
    await sleep(scope.testbed.time, limits.truthLookMs);
  }
  for (const vehicle of open)
    for (const { kind, text } of done.get(vehicle)?.differences ?? [])
      findings.add(kind, `${nameOf(vehicle)}: ${text}`, { vehicle });
  return findings.result(summaryOf([...done.values()]));
};

/**
 * The vehicles whose maintenance set was booked, or no longer booked, during the run: their reports of before tell none of
 * it, so that it may be absent. What is told is compared, and twin-is-fold knows which reports came while it was booked.
 */
async function rebookedVehicles({ evidence }: CheckScope): Promise<ReadonlySet<string>> {
  const rebooked = new Set<string>();
  for (const { method, path, sent } of await evidence.calls())
    if (method === 'PATCH' && typeof sent === 'object' && sent !== null && 'maintenance_booked' in sent)
      rebooked.add(path);
  return rebooked;
}

async function compare(
  scope: CheckScope,
  vehicle: SimulatedVehicle,
  rebooked: ReadonlySet<string>,
): Promise<TwinComparison> {
  const { evidence, testbed } = scope;
  const answered = await evidence.twin(vehicle);
  const snapshot = vehicle.boxId === undefined ? undefined : testbed.snapshotOf(vehicle);
  const comparison = new TwinComparison(scope, vehicle, {
    model: knownModel(vehicle.model),
    snapshot,
    state: stateOf(answered['latest_vehicle_state']),
    isBooked: answered['maintenance_booked'] === true && !rebooked.has(`/vehicles/${vehicle.vehicleId}`),
  });
  if (answered['setup_status'] !== 'SUCCEEDED') comparison.excuse('it is not set up');
  else {
    await comparison.compare();
    if (snapshot !== undefined) comparison.compareRecord(recordFaults(answered, vehicle.boxId, snapshot));
  }
  return comparison;
}

function stateOf(state: unknown): ReadonlyMap<string, ApiProperty> {
  if (typeof state !== 'object' || state === null) return new Map();
  return new Map(Object.entries(state as Readonly<Record<string, ApiProperty>>));
}

/** `812 values of 12 vehicles, 60 of them as they are now; not compared: 3 values (its box is in workshop mode)`. */
function summaryOf(comparisons: readonly TwinComparison[]): string {
  const sum = (of: (one: TwinComparison) => number) => comparisons.reduce((all, one) => all + of(one), 0);
  const excused = new Map<string, number>();
  for (const one of comparisons)
    for (const [reason, count] of one.excused) excused.set(reason, (excused.get(reason) ?? 0) + count);
  const left = [...excused].map(([reason, count]) => `${counted(count, 'value')} (${reason})`);
  const values = counted(
    sum(({ compared }) => compared),
    'value',
  );
  const now = sum(({ comparedNow }) => comparedNow);
  return `${values} of ${counted(comparisons.length, 'vehicle')}, ${now} of them as they are now${
    left.length === 0 ? '' : `; not compared: ${left.join(', ')}`
  }`;
}

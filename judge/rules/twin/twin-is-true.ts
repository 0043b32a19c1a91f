import { knownModel } from '../../../protocol/models/known-models.ts';
import { sleep } from '../../../world/time/time.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { Verdict } from '../../verdict.ts';
import { counted } from '../../wording.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { type ApiProperty, TwinComparison } from './twin-comparison.ts';
import { recordFaults } from './vehicle-record.ts';

/**
 * Compares the latest vehicle state that the API answers with the physics of the simulator: each value with the truth
 * at its own time, and for a stationary vehicle with its ignition off also with the present truth of what a box
 * monitors. Of the service only the JSON of its answer is used. A vehicle that was just parked has some seconds to
 * report, so differences are read again before they count.
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
  return resultOf([...done.values()], findings);
};

/**
 * The vehicles whose booking of the maintenance set changed during the run: earlier reports lack it, so that it may be
 * absent. Present values are compared, and twin-is-fold knows which reports came while it was booked.
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
  if (answered['setup_status'] !== 'SUCCEEDED') comparison.allow('it is not set up');
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
function resultOf(comparisons: readonly TwinComparison[], findings: Findings): Verdict {
  const sum = (of: (one: TwinComparison) => number) => comparisons.reduce((all, one) => all + of(one), 0);
  const allowed = new Map<string, number>();
  for (const one of comparisons)
    for (const [reason, count] of one.allowed) allowed.set(reason, (allowed.get(reason) ?? 0) + count);
  const left = [...allowed].map(([reason, count]) => `${counted(count, 'value')} (${reason})`);
  const values = sum(({ compared }) => compared);
  const now = sum(({ comparedNow }) => comparedNow);
  const rest = left.length === 0 ? '' : `; not compared: ${left.join(', ')}`;
  return findings.result(
    [[values, 'value']],
    ` of ${counted(comparisons.length, 'vehicle')}, ${now} of them as they are now${rest}`,
  );
}

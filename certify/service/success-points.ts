import {
  COMMAND_OPERATIONS,
  CONNECTIVITY_OPERATIONS,
  type CommandOperation,
} from '../../contract/command-operations.ts';
import { FEATURES, type FeatureName } from '../../contract/features.ts';
import { capabilityOf, type Operation, operationName } from '../../contract/operation.ts';
import { featureOperations } from '../../contract/operations.ts';
import { expectAnswer } from '../../judge/certify/expected-answer.ts';
import type { PointPlan } from '../../judge/certify/point.ts';
import { failed, notSeen, type Verdict } from '../../judge/verdict.ts';
import type { VehicleCommandName } from '../../protocol/commands.ts';
import type { CandidateVehicle } from '../../scenarios/causes/cause.ts';
import { hasSmokeSensor, isOldFirmware } from '../../scenarios/causes/causes-of-boxes.ts';
import { isJsonObject, jsonOf, valueAt } from '../../world/json.ts';
import { ask, type CertifySession, type PointList, untilReady } from './certify-session.ts';

/** The point that an operation succeeds. */
export function successPoint(operation: Pick<Operation, 'method' | 'path'>): PointPlan {
  const name = operationName(operation);
  return { id: `success/${name}`, about: `${name} does what it says, and says so.`, clause: 'docs/api.md' };
}

/** The result of a vehicle command, by its name: properties of the state that it answers with. */
const AFTER: Readonly<Record<VehicleCommandName, Readonly<Record<string, unknown>>>> = {
  'request-vehicle-state': {},
  'enable-driving': { driving_enabled: true },
  'disable-driving': { driving_enabled: false },
  'unlock-central-lock': { central_lock: 'UNLOCKED' },
  'lock-central-lock': { central_lock: 'LOCKED' },
  'unlock-and-enable-driving': { central_lock: 'UNLOCKED', driving_enabled: true },
  'lock-and-disable-driving': { central_lock: 'LOCKED', driving_enabled: false },
  'unlock-top-case': { top_case_lock: 'UNLOCKED' },
  'lock-top-case': { top_case_lock: 'LOCKED' },
  'draw-attention': {},
  'unlock-battery-compartment': {},
};

/**
 * Tests each command of box and vehicle once, and each feature: what is put can be read, and is gone after its
 * deletion.
 */
export async function tryCommands(session: CertifySession, list: PointList): Promise<void> {
  const loads = new Map<string, (() => Promise<void>)[]>();
  const plan = (vehicle: CandidateVehicle, work: () => Promise<void>) => {
    loads.set(vehicle.id, [...(loads.get(vehicle.id) ?? []), work]);
  };
  for (const operation of COMMAND_OPERATIONS) {
    const point = successPoint(operation);
    if (!list.wants(point)) continue;
    const vehicle = fitting(session, loads, (one) => canCommand(one, operation));
    if (vehicle === undefined) list.add(point, notSeen('No vehicle of the fleet has the command.'));
    else plan(vehicle, async () => list.add(point, await tryCommand(session, operation, vehicle)));
  }
  for (const feature of Object.keys(FEATURES) as FeatureName[]) {
    const own = Object.values(featureOperations(feature));
    if (!own.some((operation) => list.wants(successPoint(operation)))) continue;
    const vehicle = fitting(session, loads, (one) => canConfigure(one, feature));
    if (vehicle !== undefined) plan(vehicle, () => tryFeature(session, own, vehicle, list));
    else for (const one of own) list.add(successPoint(one), notSeen('No box of the fleet has the feature.'));
  }
  await Promise.all(
    [...loads.values()].map(async (works) => {
      for (const work of works) await work();
    }),
  );
}

function canCommand(vehicle: CandidateVehicle, operation: Operation): boolean {
  if (vehicle.telematics !== 'box' || !vehicle.capabilities.includes(capabilityOf(operation) ?? ''))
    return false;
  return !operation.guards.includes('incompatible-firmware') || !isOldFirmware(vehicle);
}

function canConfigure(vehicle: CandidateVehicle, feature: string): boolean {
  if (vehicle.telematics !== 'box') return false;
  if (feature === 'damage-detection') return vehicle.generation !== 1;
  return feature !== 'smoke-detection' || hasSmokeSensor(vehicle);
}

/** The matching vehicle with the least load. */
function fitting(
  { context }: CertifySession,
  loads: ReadonlyMap<string, readonly unknown[]>,
  fits: (vehicle: CandidateVehicle) => boolean,
): CandidateVehicle | undefined {
  const load = ({ id }: CandidateVehicle) => loads.get(id)?.length ?? 0;
  return context.vehicles.filter(fits).sort((a, b) => load(a) - load(b))[0];
}

async function tryCommand(
  session: CertifySession,
  operation: CommandOperation,
  vehicle: CandidateVehicle,
): Promise<Verdict> {
  if (!(await untilReady(session, vehicle)))
    return failed('a box that takes commands', `The box of ${vehicle.id} is not ready.`);
  const name = operation.path.split('/').at(-1) ?? '';
  const answer = await ask(session, 'POST', operation.path.replace('{id}', vehicle.id));
  switch (operation.answer) {
    case 'system-status':
      return expectAnswer(answer, 200, (body) => hasNames(body, ['device_up_since', 'can_bus_0_active']));
    case 'nothing':
      return expectAnswer(answer, 204);
    case 'vehicle-state':
      return expectAnswer(answer, 200, (body) => [
        ...(isJsonObject(body) && Object.keys(body).length > 0 ? [] : ['It has no property.']),
        ...Object.entries(AFTER[name as VehicleCommandName]).flatMap(([property, wanted]) => {
          const told = valueAt(body, property, 'value');
          // Present only where a value could be read.
          const isSo = told === undefined || told === wanted;
          return isSo ? [] : [`${property} is ${JSON.stringify(told)}, and not ${JSON.stringify(wanted)}.`];
        }),
      ]);
    default:
      return operation.answer satisfies never;
  }
}

function hasNames(body: unknown, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (valueAt(body, name) === undefined ? [`It lacks ${name}.`] : []));
}

async function tryFeature(
  session: CertifySession,
  operations: readonly Operation[],
  vehicle: CandidateVehicle,
  list: PointList,
): Promise<void> {
  const of = (method: string) => operations.find((one) => one.method === method);
  const path = (of('GET')?.path ?? '').replace('{id}', vehicle.id);
  const add = (method: string, result: Verdict) => {
    const operation = of(method);
    if (operation !== undefined && list.wants(successPoint(operation)))
      list.add(successPoint(operation), result);
  };
  await untilReady(session, vehicle);
  const isOn = (body: unknown) =>
    ['ACTIVE', 'ACTIVATING'].includes(String(valueAt(body, 'status')))
      ? []
      : [`Its status is ${JSON.stringify(valueAt(body, 'status'))} after a PUT.`];
  add('PUT', expectAnswer(await ask(session, 'PUT', path, {}), 200, isOn));
  add('GET', expectAnswer(await ask(session, 'GET', path), 200, isOn));
  const deleted = await ask(session, 'DELETE', path);
  const after = valueAt(jsonOf((await ask(session, 'GET', path)).text), 'status');
  const result = expectAnswer(deleted, 204);
  const isStill = result.result === 'passed' && after !== 'INACTIVE';
  add(
    'DELETE',
    isStill ? failed('the feature INACTIVE afterwards', `GET says ${JSON.stringify(after)}.`) : result,
  );
}

/** The commands of the SIM card: the service asks the provider, and the card has the commanded state. */
export async function tryCards(session: CertifySession, list: PointList): Promise<void> {
  // What is activated was suspended before.
  const order = ['request-sim-suspension', 'request-sim-activation', 'network-detach'];
  const place = ({ path }: Operation) => order.indexOf(path.split('/').at(-1) ?? '');
  for (const operation of [...CONNECTIVITY_OPERATIONS].sort((a, b) => place(a) - place(b))) {
    const point = successPoint(operation);
    if (!list.wants(point)) continue;
    if (!session.means.hasSurroundings) {
      list.add(
        point,
        notSeen('The service asks a provider that is not ours: have it ask that of --simulator-port.'),
      );
      continue;
    }
    const vehicle = session.context.vehicles.find(
      (one) =>
        one.telematics === 'box' &&
        one.capabilities.includes('REQUEST_SIM_SUSPENSION') &&
        one.capabilities.includes('NETWORK_DETACH') &&
        one.simProvider !== 'harbour',
    );
    if (vehicle === undefined) {
      list.add(point, notSeen('No vehicle of the fleet has such a card.'));
      continue;
    }
    const cardOf = () => session.vehicles.find(({ vehicleId }) => vehicleId === vehicle.id)?.box.sim();
    if (operation.name === 'network-detach') await untilReady(session, vehicle);
    // Of a card that is active already nothing would be seen: the point of the suspension may not be wanted.
    if (operation.name === 'request-sim-activation' && cardOf() === 'active')
      await ask(
        session,
        'POST',
        operation.path.replace('{id}', vehicle.id).replace('activation', 'suspension'),
      );
    const answer = await ask(session, 'POST', operation.path.replace('{id}', vehicle.id));
    const card = cardOf();
    const wanted = operation.path.endsWith('suspension') ? 'suspended' : 'active';
    const result = expectAnswer(answer, 204);
    const isOther = operation.name !== 'network-detach' && result.result === 'passed' && card !== wanted;
    list.add(
      point,
      isOther ? failed(`a card that is ${wanted}`, `204, and the card is ${String(card)}.`) : result,
    );
  }
}

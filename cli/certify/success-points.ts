import type { CandidateVehicle } from '../../scenarios/causes/cause.ts';
import type { CauseAnswer } from '../../scenarios/causes/cause-ports.ts';
import { hasSmokeSensor, isOldFirmware } from '../../scenarios/causes/causes-of-boxes.ts';
import { FEATURES, OPERATIONS, type Operation, operationName } from '../../scenarios/causes/operations.ts';
import { valueAt } from '../../scenarios/causes/steps.ts';
import { ask, type CertifySession, type PointList, untilReady } from './certify-session.ts';
import { failed, notTried, type PointPlan, type PointResult, passed } from './point.ts';
import { jsonOf } from './service-api.ts';

/** The point that an operation succeeds. */
export function successPoint(operation: Pick<Operation, 'method' | 'path'>): PointPlan {
  const name = operationName(operation);
  return { id: `success/${name}`, about: `${name} does what it says, and says so.`, clause: 'docs/api.md' };
}

/** An answer with this status, and what else it has to have; complaints as sentences. */
export function expectAnswer(
  { status, text }: CauseAnswer,
  wanted: number,
  complaints: (body: unknown) => readonly string[] = () => [],
): PointResult {
  const what = wanted === 204 ? '204 without a body' : `${wanted}`;
  if (status !== wanted) return failed(what, `${status} ${text.slice(0, 300)}`);
  if (wanted === 204)
    return text === '' ? passed(what) : failed(what, `204 with the body ${text.slice(0, 300)}`);
  const found = complaints(jsonOf(text));
  return found.length === 0 ? passed(what) : failed(what, `${wanted}, but: ${found.join(' ')}`);
}

/** What a command of the vehicle leads to, by its name: properties of the state that it answers with. */
const AFTER: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'enable-driving': { driving_enabled: true },
  'disable-driving': { driving_enabled: false },
  'unlock-central-lock': { central_lock: 'UNLOCKED' },
  'lock-central-lock': { central_lock: 'LOCKED' },
  'unlock-and-enable-driving': { central_lock: 'UNLOCKED', driving_enabled: true },
  'lock-and-disable-driving': { central_lock: 'LOCKED', driving_enabled: false },
  'unlock-top-case': { top_case_lock: 'UNLOCKED' },
  'lock-top-case': { top_case_lock: 'LOCKED' },
};

/** Tries each command of box and vehicle once, and each feature: what is put is read, and is gone when it is deleted. */
export async function tryCommands(session: CertifySession, list: PointList): Promise<void> {
  const loads = new Map<string, (() => Promise<void>)[]>();
  const plan = (vehicle: CandidateVehicle, work: () => Promise<void>) => {
    loads.set(vehicle.id, [...(loads.get(vehicle.id) ?? []), work]);
  };
  for (const operation of OPERATIONS.filter(isCommand)) {
    const point = successPoint(operation);
    if (!list.wants(point)) continue;
    const vehicle = fitting(session, loads, (one) => canCommand(one, operation));
    if (vehicle === undefined) list.add(point, notTried('No vehicle of the fleet has the command.'));
    else plan(vehicle, async () => list.add(point, await tryCommand(session, operation, vehicle)));
  }
  for (const feature of FEATURES) {
    const own = OPERATIONS.filter((operation) => operation.feature === feature);
    if (!own.some((operation) => list.wants(successPoint(operation)))) continue;
    const vehicle = fitting(session, loads, (one) => canConfigure(one, feature));
    if (vehicle !== undefined) plan(vehicle, () => tryFeature(session, own, vehicle, list));
    else for (const one of own) list.add(successPoint(one), notTried('No box of the fleet has the feature.'));
  }
  await Promise.all(
    [...loads.values()].map(async (works) => {
      for (const work of works) await work();
    }),
  );
}

function isCommand({ kind }: Operation): boolean {
  return ['system-status', 'box-reset', 'workshop', 'vehicle-command', 'vehicle-command-at-rest'].includes(
    kind,
  );
}

function canCommand(vehicle: CandidateVehicle, { capability = '', kind }: Operation): boolean {
  if (vehicle.telematics !== 'box' || !vehicle.capabilities.includes(capability)) return false;
  return kind !== 'workshop' || !isOldFirmware(vehicle);
}

function canConfigure(vehicle: CandidateVehicle, feature: string): boolean {
  if (vehicle.telematics !== 'box') return false;
  if (feature === 'damage-detection') return vehicle.generation !== 1;
  return feature !== 'smoke-detection' || hasSmokeSensor(vehicle);
}

/** The vehicle that fits and has the least to do. */
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
  operation: Operation,
  vehicle: CandidateVehicle,
): Promise<PointResult> {
  if (!(await untilReady(session, vehicle)))
    return failed('a box that takes commands', `The box of ${vehicle.id} is not ready.`);
  const name = operation.path.split('/').at(-1) ?? '';
  const answer = await ask(session, 'POST', operation.path.replace('{id}', vehicle.id));
  switch (operation.kind) {
    case 'system-status':
      return expectAnswer(answer, 200, (body) => hasNames(body, ['device_up_since', 'can_bus_0_active']));
    case 'box-reset':
    case 'workshop':
      return expectAnswer(answer, 204);
    default:
      return expectAnswer(answer, 200, (body) =>
        Object.entries(AFTER[name] ?? {}).flatMap(([property, wanted]) => {
          const told = valueAt(body, property, 'value');
          // Present only where a value could be gathered.
          const isSo = told === undefined || told === wanted;
          return isSo ? [] : [`${property} is ${JSON.stringify(told)}, and not ${JSON.stringify(wanted)}.`];
        }),
      );
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
  const add = (method: string, result: PointResult) => {
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

/** The commands of the SIM card: the service asks the provider, and the card is as the command says. */
export async function tryCards(session: CertifySession, list: PointList): Promise<void> {
  const cards = OPERATIONS.filter(({ kind }) => kind === 'network-detach' || kind === 'sim');
  // What is activated was suspended before.
  const order = ['request-sim-suspension', 'request-sim-activation', 'network-detach'];
  const place = ({ path }: Operation) => order.indexOf(path.split('/').at(-1) ?? '');
  for (const operation of [...cards].sort((a, b) => place(a) - place(b))) {
    const point = successPoint(operation);
    if (!list.wants(point)) continue;
    if (!session.means.hasSurroundings) {
      list.add(
        point,
        notTried('The service asks a provider that is not ours: have it ask that of --simulator-port.'),
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
      list.add(point, notTried('No vehicle of the fleet has such a card.'));
      continue;
    }
    if (operation.kind === 'network-detach') await untilReady(session, vehicle);
    const answer = await ask(session, 'POST', operation.path.replace('{id}', vehicle.id));
    const card = session.vehicles.find(({ vehicleId }) => vehicleId === vehicle.id)?.box.sim();
    const wanted = operation.path.endsWith('suspension') ? 'suspended' : 'active';
    const result = expectAnswer(answer, 204);
    const isOther = operation.kind === 'sim' && result.result === 'passed' && card !== wanted;
    list.add(
      point,
      isOther ? failed(`a card that is ${wanted}`, `204, and the card is ${String(card)}.`) : result,
    );
  }
}

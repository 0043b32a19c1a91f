import type { ConnectivityCommandName } from '../../../contract/sim-providers.ts';
import { COMMANDS } from '../../../protocol/commands.ts';
import type { SimProviderName } from '../../../simulator/box-plan.ts';
import type { JsonObject } from '../../../world/json.ts';
import type { AnsweredCall, Equipment } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { fleetsOfClients } from '../fleets-apart.ts';
import { limits } from '../limits.ts';
import { RunTimes } from './run-times.ts';
import { statusFaults } from './system-status.ts';
import { listFaults } from './vehicle-lists.ts';

/** docs/api.md, Sharing: what identifies a vehicle on the road, and no more of its master data. */
const ON_THE_ROAD: ReadonlySet<string> = new Set(['vin', 'license_plate', 'brand', 'model']);
/** docs/api.md, Connectivity commands. */
const CARD_COMMANDS: Readonly<Record<SimProviderName, readonly ConnectivityCommandName[]>> = {
  meridian: ['network-detach', 'request-sim-activation', 'request-sim-suspension'],
  harbour: ['network-detach', 'request-sim-activation', 'request-sim-suspension'],
  tundra: ['network-detach'],
};
const OF_CARDS: ReadonlySet<string> = new Set(
  Object.values(CARD_COMMANDS).flatMap((names) => names.map(wordOf)),
);
const BOX_COMMANDS = COMMANDS.filter(({ family }) => family === 'box').map(({ name }) => name);

/**
 * Compares what answers show of vehicles with the plan of the run: a partner is shown nothing of the owner's own data;
 * the commands are those that vehicle, box and card have; a list has all vehicles of its reader's fleet, or those that its
 * filter names; no property is of later than the answer; a system status has
 * its times in order, and after the resets that were answered.
 */
export const readsAgree: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const findings = new Findings();
  const calls = await evidence.calls();
  const times = new RunTimes(scope);
  const byId = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  byId.delete('');
  const fleetOf = fleetsOfClients(scope);
  let count = 0;
  for (const call of calls) {
    if (call.status !== 200) continue;
    const report = (kind: string, text: string, vehicle: SimulatedVehicle) =>
      findings.add(kind, `the answer to call ${call.call} as ${call.as}, ${nameOf(vehicle)}: ${text}`, {
        vehicle,
        atMs: call.answeredMs,
      });
    for (const text of listFaults(call, fleetOf.get(call.as), vehicles, calls))
      findings.add('a list that is not so', `the answer to call ${call.call} as ${call.as}, ${text}`, {
        atMs: call.answeredMs,
      });
    for (const item of itemsIn(call)) {
      const vehicle = byId.get(String(item['id']));
      if (vehicle === undefined) continue;
      count += 1;
      if (fleetOf.get(call.as) !== vehicle.fleetId)
        for (const text of ownersIn(item)) report('what is the owner’s own', text, vehicle);
      const hasOtherCard = times.isUnder('box card', vehicle, { fromMs: 0, toMs: call.answeredMs });
      for (const text of commandsUnlike(item, evidence.equipment(vehicle), hasOtherCard))
        report('other commands than it has', text, vehicle);
      for (const text of laterThan(item, call.answeredMs)) report('a property of the future', text, vehicle);
    }
    if (call.vehicle === undefined || !call.path.endsWith('/request-system-status')) continue;
    count += 1;
    const own = calls.filter(({ vehicle }) => vehicle === call.vehicle);
    for (const text of statusFaults(call, own, call.vehicle, times, evidence.clockErrors(call.vehicle)))
      report('a system status that cannot be', text, call.vehicle);
  }
  return findings.result([[count, 'view']]);
};

/** The vehicles of an answer: one, or those of a list. */
function itemsIn({ method, path, body }: AnsweredCall): readonly JsonObject[] {
  const [plain = ''] = path.split('?', 1);
  const told = (typeof body === 'object' && body !== null ? body : {}) as JsonObject;
  if (method !== 'GET') return [];
  if (/^\/vehicles\/[^/]+$/.test(plain)) return [told];
  return plain === '/vehicles' && Array.isArray(told['items']) ? (told['items'] as JsonObject[]) : [];
}

function* ownersIn(item: JsonObject): Generator<string> {
  const tags = item['tags'];
  if (Array.isArray(tags) && tags.length > 0) yield `tags ${JSON.stringify(tags)}`;
  const fields = (item['custom_fields'] ?? {}) as JsonObject;
  if (Object.keys(fields).length > 0) yield `custom_fields ${JSON.stringify(fields)}`;
  for (const [name, value] of Object.entries((item['master_data'] ?? {}) as JsonObject))
    if (!ON_THE_ROAD.has(name) && value !== null) yield `master_data.${name} ${JSON.stringify(value)}`;
}

function* commandsUnlike(
  item: JsonObject,
  equipment: Equipment | undefined,
  hasOtherCard: boolean,
): Generator<string> {
  const { commands } = (item['capabilities'] ?? {}) as { readonly commands?: readonly string[] };
  if (commands === undefined || equipment === undefined) return;
  const { vehicleCommands, simProvider } = equipment;
  const has = [
    ...vehicleCommands,
    ...BOX_COMMANDS,
    ...(CARD_COMMANDS[simProvider as SimProviderName] ?? []),
  ].map(wordOf);
  // The commands of a card are known only for the one from the start of the run.
  const isOpen = (name: string) => hasOtherCard && OF_CARDS.has(name);
  const missing = has.filter((name) => !commands.includes(name) && !isOpen(name));
  const more = commands.filter((name) => !has.includes(name) && !isOpen(name));
  if (missing.length > 0) yield `it does not name ${missing.join(', ')}`;
  if (more.length > 0) yield `it names ${more.join(', ')}`;
}

function wordOf(command: string): string {
  return command.toUpperCase().replaceAll('-', '_');
}

function* laterThan(item: JsonObject, atMs: number): Generator<string> {
  const state = (item['latest_vehicle_state'] ?? {}) as Readonly<
    Record<string, { readonly timestamp: string }>
  >;
  for (const [name, { timestamp }] of Object.entries(state))
    if (Date.parse(timestamp) > atMs + limits.readSlackMs) yield `${name} is of ${timestamp}`;
}

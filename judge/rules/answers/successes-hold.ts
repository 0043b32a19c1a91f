import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { Checker, CheckScope } from '../check.ts';
import { judgeConfigurationReads } from '../configuration/configuration-reads.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { fleetsOfClients } from '../fleets-apart.ts';
import { SharingRecording } from '../sharing-recording.ts';
import { spanOf } from './readiness-rules.ts';
import { RecordRegister } from './record-register.ts';
import { RunTimes } from './run-times.ts';
import { judgeSubscriptions } from './subscription-promises.ts';

const CARD_COMMAND = /\/box-connectivity-commands\/request-sim-(activation|suspension)$/;

const ALWAYS = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };

/**
 * Compares successful answers with the later state: a card has the state that its provider was asked for; what a PATCH
 * or a PUT of sharing wrote is read until a later write replaces it; a vehicle stays with the fleet that it is shared
 * with; subscriptions exist until they are ended (subscription-promises.ts); features are as they were put
 * (judge/rules/configuration/configuration-reads.ts).
 */
export const successesHold: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const findings = new Findings();
  const calls = await evidence.calls();
  if (evidence.unrecorded().calls > 0)
    return nothingCompared('the recording of calls was full, and absence proves nothing');
  judgeCards(scope, calls, findings);
  judgeSharing(scope, calls, findings);
  const fleetOf = fleetsOfClients(scope);
  for (const vehicle of vehicles)
    if (vehicle.vehicleId !== '') await judgeRecord(scope, vehicle, calls, fleetOf, findings);
  await judgeSubscriptions(scope, calls, fleetOf, findings);
  await judgeConfigurationReads(scope, calls, findings);
  const successes = calls.filter(({ status }) => status >= 200 && status < 300);
  return findings.result([[successes.length, 'success', 'successes']]);
};

/** docs/api.md, Connectivity commands: their 204 means that the provider has carried them out. */
function judgeCards(scope: CheckScope, calls: readonly AnsweredCall[], findings: Findings): void {
  const times = new RunTimes(scope);
  const ofCards = calls.filter(({ path }) => path.includes('/box-connectivity-commands/'));
  for (const call of ofCards) {
    const { vehicle, path, status, card, answeredMs } = call;
    const wanted = CARD_COMMAND.exec(path)?.[1] === 'activation' ? 'active' : 'suspended';
    if (!CARD_COMMAND.test(path) || status !== 204 || vehicle === undefined || card === undefined) continue;
    const isAlone = ofCards.every(
      (one) =>
        one === call || one.vehicle !== vehicle || one.answeredMs < call.askedMs || one.askedMs > answeredMs,
    );
    if (!isAlone || times.isUnder('weather sim', vehicle, spanOf(call)) || card === wanted) continue;
    // The service uses the card on record, whichever is in the box.
    if (times.isUnder('box card', vehicle, ALWAYS)) continue;
    // A detached card registers again automatically.
    if (wanted === 'active' && card === 'detached') continue;
    findings.add(
      'a card that is not as its command was answered',
      `204 to call ${call.call}, ${path}: the card of ${nameOf(vehicle)} is ${card}`,
      { vehicle, atMs: answeredMs },
    );
  }
}

/** docs/api.md, Sharing: a vehicle can be shared with one other fleet. */
function judgeSharing({ testbed }: CheckScope, calls: readonly AnsweredCall[], findings: Findings): void {
  const sharing = new SharingRecording(calls, testbed.fleetId('partner'));
  const fleetIds = ['own', 'partner', 'stranger'].map((fleet) => testbed.fleetId(fleet));
  for (const { call, vehicle, method, path, status, sent, askedMs, answeredMs } of calls) {
    const [, vehicleId = ''] = /^\/vehicles\/([^/]+)\/sharing$/.exec(path) ?? [];
    if (method !== 'PUT' || vehicleId === '' || status !== 200) continue;
    const { partner_fleet_id: wanted } = (sent ?? {}) as { readonly partner_fleet_id?: string };
    const held = fleetIds.find(
      (fleetId) => fleetId !== wanted && sharing.mustHaveBeenShared(vehicleId, fleetId, askedMs, answeredMs),
    );
    if (held === undefined) continue;
    findings.add(
      'a vehicle that was taken from its partner',
      `200 to call ${call}, which shares ${vehicleId} with ${String(wanted)}: it was shared with ${held}`,
      { vehicle, atMs: answeredMs },
    );
  }
}

async function judgeRecord(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
  calls: readonly AnsweredCall[],
  fleetOf: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  const path = `/vehicles/${vehicle.vehicleId}`;
  const own = calls.filter((one) => one.path === path || one.path === `${path}/sharing`);
  if (!own.some(({ method }) => method !== 'GET')) return;
  const register = new RecordRegister(own);
  const report = (what: string, atMs: number, found: ReturnType<RecordRegister['disagreements']>) => {
    for (const { property, told, possible } of found)
      findings.add(
        'a change that was lost',
        `${what} of ${nameOf(vehicle)}: ${property} is ${told}, and can only be ${possible.join(' or ')}`,
        { vehicle, atMs },
      );
  };
  for (const call of own) {
    if (call.status !== 200 || fleetOf.get(call.as) !== vehicle.fleetId) continue;
    const change = call.method === 'GET' ? undefined : call;
    const body = (call.body ?? {}) as Readonly<Record<string, unknown>>;
    report(`call ${call.call}`, call.answeredMs, register.disagreements(body, spanOf(call), change));
  }
  const nowMs = testbed.time.nowMs();
  const now = await evidence.twin(vehicle);
  if ('id' in now || 'latest_vehicle_state' in now)
    report('the record at the end', nowMs, register.disagreements(now, { fromMs: nowMs, toMs: nowMs }));
}

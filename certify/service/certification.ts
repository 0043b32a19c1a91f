import { SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import { refuseOtherInstallation } from '../../deployment/directory/running-addresses.ts';
import { fetchOf } from '../../deployment/http/installation.ts';
import { Disposables } from '../../deployment/shared/disposables.ts';
import { asUserError } from '../../deployment/shared/user-errors.ts';
import type { AnsweredRequest } from '../../judge/certify/answer-validator.ts';
import { checkerPoint, judgeByChecker } from '../../judge/certify/checker-points.ts';
import { limits as bounds } from '../../judge/certify/limits.ts';
import { MESSAGE_POINTS } from '../../judge/certify/message-points.ts';
import type { CertifyReport, Point } from '../../judge/certify/point.ts';
import { judgeSchemas } from '../../judge/certify/schema-points.ts';
import { WIRE_POINTS } from '../../judge/certify/wire-points.ts';
import { OUTSIDE_CHECKERS } from '../../judge/checkers.ts';
import type { Fact } from '../../judge/evidence/fact.ts';
import { ALL_FRAME_KINDS } from '../../judge/recordings.ts';
import type { CheckScope, RunPlan } from '../../judge/rules/check.ts';
import { notSeen } from '../../judge/verdict.ts';
import { readCauseContext } from '../../scenarios/causes/cause-context.ts';
import { walkProblems } from '../../scenarios/causes/problem-walk.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import { BoxRecording } from '../../scenarios/testbed/common/recordings/box-recording.ts';
import { CallRecording } from '../../scenarios/testbed/common/recordings/call-recording.ts';
import { ClockRecording } from '../../scenarios/testbed/common/recordings/clock-recording.ts';
import { BoxWatch } from '../../scenarios/testbed/common/vehicles/box-watch.ts';
import { keyIdOf } from '../../world/crypto/real-crypto.ts';
import { jsonOf, valueAt } from '../../world/json.ts';
import { realTime } from '../../world/time/real-time.ts';
import { sleep } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { tryAccess } from './access-points.ts';
import { openCertifiedFleet } from './certified-fleet.ts';
import { certifiedVehicles } from './certified-vehicles.ts';
import type { CertifyOptions } from './certify-options.ts';
import { ask, type CertifySession, PointList, until, untilReady } from './certify-session.ts';
import { outsideEvidence } from './checker-evidence.ts';
import { contractDocuments } from './contract-documents.ts';
import { openMessageReader } from './message-reader.ts';
import { judgeProblem, missingFor, problemPoint } from './problem-points.ts';
import { tryRecords } from './record-points.ts';
import { ServiceApi } from './service-api.ts';
import { callersOf, serviceLine } from './service-line.ts';
import { tryCards, tryCommands } from './success-points.ts';

/** A service that is certified, with our boxes connected to it, until it is closed. */
export interface Certification {
  /**
   * Tests and judges the points whose ids contain one of these texts; none: all. May be called again, for a service
   * that may have changed. `told`: receives each point as it is judged.
   */
  run(only?: readonly string[], told?: (point: Point) => void): Promise<CertifyReport>;
  /** Cancels the subscription and ends the boxes. The vehicles stay at the service. */
  close(): Promise<void>;
}

/** Onboards vehicles at the service, starts their boxes and subscribes to messages. Rejects with a `CommandError`. */
export async function openCertification(options: CertifyOptions): Promise<Certification> {
  const disposables = new Disposables();
  try {
    return await open(options, disposables);
  } catch (error) {
    await disposables.close();
    throw asUserError(error);
  }
}

async function open(options: CertifyOptions, disposables: Disposables): Promise<Certification> {
  const { client, admin, network = {} } = options;
  const time = realTime();
  const directory = await openIdentity(options);
  if (options.force !== true) await refuseOthers(options, directory.path);
  const fetchNow = fetchOf(
    options.force === true ? undefined : await keyIdOf(directory.identity.signing_key),
    network.fetch ?? ((request) => fetchInTime(request, options.answerTimeoutMs)),
  );
  const api = new ServiceApi({ baseUrl: options.api, client, fetch: fetchNow, time });
  await api.authorization();
  const fleet = await openCertifiedFleet(options, { directory, api, fetch: fetchNow }, disposables);
  const documents = await contractDocuments(fleet.world);
  const fleetId = String(
    valueAt(jsonOf((await api.ask('GET', '/vehicles?limit=1')).text), 'items', '0', 'fleet_id'),
  );
  const ports = serviceLine({ api, fleet, fetch: fetchNow, time, admin, fleetId });
  const callers = callersOf({ api, admin }, ports, client);
  const context = await readCauseContext(ports, await api.authorization());
  const vehicles = certifiedVehicles(fleet, fleetId);
  const messages = await openMessageReader(options, api, time, disposables);
  const means = { hasAdmin: admin !== undefined, hasSurroundings: fleet.hasSurroundings };
  const facts: Fact[] = [];
  const clockErrors = new ClockRecording();
  const boxHistory = new BoxRecording();
  const boxWatch = new BoxWatch(
    time,
    (fact) => facts.push({ atMs: time.nowMs(), ...fact }),
    clockErrors,
    boxHistory,
  );
  for (const vehicle of vehicles) {
    boxWatch.watch(vehicle, vehicle.box);
    vehicle.box.keepHistory(limits.keptChanges);
  }
  const session: CertifySession = {
    options,
    time,
    api,
    fleet,
    ports,
    callers,
    documents,
    vehicles,
    messages,
    means,
    // Without the maker's cloud behind them nothing can be tested with its vehicles.
    context: {
      ...context,
      vehicles: context.vehicles.filter((one) => fleet.hasSurroundings || one.telematics === 'box'),
    },
    calls: new CallRecording(),
  };
  return {
    async run(only = [], told) {
      const calls = new CallRecording();
      const own = { ...session, calls };
      const list = new PointList(only, told);
      api.takeExchanges();
      const fromMs = time.nowMs();
      await trySuccesses(own, list);
      await judgeMessages(own, list, fromMs, fleetId);
      const sources = { api, vehicles, fleetId, calls, messages, boxWatch, clockErrors, boxHistory };
      const evidence = outsideEvidence({ ...sources, frames: fleet.frames });
      const scope = scopeOf(own, evidence, facts, fleetId);
      for (const name of OUTSIDE_CHECKERS)
        if (list.wants(checkerPoint(name))) list.add(checkerPoint(name), await judgeByChecker(name, scope));
      const exchanges = [...api.takeExchanges()];
      await tryProblems(own, list);
      await judgeWire(own, list);
      judgeExchanges(own, list, [...exchanges, ...api.takeExchanges()]);
      return { subject: options.api, points: list.points };
    },
    close: () => disposables.close(),
  };
}

/**
 * Vehicles are opened and moved at the service, and its admin interface makes it fail: both must be the intended ones.
 */
async function refuseOthers({ api, admin }: CertifyOptions, data: string): Promise<void> {
  await refuseOtherInstallation(api, '--url', data);
  if (admin !== undefined) await refuseOtherInstallation(admin, '--admin', data);
}

function fetchInTime(request: Request, answerTimeoutMs: number): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(answerTimeoutMs + limits.answerSlackMs) });
}

/** Requests that succeed: each is judged alone, and the checkers and schemas examine it afterwards. */
async function trySuccesses(session: CertifySession, list: PointList): Promise<void> {
  await tryAccess(session, list);
  await tryRecords(session, list);
  await tryCommands(session, list);
  await tryCards(session, list);
  for (const vehicle of session.context.vehicles)
    if (vehicle.telematics === 'box' && session.calls.answered().length > 0)
      await untilReady(session, vehicle);
}

async function judgeMessages(
  session: CertifySession,
  list: PointList,
  fromMs: number,
  fleetId: string,
): Promise<void> {
  const wanted = MESSAGE_POINTS.filter(({ plan }) => list.wants(plan));
  const looksAt = OUTSIDE_CHECKERS.some((name) => list.wants(checkerPoint(name)));
  const { messages, calls, fleet, time, vehicles } = session;
  if (messages === undefined) {
    for (const { plan } of wanted) list.add(plan, notSeen('Give the AMQP broker with --amqp.'));
    return;
  }
  if (wanted.length === 0 && !looksAt) return;
  // Between two commands of each vehicle the reports of its box and the resulting messages are counted.
  const marksMs = time.nowMs();
  await causeReports(session);
  await until(time, bounds.messageMs, async () => {
    const flows = new Set(messages.messages.map(({ body }) => valueAt(body, 'metadata', 'flow_id')));
    return calls
      .answered()
      .every(({ method, path, status, flowId }) => !hasMessage(method, path, status) || flows.has(flowId));
  });
  await sleep(time, limits.quietMs);
  const came = messages.messages.filter(({ atMs }) => atMs >= fromMs);
  const sent = new Map(
    vehicles.map(({ vehicleId, boxId }) => [
      vehicleId,
      [...fleet.frames.frames(boxId, ALL_FRAME_KINDS)].filter(({ atMs }) => atMs >= marksMs),
    ]),
  );
  for (const { plan, judge } of wanted)
    list.add(
      plan,
      judge({
        messages: came,
        sent,
        fleetId,
        countedMs: marksMs,
        document: session.documents.messages,
        calls: calls.answered(),
      }),
    );
}

/** Whether the contract promises a message for such a call. */
function hasMessage(method: string, path: string, status: number): boolean {
  if (status !== 200) return false;
  return method === 'PATCH' || (method === 'POST' && /^\/vehicles\/[^/]+\/commands\//.test(path));
}

/** Makes each box answer a command, report events of its vehicle, and answer another command. */
async function causeReports(session: CertifySession): Promise<void> {
  const { context, vehicles, time } = session;
  const able = context.vehicles.filter(({ capabilities }) => capabilities.includes('REQUEST_VEHICLE_STATE'));
  const boxOf = (id: string) => vehicles.find(({ vehicleId }) => vehicleId === id)?.box;
  await Promise.all(
    able.map(async ({ id, capabilities, telematics }) => {
      if (telematics !== 'box') return;
      const lock = capabilities.includes('UNLOCK_CENTRAL_LOCK')
        ? 'unlock-central-lock'
        : 'request-vehicle-state';
      await ask(session, 'POST', `/vehicles/${id}/commands/${lock}`);
      for (const isOpen of [true, false]) {
        boxOf(id)?.openDoor(isOpen);
        await sleep(time, limits.reportMs);
      }
      await ask(session, 'POST', `/vehicles/${id}/commands/request-vehicle-state`);
    }),
  );
  const [first] = vehicles;
  if (first === undefined) return;
  await ask(session, 'PATCH', `/vehicles/${first.vehicleId}`, { tags: ['certified'] });
  await ask(session, 'PATCH', `/vehicles/${first.vehicleId}`, { tags: [] });
}

async function tryProblems(session: CertifySession, list: PointList): Promise<void> {
  const { means, callers, ports } = session;
  const rows = PROBLEM_TABLE.filter((row) => list.wants(problemPoint(row)));
  const tried = rows.filter((row) => missingFor(row, means) === undefined);
  if (rows.length === 0) return;
  if (tried.some(({ cause }) => cause === 'expired-token')) await callers.authorization('expired');
  const taken = tried.some(({ cause }) => cause === 'discriminator-is-taken')
    ? await takeDiscriminator(session)
    : undefined;
  const { results } = await walkProblems(
    { ports, callers, context: session.context },
    tried,
    session.options.answerTimeoutMs,
  );
  for (const row of rows) {
    const missing = missingFor(row, means);
    const answer = results.get(row);
    if (missing !== undefined) list.add(problemPoint(row), notSeen(missing));
    else
      list.add(
        problemPoint(row),
        answer === undefined ? notSeen('It was not asked.') : judgeProblem(row, answer),
      );
  }
  if (taken !== undefined) await session.api.ask('DELETE', taken);
}

/** Subscribes under the discriminator that another client is then refused; undefined: it is in use already. */
async function takeDiscriminator({ api }: CertifySession): Promise<string | undefined> {
  const body = { queue_discriminator: 'demo', topics: ['VehicleState_v1'] };
  const answer = await api.ask('POST', SUBSCRIPTIONS_PATH, body);
  return answer.status === 201
    ? `${SUBSCRIPTIONS_PATH}/${String(valueAt(jsonOf(answer.text), 'id'))}`
    : undefined;
}

async function judgeWire({ time, fleet, vehicles }: CertifySession, list: PointList): Promise<void> {
  const wanted = WIRE_POINTS.filter(({ plan }) => list.wants(plan));
  if (wanted.length === 0) return;
  // What was sent last has its receipt then.
  await sleep(time, limits.quietMs);
  const frames = new Map(
    vehicles.map(({ boxId }) => [boxId, [...fleet.frames.frames(boxId, ALL_FRAME_KINDS)]] as const),
  );
  for (const { plan, judge } of wanted) list.add(plan, judge({ frames, untilMs: time.nowMs() }));
}

function judgeExchanges(
  { documents }: CertifySession,
  list: PointList,
  exchanges: readonly AnsweredRequest[],
): void {
  const points = judgeSchemas(documents.api, exchanges).filter((point) => list.wants(point));
  for (const { id, about, clause, ...result } of points) list.add({ id, about, clause }, result);
}

/** The input of checkers for a certification: a calm run without steps. */
function scopeOf(
  { vehicles, time }: CertifySession,
  evidence: CheckScope['evidence'],
  facts: readonly Fact[],
  fleetId: string,
): CheckScope {
  return {
    plan: NO_PLAN,
    vehicles,
    evidence,
    testbed: {
      time,
      fleetId: (name) => (name === 'own' ? fleetId : name.toUpperCase()),
      snapshotOf: ({ number }) => {
        const box = vehicles[number - 1]?.box;
        return {
          truth: box?.truth() ?? {},
          belief: box?.snapshot() ?? {},
          isConnected: box?.isReady() === true,
          heldRecords: box?.status().heldRecords ?? 0,
        };
      },
    },
    facts,
    factsDropped: 0,
    unhealed: [],
  };
}

/** One client sends only requests that succeed, and nothing has to heal. */
const NO_PLAN: RunPlan = {
  clients: [],
  backends: 1,
  rateLimit: undefined,
  sharesTokens: false,
  healMs: 0,
};

import { readCauseContext } from '../../scenarios/causes/cause-context.ts';
import { bodyOf, jsonRequest } from '../../scenarios/causes/cause-ports.ts';
import { walkProblems } from '../../scenarios/causes/problem-walk.ts';
import { valueAt } from '../../scenarios/causes/steps.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import type { CheckScope } from '../../scenarios/checkers/check.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { Fact } from '../../scenarios/run/fact.ts';
import { BoxRecording } from '../../scenarios/testbed/common/recordings/box-recording.ts';
import { CallRecording } from '../../scenarios/testbed/common/recordings/call-recording.ts';
import { ClockRecording } from '../../scenarios/testbed/common/recordings/clock-recording.ts';
import { BoxWatch } from '../../scenarios/testbed/common/vehicles/box-watch.ts';
import { ALL_FRAME_KINDS } from '../../scenarios/testbed/port/recordings.ts';
import { realTime } from '../../world/time/real-time.ts';
import { sleep } from '../../world/time/time.ts';
import { Disposables } from '../shared/disposables.ts';
import { asUserError } from '../shared/user-errors.ts';
import { tryAccess } from './access-points.ts';
import type { AnsweredRequest } from './answer-validator.ts';
import { openCertifiedFleet } from './certified-fleet.ts';
import { certifiedVehicles } from './certified-vehicles.ts';
import type { CertifyOptions } from './certify-options.ts';
import { ask, type CertifySession, PointList, until, untilReady } from './certify-session.ts';
import { outsideEvidence } from './checker-evidence.ts';
import { checkerPoint, OUTSIDE_CHECKERS, runCheckers } from './checker-points.ts';
import { contractDocuments } from './contract-documents.ts';
import { limits } from './limits.ts';
import { MESSAGE_POINTS } from './message-points.ts';
import { openMessageReader } from './message-reader.ts';
import { type CertifyReport, notTried, type Point } from './point.ts';
import { judgeProblem, missingFor, problemPoint } from './problem-points.ts';
import { tryRecords } from './record-points.ts';
import { judgeSchemas } from './schema-points.ts';
import { jsonOf, ServiceApi } from './service-api.ts';
import { callersOf, serviceLine } from './service-line.ts';
import { tryCards, tryCommands } from './success-points.ts';
import { WIRE_POINTS } from './wire-points.ts';

/** A service that is certified, with boxes of ours at it, until it is closed. */
export interface Certification {
  /**
   * Tries and judges the points whose ids contain one of these texts; none: all. May be called again, for a service that
   * may have changed. `told`: each point as it is judged.
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
  const fetchNow = network.fetch ?? ((request) => fetchInTime(request, options.answerTimeoutMs));
  const api = new ServiceApi({ baseUrl: options.api, client, fetch: fetchNow, time });
  await api.authorization();
  const fleet = await openCertifiedFleet(options, api, disposables);
  const documents = await contractDocuments(fleet.world);
  const fleetId = String(
    valueAt(jsonOf((await api.ask('GET', '/vehicles?limit=1')).text), 'items', '0', 'fleet_id'),
  );
  const ports = serviceLine({ ...{ api, fleet, fetch: fetchNow, time, admin, fleetId } });
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
    ...{ options, time, api, fleet, ports, callers, documents, vehicles, messages, means },
    // Without the maker's cloud behind them nothing can be tried with its vehicles.
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
      await runCheckers(scopeOf(own, evidence, facts, fleetId), list);
      const exchanges = [...api.takeExchanges()];
      await tryProblems(own, list);
      await judgeWire(own, list);
      judgeExchanges(own, list, [...exchanges, ...api.takeExchanges()]);
      return { subject: options.api, points: list.points };
    },
    close: () => disposables.close(),
  };
}

function fetchInTime(request: Request, answerTimeoutMs: number): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(answerTimeoutMs + limits.answerSlackMs) });
}

/** What is asked so that it succeeds: it is judged by itself, and the checkers and schemas look at it afterwards. */
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
    for (const { plan } of wanted) list.add(plan, notTried('Give the AMQP broker with --amqp.'));
    return;
  }
  if (wanted.length === 0 && !looksAt) return;
  // Between two commands of each vehicle it is counted what its box reports, and what comes of that.
  const marksMs = time.nowMs();
  await causeReports(session);
  await until(time, limits.messageMs, async () => {
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
        ...{ messages: came, sent, fleetId, countedMs: marksMs },
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

/** Has each box answer a command, report what happens to its vehicle, and answer another one. */
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
    if (missing !== undefined) list.add(problemPoint(row), notTried(missing));
    else
      list.add(
        problemPoint(row),
        answer === undefined ? notTried('It was not asked.') : judgeProblem(row, answer),
      );
  }
  if (taken !== undefined) await session.api.ask('DELETE', taken);
}

/** Subscribes under the discriminator that a stranger is then refused; undefined: somebody has it already. */
async function takeDiscriminator({ api }: CertifySession): Promise<string | undefined> {
  const body = { queue_discriminator: 'demo', topics: ['VehicleState_v1'] };
  const answer = await api.ask('POST', '/message-subscriptions', body);
  return answer.status === 201
    ? `/message-subscriptions/${String(valueAt(jsonOf(answer.text), 'id'))}`
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

/** What checkers read of a certification: a calm run without steps. */
function scopeOf(
  { vehicles, time, ports, callers }: CertifySession,
  evidence: CheckScope['evidence'],
  facts: readonly Fact[],
  fleetId: string,
): CheckScope {
  return {
    scenario: CALM,
    vehicles,
    evidence,
    testbed: {
      ...{ time, world: 'real' },
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
      async ask({ method, path, body }) {
        const authorization = (await callers.authorization('owner')) ?? '';
        const fromMs = time.nowMs();
        const answer = await ports.call(jsonRequest('api', method, path, body, { authorization }));
        return { ...answer, body: bodyOf(answer), tookMs: time.nowMs() - fromMs };
      },
    },
    facts,
    factsDropped: 0,
    unhealed: [],
  };
}

const CALM: Scenario = {
  ...{ name: 'certify', about: 'What was asked so that it succeeds.', seed: 1 },
  ...{ fleet: [], clients: [], steps: [], always: [], vary: [] },
  limits: { healMs: 0 },
};

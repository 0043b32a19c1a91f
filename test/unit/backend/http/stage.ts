import { registerClient } from '../../../../backend/access/clients.ts';
import { type Desk, makeDesk, NotSent } from '../../../../backend/commands/desk.ts';
import { makeConfigurator } from '../../../../backend/configuration/configurator.ts';
import { makeConnectivity } from '../../../../backend/connectivity/connectivity.ts';
import { SIM_PROVIDERS } from '../../../../backend/connectivity/providers.ts';
import { makeCounters } from '../../../../backend/counters.ts';
import type { QueueAccounts } from '../../../../backend/events/accounts.ts';
import type { App } from '../../../../backend/http/app.ts';
import { buildBackendApp } from '../../../../backend/http/backend-app.ts';
import { makeOperator } from '../../../../backend/operator/operator.ts';
import type { ServiceSettings } from '../../../../backend/service.ts';
import type { Command } from '../../../../backend/store/command-store.ts';
import type { BoxChange } from '../../../../backend/store/ingest-store.ts';
import type { NewVehicle } from '../../../../backend/store/onboarding.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite.ts';
import { makeSubscriptions } from '../../../../backend/subscriptions/subscriptions.ts';
import { modelKnowledge } from '../../../../backend/vehicles/capabilities.ts';
import type { OutcomeName } from '../../../../protocol/commands.ts';
import { decodePayload } from '../../../../protocol/frame.ts';
import type { CommandRequest, ConfigurationRequest, SystemStatus } from '../../../../protocol/message.ts';
import { parseTopic } from '../../../../protocol/topics.ts';
import { type Http, HttpUnreachable } from '../../../../world/http.ts';
import type { LogFields } from '../../../../world/log.ts';
import type { Seal } from '../../../../world/seal.ts';
import { seededRandom } from '../../../../world/seeded-random.ts';
import { Life } from '../../../../world/virtual-life.ts';
import { VirtualLoop } from '../../../../world/virtual-loop.ts';
import { virtualMint } from '../../../../world/virtual-mint.ts';
import { virtualSeal } from '../../../../world/virtual-seal.ts';
import { virtualTime } from '../../../../world/virtual-time.ts';
import type { World } from '../../../../world/world.ts';
import { type StageQueues, stageQueues } from './stage-queues.ts';

export const BASE_URL = 'http://service.test';
export const FLEET = 'FLEET1';
export const BOX = '00000000000000a1';
export const ANSWER_TIMEOUT_MS = 20_000;
export const EVERY_PERMISSION = ['vehicle-commands', 'connectivity-commands', 'vehicles'];

/** What a stage's box does with a request: an answer at once, silence, or a broker that is not there. */
export type BoxManner = 'silent' | 'unsent' | 'in-doubt' | ((request: CommandRequest) => BoxAnswer);
export interface BoxAnswer {
  readonly outcome: OutcomeName;
  readonly error?: string;
  readonly status?: SystemStatus;
  readonly state?: Command['state'];
  /** Whether the desk is told, or has to look for itself. */
  readonly isTold?: boolean;
  readonly afterMs?: number;
}

export interface Complaint {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

export interface Stage {
  readonly loop: VirtualLoop;
  readonly store: SqliteStore;
  readonly app: App;
  readonly desk: Desk;
  readonly seal: Seal;
  readonly world: Pick<World, 'time' | 'mint' | 'seal' | 'log'>;
  readonly sent: { readonly topic: string; readonly bytes: Uint8Array }[];
  readonly complaints: Complaint[];
  /** The message broker of its subscriptions. */
  readonly queues: StageQueues;
  box: BoxManner;
  /** What its box, where it answers, does with a configuration. */
  configure: (request: ConfigurationRequest) => BoxAnswer;
  /** Whoever is called over HTTP. */
  http: Http['call'];
  addVehicle(vehicle?: Partial<NewVehicle>, box?: Omit<BoxChange, 'boxId' | 'version'>): Promise<void>;
  tell(boxId: string, change: Omit<BoxChange, 'boxId' | 'version'>): Promise<void>;
  token(permissions?: readonly string[], fleetId?: string): Promise<string>;
  /** One request with a token, unless the headers say otherwise; virtual time passes until it is answered. */
  ask(method: string, path: string, init?: AskInit): Promise<Response>;
}

export interface AskInit {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Where the SIM providers of a stage are. */
export const SIM_INTERFACES = Object.fromEntries(
  SIM_PROVIDERS.map(({ name }) => [name, { baseUrl: `http://sims.test/${name}`, apiKey: `key-${name}` }]),
);

export const CONNECTED = {
  firmware: [2, 30],
  hardwareRevision: 4,
  connection: { counter: 1, open: true },
  notReadyUntilMs: null,
} as const satisfies Omit<BoxChange, 'boxId' | 'version'>;

export interface StageOptions {
  readonly baseUrl?: string;
  /** A real one is settled by real threads: its requests go to `app.fetch`, not to `ask`. */
  readonly seal?: Seal;
  readonly requestsPerMinute?: number;
  /** Who makes users at the message broker; absent: the stage's own. `none`: nobody. */
  readonly accounts?: QueueAccounts | 'none';
  readonly accessTokenS?: () => number;
  /** The makers' clouds that vehicles can be linked to. */
  readonly makers?: NonNullable<ServiceSettings['makers']>;
  /** What the reference page is made with. */
  readonly reference?: NonNullable<ServiceSettings['reference']>;
  /** Whose pages may call it. */
  readonly corsOrigins?: readonly string[];
}

/** The HTTP side of a backend with a store in memory, virtual time, and boxes that are one function. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { baseUrl = BASE_URL } = options;
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new Life('stage'));
  const random = seededRandom(1);
  const mint = virtualMint(time, random.stream('mint'));
  const seal = options.seal ?? virtualSeal(random.stream('seal'));
  const store = openSqliteStore(':memory:');
  const complaints: Complaint[] = [];
  const note = (level: string) => (fields: LogFields, message: string) =>
    void complaints.push({ level, fields, message });
  const log = { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') };
  const world = { time, mint, seal, log };
  const sent: Stage['sent'] = [];

  const desk = makeDesk({
    world,
    store: store.commands,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    send: async (topic, bytes) => {
      if (stage.box === 'unsent') throw new NotSent('no session');
      sent.push({ topic, bytes });
      if (stage.box === 'in-doubt') throw new Error('the link was lost');
      if (stage.box === 'silent') return;
      const asked = configurationIn(bytes);
      const request = asked ?? requestIn(bytes);
      const answer = asked === undefined ? stage.box(requestIn(bytes)) : stage.configure(asked);
      const settle = async () => {
        const { settled } = await settleReply(topic, request, answer);
        if (answer.isTold !== false) desk.settled(settled);
      };
      time.alarm(time.nowMs() + (answer.afterMs ?? 50), () => void settle());
    },
  });

  let sequence = 0;
  function settleReply(topic: string, request: { readonly requestId: string }, answer: BoxAnswer) {
    sequence += 1;
    const { outcome, error = '', status, state } = answer;
    const reply = { kind: 'reply' as const, requestId: request.requestId, outcome, error };
    return store.ingest.commit({
      boxes: [],
      records: [],
      messages: [],
      quarantine: [],
      replies: [
        {
          reply: status === undefined ? reply : { ...reply, status },
          boxId: parseTopic(topic)?.boxId ?? '',
          key: { epoch: 1, sequence },
          atMs: time.nowMs(),
          ...(state === undefined ? {} : { state }),
        },
      ],
    });
  }

  const queues = stageQueues(() => loop.nowMs);
  const { accounts = queues.accounts } = options;
  const subscriptions = makeSubscriptions({
    world,
    store: store.subscriptions,
    accounts: accounts === 'none' ? undefined : accounts,
    outlet: queues.outlet,
    queueType: undefined,
    counters: makeCounters(),
  });
  const app = buildBackendApp({
    world,
    store,
    settings: { ...options, baseUrl },
    operator: makeOperator({
      world: { time, log, http: { call: (request) => stage.http(request) } },
      counters: makeCounters(),
    }),
    desk,
    makerDesk: { execute: () => Promise.reject(new Error('no maker stands on this stage')) },
    connectivity: makeConnectivity({ http: { call: (request) => stage.http(request) } }, SIM_INTERFACES),
    bulk: { wake: () => undefined },
    configurator: makeConfigurator({ world, store: store.configuration, desk, models: modelKnowledge }),
    models: modelKnowledge,
    subscriptions,
    messages: { written: () => undefined },
    onboarded: () => undefined,
  });

  const stage: Stage = {
    loop,
    store,
    app,
    desk,
    seal,
    world,
    sent,
    complaints,
    queues,
    box: 'silent',
    configure: () => ({ outcome: 'done' }),
    http: () => Promise.reject(new HttpUnreachable('nobody is there')),
    async addVehicle(vehicle = {}, box = CONNECTED) {
      const whole = {
        id: 'VEH01',
        fleetId: FLEET,
        boxId: BOX,
        boxSecretHash: 'hash',
        generation: 2,
        model: 'petrol-compact',
        setupStatus: 'SUCCEEDED',
        masterData: { vin: 'WVWZZZ1JZXW000001' },
        tags: [],
        atMs: loop.nowMs,
        ...vehicle,
      } as const;
      await store.access.saveFleet({ id: whole.fleetId, name: whole.fleetId });
      await store.vehicles.save(whole);
      await stage.tell(whole.boxId, box);
    },
    async tell(boxId, change) {
      const known = (await store.ingest.load([boxId])).get(boxId);
      if (known === undefined) throw new Error(`there is no box ${boxId}`);
      const boxes = [{ boxId, version: known.version, ...change }];
      await store.ingest.commit({ boxes, records: [], replies: [], messages: [], quarantine: [] });
    },
    async token(permissions = EVERY_PERMISSION, fleetId = FLEET) {
      await store.access.saveFleet({ id: fleetId, name: fleetId });
      const { clientId, clientSecret } = await registerClient(store.access, world, { fleetId, permissions });
      const answer = await stage.ask('POST', '/auth/oauth/token?grant_type=client_credentials', {
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      });
      const body: unknown = await answer.json();
      if (typeof body !== 'object' || body === null || !('access_token' in body))
        throw new Error(`no token: ${JSON.stringify(body)}`);
      return String(body.access_token);
    },
    ask(method, path, { token, headers = {}, body } = {}) {
      const all = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
      const request = new Request(`${baseUrl}${path}`, {
        method,
        headers: all,
        ...(body === undefined ? {} : { body }),
      });
      return loop.runWhile(Promise.resolve(app.fetch(request)), { withinMs: 60_000 });
    },
  };
  return stage;
}

/** The configuration in a payload, where one is in it. */
export function configurationIn(bytes: Uint8Array): ConfigurationRequest | undefined {
  const message = decodePayload(bytes).frames[0]?.frame.message;
  return message?.kind === 'configuration' ? message : undefined;
}

/** The command request in a payload. */
export function requestIn(bytes: Uint8Array): CommandRequest {
  const message = decodePayload(bytes).frames[0]?.frame.message;
  if (message?.kind !== 'command') throw new Error('no command was sent');
  return message;
}

/** The body of an answer as an object. */
export async function objectOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  if (typeof body !== 'object' || body === null) throw new Error('the body is no object');
  return { ...body };
}

import { registerClient } from '../../../backend/access/clients.ts';
import { buildBackendApp } from '../../../backend/backend-app.ts';
import { makeCounters } from '../../../backend/base/counters.ts';
import {
  type CommandDispatcher,
  makeCommandDispatcher,
  NotSent,
} from '../../../backend/commands/command-dispatcher.ts';
import { makeConfigurator } from '../../../backend/configuration/configurator.ts';
import { makeConnectivity } from '../../../backend/connectivity/connectivity.ts';
import type { QueueAccounts } from '../../../backend/events/accounts.ts';
import type { App } from '../../../backend/http/app.ts';
import type { Peer } from '../../../backend/http/environment.ts';
import { modelKnowledge } from '../../../backend/model-knowledge.ts';
import { makeOperator } from '../../../backend/monitoring/operator.ts';
import type { ServiceSettings } from '../../../backend/settings.ts';
import type { Command } from '../../../backend/store/port/command-store.ts';
import type { BoxChange } from '../../../backend/store/port/ingest-store.ts';
import type { NewVehicle } from '../../../backend/store/port/vehicle-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/store.ts';
import { makeSubscriptions } from '../../../backend/subscriptions/subscriptions.ts';
import { SIM_PROVIDERS } from '../../../contract/sim-providers.ts';
import { decodePayload } from '../../../protocol/codec/frame.ts';
import type { ReplyOutcome } from '../../../protocol/commands.ts';
import type { CommandRequest, ConfigurationRequest, SystemStatus } from '../../../protocol/message.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import type { Crypto } from '../../../world/crypto/crypto.ts';
import { virtualCrypto } from '../../../world/crypto/virtual-crypto.ts';
import { type Http, HttpUnreachable } from '../../../world/http/http.ts';
import { virtualIds } from '../../../world/ids/virtual-ids.ts';
import type { LogFields } from '../../../world/log/log.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';
import type { World } from '../../../world/world.ts';
import { type FakeQueueAccounts, fakeQueueAccounts } from './fake-queue-accounts.ts';

export const BASE_URL = 'http://service.test';
export const FLEET_ID = 'FLEET1';
export const BOX_ID = '00000000000000a1';
export const ANSWER_TIMEOUT_MS = 20_000;
export const EVERY_PERMISSION = ['vehicle-commands', 'connectivity-commands', 'vehicles'];

/** What a stage's box does with a request: an answer at once, silence, or an unreachable broker. */
export type BoxBehaviour = 'silent' | 'unsent' | 'in-doubt' | ((request: CommandRequest) => BoxAnswer);
export interface BoxAnswer {
  readonly outcome: ReplyOutcome;
  readonly error?: string;
  readonly status?: SystemStatus;
  readonly state?: Command['state'];
  /** Whether the command dispatcher is notified, or must poll. */
  readonly isNotified?: boolean;
  readonly afterMs?: number;
}

export interface LoggedProblem {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

export interface TestService {
  readonly loop: VirtualLoop;
  readonly store: SqliteStore;
  readonly app: App;
  readonly dispatcher: CommandDispatcher;
  readonly crypto: Crypto;
  readonly world: Pick<World, 'time' | 'ids' | 'crypto' | 'log'>;
  readonly sent: { readonly topic: string; readonly bytes: Uint8Array }[];
  readonly complaints: LoggedProblem[];
  /** The message broker of its subscriptions. */
  readonly queues: FakeQueueAccounts;
  box: BoxBehaviour;
  /** What its box, where it answers, does with a configuration. */
  configure: (request: ConfigurationRequest) => BoxAnswer;
  /** Whoever is called over HTTP. */
  http: Http['call'];
  addVehicle(vehicle?: Partial<NewVehicle>, box?: Omit<BoxChange, 'boxId' | 'version'>): Promise<void>;
  tell(boxId: string, change: Omit<BoxChange, 'boxId' | 'version'>): Promise<void>;
  token(permissions?: readonly string[], fleetId?: string): Promise<string>;
  /** One request with a token, unless the headers say otherwise; virtual time passes until it is answered. */
  ask(method: string, path: string, init?: RequestOptions): Promise<Response>;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What a server says about it; absent: nothing. */
  readonly peer?: Peer;
}

/** Where the SIM providers of a stage are. */
export const SIM_PROVIDER_SETTINGS = Object.fromEntries(
  SIM_PROVIDERS.map(({ name }) => [name, { baseUrl: `http://sims.test/${name}`, apiKey: `key-${name}` }]),
);

export const CONNECTED_BOX = {
  firmware: [2, 30],
  hardwareRevision: 4,
  connection: { counter: 1, open: true },
  notReadyUntilMs: null,
} as const satisfies Omit<BoxChange, 'boxId' | 'version'>;

export interface TestServiceOptions {
  readonly baseUrl?: string;
  /** A real one is settled by real threads: its requests go to `app.fetch`, not to `ask`. */
  readonly crypto?: Crypto;
  readonly requestsPerMinute?: number;
  /** What creates users at the message broker; default: the stage's own fake. `none`: nothing does. */
  readonly accounts?: QueueAccounts | 'none';
  readonly accessTokenS?: () => number;
  /** The makers' clouds that vehicles can be linked to. */
  readonly makers?: NonNullable<ServiceSettings['makers']>;
  /** What the reference page is made with. */
  readonly reference?: NonNullable<ServiceSettings['reference']>;
  /** Whose pages may call it. */
  readonly corsOrigins?: readonly string[];
  /** A bulk job was written. */
  readonly bulkCreated?: () => void;
}

/** The HTTP side of a backend with a store in memory, virtual time, and boxes that are one function. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { baseUrl = BASE_URL } = options;
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('stage'));
  const random = seededRandom(1);
  const ids = virtualIds(time, random.stream('mint'));
  const crypto = options.crypto ?? virtualCrypto(random.stream('seal'));
  const store = openSqliteStore(':memory:');
  const complaints: LoggedProblem[] = [];
  const note = (level: string) => (fields: LogFields, message: string) =>
    void complaints.push({ level, fields, message });
  const log = { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') };
  const world = { time, ids, crypto, log };
  const sent: TestService['sent'] = [];

  const dispatcher = makeCommandDispatcher({
    world,
    store: store.commands,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    send: async (topic, bytes) => {
      if (stage.box === 'unsent') throw new NotSent('no session');
      sent.push({ topic, bytes });
      if (stage.box === 'in-doubt') throw new Error('the link was lost');
      if (stage.box === 'silent') return;
      const asked = configurationIn(bytes);
      const request = asked ?? commandRequestIn(bytes);
      const answer = asked === undefined ? stage.box(commandRequestIn(bytes)) : stage.configure(asked);
      const settle = async () => {
        const { settled } = await settleReply(topic, request, answer);
        if (answer.isNotified !== false) dispatcher.settled(settled);
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

  const queues = fakeQueueAccounts(() => loop.nowMs);
  const { accounts = queues.accounts } = options;
  const subscriptions = makeSubscriptions({
    world,
    store: store.subscriptions,
    accounts: accounts === 'none' ? undefined : accounts,
    amqpConnection: queues.amqpConnection,
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
    dispatcher,
    makerCommands: { execute: () => Promise.reject(new Error('no maker stands on this stage')) },
    connectivity: makeConnectivity(
      { http: { call: (request) => stage.http(request) } },
      SIM_PROVIDER_SETTINGS,
    ),
    bulk: { wake: () => options.bulkCreated?.() },
    configurator: makeConfigurator({ world, store: store.configuration, dispatcher, models: modelKnowledge }),
    models: modelKnowledge,
    subscriptions,
    messages: { written: () => undefined },
    onboarded: () => undefined,
  });

  const stage: TestService = {
    loop,
    store,
    app,
    dispatcher,
    crypto,
    world,
    sent,
    complaints,
    queues,
    box: 'silent',
    configure: () => ({ outcome: 'done' }),
    http: () => Promise.reject(new HttpUnreachable('nobody is there')),
    async addVehicle(vehicle = {}, box = CONNECTED_BOX) {
      const whole = {
        id: 'VEH01',
        fleetId: FLEET_ID,
        boxId: BOX_ID,
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
    async token(permissions = EVERY_PERMISSION, fleetId = FLEET_ID) {
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
    ask(method, path, { token, headers = {}, body, peer } = {}) {
      const all = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
      const request = new Request(`${baseUrl}${path}`, {
        method,
        headers: all,
        ...(body === undefined ? {} : { body }),
      });
      return loop.runWhile(Promise.resolve(app.fetch(request, peer)), { withinMs: 60_000 });
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
export function commandRequestIn(bytes: Uint8Array): CommandRequest {
  const message = decodePayload(bytes).frames[0]?.frame.message;
  if (message?.kind !== 'command') throw new Error('no command was sent');
  return message;
}

/** The body of an answer as an object. */
export async function jsonObjectOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  if (typeof body !== 'object' || body === null) throw new Error('the body is no object');
  return { ...body };
}

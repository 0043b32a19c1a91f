import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlApi, controlApiAt } from '../deployment/http/control-api.ts';
import { startLocalDeployment } from '../deployment/local-deployment.ts';
import { loadModels } from '../deployment/models/model-directory.ts';
import { limits } from '../deployment/shared/limits.ts';
import type { MessageFacts } from '../deployment/shared/ready-facts.ts';
import {
  type AppliedFault,
  applyFault,
  type BoxBreak,
  type FaultTime,
  type PartBreak,
  type Weather,
} from './applied-faults.ts';

export type { FaultEffect as FaultStrikes } from '../simulator/control/fault-api.ts';
export type { AppliedFault as LaidFault, BoxBreak, FaultTime, PartBreak, Weather } from './applied-faults.ts';

// This file alone has the public types, so that its declarations need no others.

/** The options; everything has a default. */
export interface StartOptions {
  /** Decides the fleet: ids, models, routes, clocks. Default: 1, or that of `data`. */
  readonly seed?: number;
  /** Vehicles that are set up and have a box; 0 to 28,000, default 5. */
  readonly vehicles?: number;
  /**
   * How realistic link, motors and receivers of the boxes are. `ideal`: none of them takes time; `road`: as with
   * `boxtwin up`. Default: `ideal`.
   */
  readonly radio?: 'road' | 'ideal';
  /**
   * A folder with your own vehicle models (docs/models-from-dbc.md), or one file; the first vehicles are one of each.
   * This process knows them from then on: a model name is unique in a process. Default: none.
   */
  readonly models?: string;
  /** A directory to keep everything in, and to continue from. Default: a temporary one that `stop` removes. */
  readonly data?: string;
  /** The URL of an MQTT broker instead of the embedded one. */
  readonly mqtt?: string;
  /** The URL of an AMQP 0-9-1 broker instead of the embedded one; `none`: no message is kept. */
  readonly amqp?: string;
  /** How long a box may take to answer a command before the answer is 504, in seconds. Default: 20. */
  readonly answerTimeoutS?: number;
  /** Where the service posts each of its own failures (a 500) to. Default: nowhere. */
  readonly alertUrl?: string;
  /**
   * Whether the fleet has drivers, as `boxtwin up` has: rentals, trips, pauses, charging. Default: false, and vehicles
   * drive or park as the seed decides until you control them.
   */
  readonly drivers?: boolean;
  /** Whether there is the console, a page that shows the fleet. Default: false. */
  readonly console?: boolean;
  /** What is logged to stderr. Default: `silent`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Everything, running in this process. */
export interface Running {
  /** Of the API, and the issuer of its tokens: `http://127.0.0.1:49152`. */
  readonly baseUrl: string;
  /** Of the simulator's control API. */
  readonly simulatorUrl: string;
  /** Of the console; null if it was not requested. */
  readonly consoleUrl: string | null;
  readonly mqttUrl: string;
  /** How the messages of the fleet are read. Null with `amqp: 'none'`. */
  readonly messages: Messages | null;
  readonly fleetId: string;
  /** A client of the fleet with every permission. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The vehicles that are set up, in the order of the seed. */
  readonly vehicles: readonly RunningVehicle[];
  /** Boxes that are powered and connected and in no vehicle record: for `POST /vehicles`. */
  readonly shelf: readonly ShelvedBox[];
  /** A new access token of the client. Rejects where the service refuses it. */
  token(): Promise<string>;
  /** One request to the API with a token of the client; a body goes as JSON. Resolves whatever the status is. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** One request to the control API; resolves with its JSON, rejects with its refusal and the reason. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Weather on all boxes, by the words of the scenario language. Resolves once it is applied. */
  weather(weather: Weather, time?: FaultTime): Promise<AppliedFault>;
  /** Breaks a shared part: `{ exchange: 'down' }`. Resolves once it is broken. */
  break(broken: PartBreak, time?: FaultTime): Promise<AppliedFault>;
  /** The box of that box id or vehicle id, and the vehicle around it. */
  box(id: string): Box;
  /** Ends everything. Resolves once all sockets are closed; a temporary directory is removed then. */
  stop(): Promise<void>;
}

/** A broker, and an account that may read the queues of the fleet and nothing else. */
export interface Messages {
  /** Ready for a client: `amqp://demo-fleet1:...@127.0.0.1:49153`. Null where the broker accepts TLS only. */
  readonly url: string | null;
  /** The same by TLS; null where there is none. */
  readonly tlsUrl: string | null;
  /** A PEM file, for the `ca` of a client that uses `tlsUrl`; null where it needs none. */
  readonly caPath: string | null;
  readonly username: string;
  readonly password: string;
  /** Of the vehicle states: `VehicleState_v1-demo`. The other topics have analogous names. */
  readonly queue: string;
}

export interface RunningVehicle extends ShelvedBox {
  readonly id: string;
}

export interface ShelvedBox {
  /** 16 hex digits. */
  readonly boxId: string;
  /** `petrol-compact`, `electric-hatchback`, ... */
  readonly model: string;
  readonly vin: string;
  readonly licensePlate: string;
}

/**
 * The actions on a box and its vehicle. Every call acts immediately and resolves with the new state of the box; it
 * rejects where the state of the vehicle forbids it, with the reason.
 */
export interface Box {
  look(): Promise<BoxPicture>;
  drive(): Promise<BoxPicture>;
  park(): Promise<BoxPicture>;
  doors(open: boolean): Promise<BoxPicture>;
  ignition(on: boolean): Promise<BoxPicture>;
  /** Radio coverage. Without it the connection is lost without a DISCONNECT. */
  coverage(available: boolean): Promise<BoxPicture>;
  /** 0 to 31, as AT+CSQ reports it; null: as the place determines it. */
  signal(csq: number | null): Promise<BoxPicture>;
  brownOut(): Promise<BoxPicture>;
  cutLink(): Promise<BoxPicture>;
  reset(
    reason: 'GENERAL' | 'BACKUP' | 'WATCHDOG' | 'SOFTWARE' | 'USER' | 'UNKNOWN' | 'POWER_DOWN_MODE',
  ): Promise<BoxPicture>;
  sim(state: 'active' | 'suspended' | 'detached'): Promise<BoxPicture>;
  /** A fault of the installation: a setup fails, for the given number of seconds or until `none`. */
  setup(
    obstacle: 'none' | 'no-vehicle-bus' | 'no-gnss' | 'low-supply',
    durationS?: number,
  ): Promise<BoxPicture>;
  /**
   * Weather on its link, by the words of the scenario language: `{ latency: { base: '2s' } }`. Resolves once it is
   * applied.
   */
  weather(weather: Weather, time?: FaultTime): Promise<AppliedFault>;
  /** Breaks a part of the box: `{ 'flash-slow': { by: '1s' } }`. Resolves once it is broken. */
  break(broken: BoxBreak, time?: FaultTime): Promise<AppliedFault>;
  /** Any action of the control API, by its name there; `GET /` of it lists them with their bodies. */
  act(action: string, body?: Readonly<Record<string, unknown>>): Promise<BoxPicture>;
}

/** The physical truth and what the box believes. */
export interface BoxPicture {
  readonly boxId: string;
  readonly vehicleId: string | null;
  readonly truth: Readonly<Record<string, unknown>>;
  readonly belief: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

/**
 * Starts broker, service and a driving fleet in this process, on free ports of 127.0.0.1. Resolves once every box
 * accepts commands, with a bounded wait for the last ones; rejects with the reason if it cannot start, and leaves
 * nothing behind. Several may run at once.
 */
export async function start(options: StartOptions = {}): Promise<Running> {
  const vehicles = options.vehicles ?? 5;
  if (!Number.isInteger(vehicles) || vehicles < 0 || vehicles > limits.vehicles)
    throw new RangeError(`vehicles: a whole number from 0 to ${limits.vehicles}, not ${vehicles}.`);
  if (options.models !== undefined) loadModels(options.models);
  const { data } = options;
  const place = data ?? (await mkdtemp(join(tmpdir(), 'boxtwin-')));
  const deployment = startLocalDeployment({
    vehicles,
    seed: options.seed,
    port: 0,
    simulatorPort: 0,
    mqttPort: 0,
    amqpPort: 0,
    amqpsPort: 0,
    radio: options.radio ?? 'ideal',
    data: place,
    isFresh: false,
    mqtt: options.mqtt ?? 'embedded',
    amqp: options.amqp ?? 'embedded',
    givenAmqp: {},
    ...(options.answerTimeoutS === undefined ? {} : { answerTimeoutS: options.answerTimeoutS }),
    alertUrl: options.alertUrl,
    drivers: options.drivers ?? false,
    ...(options.console === true ? { console: { port: 0, map: undefined } } : {}),
    logLevel: options.logLevel ?? 'silent',
  });
  const clear = async () => {
    if (data === undefined) await rm(place, { recursive: true, force: true });
  };
  const endAndClear = async () => {
    try {
      await deployment.close();
    } finally {
      await clear();
    }
  };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= endAndClear();
    return stopping;
  };
  const facts = await deployment.ready.catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  const messages = facts.messages === null ? null : messagesOf(facts.messages);
  if (messages === undefined) {
    await stop();
    throw new Error('The broker for messages has not made the account of their consumer in time.');
  }
  const { baseUrl, simulatorUrl, consoleUrl, mqttUrl, fleetId, clientId, clientSecret } = facts;
  const control = controlApiAt(simulatorUrl);
  const token = () => freshToken(baseUrl, clientId, clientSecret);
  return {
    baseUrl,
    simulatorUrl,
    consoleUrl,
    mqttUrl,
    messages,
    fleetId,
    clientId,
    clientSecret,
    vehicles: facts.boxes.flatMap(({ vehicleId, ...box }) =>
      vehicleId === null ? [] : [{ id: vehicleId, ...box }],
    ),
    shelf: facts.boxes.flatMap(({ vehicleId, ...box }) => (vehicleId === null ? [box] : [])),
    token,
    async call(method, path, body) {
      const authorization = `Bearer ${await token()}`;
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      return fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    control,
    weather: (weather, time) => applyFault(control, { weather }, time),
    break: (broken, time) => applyFault(control, { break: broken }, time),
    box: (id) => boxHandle(id, control),
    stop,
  };
}

/** Undefined: there is no account yet. */
function messagesOf({ account, ...rest }: MessageFacts): Messages | undefined {
  return account === null ? undefined : { ...rest, ...account };
}

async function freshToken(baseUrl: string, clientId: string, clientSecret: string): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
  throw new Error(`The service gave no token (${response.status}): ${JSON.stringify(body)}`);
}

/** The control API of one box as functions. Nothing is sent before one of them is called. */
function boxHandle(id: string, control: ControlApi): Box {
  const path = `/boxes/${encodeURIComponent(id)}`;
  const act = async (action: string, body: Readonly<Record<string, unknown>> = {}) =>
    (await control('POST', `${path}/${encodeURIComponent(action)}`, body)) as BoxPicture;
  return {
    look: async () => (await control('GET', path)) as BoxPicture,
    drive: () => act('drive'),
    park: () => act('park'),
    doors: (open) => act('doors', { open }),
    ignition: (on) => act('ignition', { on }),
    coverage: (available) => act('coverage', { available }),
    signal: (csq) => act('signal', { csq }),
    brownOut: () => act('brown-out'),
    cutLink: () => act('cut-link'),
    reset: (reason) => act('reset', { reason }),
    sim: (state) => act('sim', { state }),
    setup: (obstacle, durationS) =>
      act('setup', { obstacle, ...(durationS === undefined ? {} : { duration_s: durationS }) }),
    weather: (weather, time) => applyFault(control, { on: [id], weather }, time),
    break: (broken, time) => applyFault(control, { on: [id], break: { box: broken } }, time),
    act,
  };
}

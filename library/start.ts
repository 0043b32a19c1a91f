import '#supported-node';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlApi, controlApiAt } from '../deployment/http/control-api.ts';
import { startLocalDeployment } from '../deployment/local-deployment.ts';
import { endLeftSubscription, openOwnSubscription } from '../deployment/messages/own-subscription.ts';
import { readMessages } from '../deployment/messages/tail-reader.ts';
import type { ServiceAddress } from '../deployment/messages/tail-source.ts';
import { loadModels } from '../deployment/models/model-directory.ts';
import { limits as deploymentLimits } from '../deployment/shared/limits.ts';
import type { MessageFacts, ReadyFacts } from '../deployment/shared/ready-facts.ts';
import { jsonOf } from '../world/json.ts';
import { rejectingAtCaller } from './caller.ts';
import { limits } from './limits.ts';
import { type BeginReading, MessageReader } from './message-reader.ts';
import { Recording } from './recording.ts';
import type { AmqpAccount, Running } from './running.ts';
import { runningService } from './running-service.ts';
import { clientFileIn, endLeftClient, ServiceReader } from './service-reader.ts';

export type { FaultEffect as FaultStrikes } from '../simulator/control/fault-api.ts';
export type { AppliedFault, AppliedFault as LaidFault, FaultTime } from './applied-faults.ts';
export type { ActName, ActSettings, Box, BoxPicture } from './box.ts';
export type { Message, MessageQuery, MessageStream, MessageType, WaitTime } from './message.ts';
export type { AmqpAccount, AmqpAccount as Messages, ReadMessages, Running } from './running.ts';
export type { Acts } from './types/acts.ts';
export type { BoxBreak, PartBreak } from './types/breaks.ts';
export type { Belief, Truth } from './types/snapshots.ts';
export type { Timed, VehicleState } from './types/vehicle-state.ts';
export type { Weather } from './types/weather.ts';
export type { Device, Device as ShelvedBox, RunningVehicle, VehicleReference } from './vehicle.ts';

/** The options; everything has a default. */
export interface StartOptions {
  /** Decides the fleet: ids, models, routes, clocks. Default: 1, or that of `data`. */
  readonly seed?: number;
  /** Vehicles that are set up and have a box, and no others; 0 to 28,000, default 5. */
  readonly vehicles?: number;
  /** Vehicles in addition that have their maker's telematics in place of a box; 0 to 100, default 0. */
  readonly makerVehicles?: number;
  /** Devices in addition that are in no vehicle yet, for `POST /vehicles`; 0 to 3, default 0. */
  readonly unassignedDevices?: number;
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

/**
 * Starts broker, service and a driving fleet in this process, on free ports of 127.0.0.1. Resolves once every box
 * accepts commands, with a bounded wait for the last ones; rejects with the reason if it cannot start, and leaves
 * nothing behind. Several may run at once.
 */
export const start: (options?: StartOptions) => Promise<Running> = rejectingAtCaller(startAll);

async function startAll(options: StartOptions = {}): Promise<Running> {
  const vehicles = counted('vehicles', options.vehicles ?? 5, deploymentLimits.vehicles);
  const makerVehicles = counted('makerVehicles', options.makerVehicles ?? 0, limits.makerVehicles);
  const unassignedDevices = counted(
    'unassignedDevices',
    options.unassignedDevices ?? 0,
    limits.unassignedDevices,
  );
  if (options.models !== undefined) loadModels(options.models);
  const { data } = options;
  const place = data ?? (await mkdtemp(join(tmpdir(), 'boxtwin-')));
  const recording = new Recording();
  const deployment = startLocalDeployment({
    onFrame: (boxId, payload) => recording.payload(boxId, payload),
    vehicles,
    makerVehicles,
    unassignedDevices,
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
  const facts = await deployment.ready.catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  const amqp = facts.messages === null ? null : accountOf(facts.messages);
  if (amqp === undefined) {
    await endAndClear();
    throw new Error('The broker for messages has not made the account of their consumer in time.');
  }
  const control = controlApiAt(facts.simulatorUrl);
  if (data !== undefined) await clearLeftBehind(facts, place, control);
  return runningOf(facts, { amqp, control, recording, place, end: endAndClear });
}

/** Deletes what a killed process has made in this data directory to read messages, so that its queues do not grow. */
async function clearLeftBehind(facts: ReadyFacts, data: string, control: ControlApi): Promise<void> {
  await endLeftSubscription(addressOf(facts, data, facts), SUBSCRIPTION_PREFIX);
  await endLeftClient(clientFileIn(data), control);
}

/** What runs, as tests have it. `end` ends it. */
function runningOf(
  facts: ReadyFacts,
  {
    amqp,
    control,
    recording,
    place,
    end,
  }: {
    readonly amqp: AmqpAccount | null;
    readonly control: ControlApi;
    readonly recording: Recording;
    /** The data directory. */
    readonly place: string;
    end(): Promise<void>;
  },
): Running {
  const reader = new ServiceReader(facts.baseUrl, control, clientFileIn(place));
  const messages = new MessageReader(amqpReading(facts, place, reader), ({ type, data }) =>
    recording.add({ what: 'message', text: `${type} of vehicle ${data.vehicle_id}`, body: data }),
  );
  let stopping: Promise<void> | undefined;
  const stopAll = async () => {
    try {
      await messages.close();
      await reader.close();
    } finally {
      await end();
    }
  };
  return runningService({
    facts,
    amqp,
    control,
    recording,
    reader,
    messages,
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  });
}

/** Throws a `RangeError` where it is no whole number of that range. */
function counted(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${name}: a whole number from 0 to ${most}, not ${value}.`);
}

/** Undefined: there is no account yet. */
function accountOf({ account, ...rest }: MessageFacts): AmqpAccount | undefined {
  return account === null ? undefined : { ...rest, ...account };
}

/** Of the subscription of the library. */
const SUBSCRIPTION_PREFIX = 'test';

/** The service as this client reaches it. */
function addressOf(
  { baseUrl, messages }: ReadyFacts,
  data: string,
  { clientId, clientSecret }: Pick<ReadyFacts, 'clientId' | 'clientSecret'>,
): ServiceAddress {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    base_url: baseUrl,
    amqp_url: messages?.url,
    data,
  };
}

/**
 * Reads a service over AMQP, from a subscription of its own, so that no other consumer misses a message; it is deleted
 * at the end. `data`: the directory of the deployment. Rejects where there is no broker for messages.
 */
function amqpReading(facts: ReadyFacts, data: string, reader: ServiceReader): BeginReading {
  return async (take, end) => {
    if (facts.messages === null)
      throw new Error(
        "This service was started with amqp: 'none', so it publishes no messages. Start it without that option to wait for one.",
      );
    const { client_id: clientId, client_secret: clientSecret } = await reader.client();
    const source = await openOwnSubscription(
      addressOf(facts, data, { clientId, clientSecret }),
      SUBSCRIPTION_PREFIX,
    );
    const print: Parameters<typeof readMessages>[1]['print'] = async ({ body }) => {
      take(jsonOf(new TextDecoder().decode(body)));
      return true;
    };
    const read = async () => {
      try {
        await readMessages(source, { print, end, notice: () => undefined });
      } finally {
        await source.close();
      }
    };
    return { ended: read() };
  };
}

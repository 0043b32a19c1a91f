import type { ControlApi } from '../deployment/http/control-api.ts';
import type { ReadyFacts } from '../deployment/shared/ready-facts.ts';
import { parseSpan } from '../scenarios/language/document/quantity.ts';
import { errorText } from '../world/error-text.ts';
import { jsonObject, jsonOf } from '../world/json.ts';
import { applyFault, type FaultTime } from './applied-faults.ts';
import { type Box, boxHandle } from './box.ts';
import { errorAtCaller, rejectingAtCaller } from './caller.ts';
import { limits } from './limits.ts';
import {
  type Message,
  type MessageQuery,
  type MessageStream,
  queryText,
  type ResolvedQuery,
  type WaitTime,
} from './message.ts';
import type { MessageReader } from './message-reader.ts';
import { missedText } from './missed-message.ts';
import type { Recording } from './recording.ts';
import type { AmqpAccount, ReadMessages, Running } from './running.ts';
import { freshToken, type ServiceReader } from './service-reader.ts';
import type { PartBreak } from './types/breaks.ts';
import type { Weather } from './types/weather.ts';
import { idsIn, type RunningVehicle, readerOf, rememberReader, type VehicleReference } from './vehicle.ts';

/** What a running service is made of. */
export interface ServiceParts {
  readonly facts: ReadyFacts;
  readonly amqp: AmqpAccount | null;
  readonly control: ControlApi;
  readonly recording: Recording;
  readonly reader: ServiceReader;
  readonly messages: MessageReader;
  readonly stop: () => Promise<void>;
}

const recordings = new WeakMap<Running, Recording>();

/** What the tests of a service have done; undefined: it is none of `start`. */
export function recordingOf(running: Running): Recording | undefined {
  return recordings.get(running);
}

/** The service as tests have it. */
export function runningService(parts: ServiceParts): Running {
  const { facts, amqp, reader, messages, stop } = parts;
  const { baseUrl, simulatorUrl, consoleUrl, mqttUrl, fleetId, clientId, clientSecret } = facts;
  const control = recordedControl(parts);
  const tracked = <Result>(promise: Promise<Result>) => parts.recording.tracked(promise);
  const token = () => freshToken(baseUrl, clientId, clientSecret);
  const remembered = <Known extends object>(known: Known, id: string): Known =>
    rememberReader(known, {
      id,
      views: () => reader.views(id),
      lastRequests: (ids) => parts.recording.lastRequests(ids),
      note: (text, result) => parts.recording.add({ what: 'expectation', text, result }),
    });
  const vehicles = facts.boxes.flatMap(({ vehicleId, ...box }): readonly RunningVehicle[] =>
    vehicleId === null ? [] : [remembered({ id: vehicleId, ...box }, vehicleId)],
  );
  const unassignedDevices = facts.boxes.flatMap(({ vehicleId, ...box }) =>
    vehicleId === null ? [remembered(box, box.boxId)] : [],
  );
  const vehicle = (index = 0): RunningVehicle => {
    const found = vehicles[index];
    if (found !== undefined) return found;
    throw errorAtCaller(
      `There is no vehicle ${index}: the fleet has ${vehicles.length}, from 0. The option vehicles makes more.`,
      vehicle,
    );
  };
  const running: Running = {
    baseUrl,
    simulatorUrl,
    consoleUrl,
    mqttUrl,
    amqp,
    fleetId,
    clientId,
    clientSecret,
    vehicles,
    vehicle,
    unassignedDevices,
    shelf: unassignedDevices,
    token: rejectingAtCaller(token),
    call: rejectingAtCaller(recordedCall(parts, token), tracked),
    state: rejectingAtCaller(async (of: VehicleReference) => {
      const id = idOf(of);
      const { service } = await reader.views(id);
      if (service !== undefined) return service.latest_vehicle_state;
      throw new Error(`The service has no vehicle ${id}. GET /vehicles lists those that it has.`);
    }),
    control: rejectingAtCaller(control, tracked),
    weather: rejectingAtCaller((weather: Weather, time?: FaultTime) =>
      applyFault(control, { weather }, time),
    ),
    break: rejectingAtCaller((broken: PartBreak, time?: FaultTime) =>
      applyFault(control, { break: broken }, time),
    ),
    box: (of): Box => remembered(boxHandle(idOf(of), control), idOf(of)),
    nextMessage: rejectingAtCaller(nextMessage(parts), tracked) as Running['nextMessage'],
    messages: Object.assign(
      (query: MessageQuery = {}): MessageStream => messages.stream(resolved(query)),
      amqp,
    ) as ReadMessages,
    stop: rejectingAtCaller(() => {
      parts.recording.abandonPending();
      return stop();
    }),
  };
  recordings.set(running, parts.recording);
  return running;
}

/** The control API; what is done is noted, and waits until messages are read where the test waits for one. */
function recordedControl({ control, recording, messages }: ServiceParts): ControlApi {
  return async (method, path, body) => {
    if (method === 'GET') return control(method, path);
    await messages.begun();
    const note = recording.sent({ what: 'control', ...requestOf(method, path, body) });
    try {
      const answer = await control(method, path, body);
      note('done');
      return answer;
    } catch (error) {
      note(errorText(error));
      throw error;
    }
  };
}

function recordedCall(
  { facts, recording, messages }: ServiceParts,
  token: () => Promise<string>,
): Running['call'] {
  return async (method, path, body) => {
    await messages.begun();
    const note = recording.sent({ what: 'call', ...requestOf(method, path, body) });
    try {
      const authorization = `Bearer ${await token()}`;
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${facts.baseUrl}${path}`, {
        method,
        headers: { authorization, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      note(await resultOf(response));
      return response;
    } catch (error) {
      note(errorText(error));
      throw error;
    }
  };
}

function requestOf(method: string, path: string, body: unknown) {
  return { text: `${method} ${path}`, ...(body === undefined ? {} : { body }) };
}

/** The status; of a problem also its type and its detail. */
async function resultOf(response: Response): Promise<string> {
  if (response.ok) return String(response.status);
  const text = await response.clone().text();
  const { type, detail } = jsonObject(jsonOf(text));
  const reason = typeof type === 'string' && typeof detail === 'string' ? `${type}: ${detail}` : text;
  return `${response.status} ${reason.slice(0, limits.bodyCharacters)}`;
}

function nextMessage({ messages, reader, recording }: ServiceParts) {
  return async (query: MessageQuery = {}, { within = '5s' }: WaitTime = {}): Promise<Message> => {
    const withinMs = spanOf(within);
    const wanted = resolved(query);
    const found = await messages.next(wanted, withinMs);
    if (!('query' in found)) return found;
    const views =
      wanted.vehicleId === undefined ? undefined : await reader.views(wanted.vehicleId).catch(errorText);
    const ids = wanted.vehicleId === undefined ? undefined : [wanted.vehicleId, ...idsIn(views)];
    const text = missedText(found, within, { views, requests: recording.lastRequests(ids) });
    recording.add({ what: 'expectation', text: `nextMessage ${queryText(wanted)}`, result: text });
    throw new Error(text);
  };
}

/** Milliseconds. Throws where it is no span of time. */
export function spanOf(within: string): number {
  const ms = parseSpan(within);
  if (ms !== undefined) return ms;
  throw new Error(`within: a span of time such as 5s or 1m30s, not ${JSON.stringify(within)}.`);
}

/** Throws where its vehicle is none. */
function resolved({ vehicle, type, where }: MessageQuery): ResolvedQuery {
  return {
    ...(type === undefined ? {} : { type }),
    ...(vehicle === undefined ? {} : { vehicleId: idOf(vehicle) }),
    ...(where === undefined ? {} : { where }),
  };
}

/** The id of a vehicle, or of a device that is in none. */
function idOf(of: VehicleReference): string {
  if (typeof of === 'string') return of;
  if ('id' in of) return of.id;
  if ('boxId' in of) return of.boxId;
  const id = readerOf(of)?.id;
  if (id !== undefined) return id;
  throw new Error('This is no vehicle of a running service: give one of its vehicles, or an id.');
}

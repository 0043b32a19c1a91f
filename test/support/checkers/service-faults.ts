import type { AnsweredCall, QueuedMessage } from '../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../judge/evidence/fact.ts';
import type { RunRecordings, VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';

type Changed = Readonly<Record<string, unknown>>;

/** Every way in which messages, access and configurations can be other than the service promises. */
export const SERVICE_FAULTS: readonly PlantedFault[] = [
  stateChanged('a message is received at another time', { received_at: '2026-01-05T05:59:00Z' }, [
    'a receipt at another time',
  ]),
  stateChanged(
    'a property is of another time than its record',
    { vehicle_state: { ignition: { timestamp: '2026-01-05T05:59:00Z', value: 'OFF' } } },
    ['a property of another time', 'ignition'],
  ),
  {
    name: 'a message lies in the outbox for five minutes',
    checker: 'messages-hold',
    plant(history) {
      const queue = history.messages.get('VehicleState_v1-own') ?? [];
      const messageId = queue.at(-1)?.messageId ?? '';
      for (const [index, message] of queue.entries())
        if (message.messageId === messageId) queue[index] = { ...message, atMs: message.atMs + 300_000 };
      return ['a message that was forgotten for a while', messageId];
    },
  },
  {
    name: 'an event occurred when it was recorded',
    checker: 'messages-hold',
    plant: (history) => [shock(history, 0), 'an event of another time'],
  },
  {
    name: 'an event has no message of its own',
    checker: 'messages-hold',
    plant(history) {
      shock(history, 5_000);
      history.messages.delete('ParkingEvent_v1-own');
      return ['an event without its message', 'shock of vehicle 1'];
    },
  },
  {
    name: 'a client goes on after it was deleted',
    checker: 'tokens-expire',
    plant(history) {
      const atMs = changed(history, 'client-deleted', { client: 'operator' });
      const call = { as: 'operator', path: '/vehicles/VEH01', body: { id: 'VEH01' } };
      return [`call ${addCall(history, { ...call, ...later(atMs, 10_000) })},`, 'its client is gone'];
    },
  },
  {
    name: 'a client does what it may not do any more',
    checker: 'guards-hold',
    plant(history) {
      const taken = { client: 'operator', permissions: ['vehicles.ro'] };
      const atMs = changed(history, 'permissions-taken', taken);
      const { vehicle } = first(history);
      const call = { as: 'operator', vehicle, path: '/vehicles/VEH01', body: { id: 'VEH01' } };
      return [`call ${addCall(history, { ...call, ...later(atMs, 10_000) })},`, 'missing-permissions'];
    },
  },
  {
    name: 'a problem has the title of another one',
    checker: 'guards-hold',
    plant(history) {
      const path = '/vehicles/NOBODY';
      const title = 'Payload too large.';
      const type = '/problems/resource-not-found';
      const body = { type, title, status: 404, detail: "There is no vehicle with the id 'NOBODY'." };
      const call = addCall(history, { path, status: 404, problem: type, body });
      return [`call ${call},`, title];
    },
  },
  {
    name: 'a vehicle is online in an answer that is not ready',
    checker: 'presence-agrees',
    plant(history) {
      const { vehicle } = first(history);
      const body = { id: vehicle.vehicleId, life_status: { value: 'STANDBY' } };
      const path = `/vehicles/${vehicle.vehicleId}`;
      const call = addCall(history, { vehicle, path, body });
      return [`call ${call} `, 'STANDBY'];
    },
  },
  {
    name: 'a vehicle is on standby in an answer shortly after a restart of the service, with its box ready',
    checker: 'presence-agrees',
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      history.facts.push(
        { kind: 'service', state: 'down', reason: 'it crashed', atMs: answeredMs + 100_000 },
        { kind: 'service', state: 'up', reason: 'it began', atMs: answeredMs + 101_000 },
      );
      const body = { id: vehicle.vehicleId, life_status: { value: 'STANDBY' } };
      const at = later(answeredMs, 108_000);
      const call = addCall(history, { vehicle, path: `/vehicles/${vehicle.vehicleId}`, body, ...at });
      return [`call ${call} `, 'is ready'];
    },
  },
  {
    name: 'a vehicle is online in an answer long after its box has gone',
    checker: 'presence-agrees',
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const gone = { kind: 'connectivity', vehicle: vehicle.number } as const;
      history.facts.push(
        { ...gone, state: 'offline', atMs: answeredMs + 100_000 },
        { ...gone, state: 'ready', atMs: answeredMs + 500_000 },
      );
      const body = { id: vehicle.vehicleId, life_status: { value: 'ONLINE' } };
      const at = later(answeredMs, 400_000);
      const call = addCall(history, { vehicle, path: `/vehicles/${vehicle.vehicleId}`, body, ...at });
      return [`call ${call} `, 'was away'];
    },
  },
  {
    name: 'a contact with a box is told of a time at which it was away',
    checker: 'presence-agrees',
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const gone = { kind: 'connectivity', vehicle: vehicle.number } as const;
      history.facts.push(
        { ...gone, state: 'offline', atMs: answeredMs + 100_000 },
        { ...gone, state: 'ready', atMs: answeredMs + 500_000 },
      );
      const contact = new Date(answeredMs + 390_000).toISOString();
      const body = { id: vehicle.vehicleId, life_status: { value: 'STANDBY' }, last_contact_at: contact };
      const at = later(answeredMs, 400_000);
      const call = addCall(history, { vehicle, path: `/vehicles/${vehicle.vehicleId}`, body, ...at });
      return [`call ${call} `, 'its box had left'];
    },
  },
  {
    name: 'a contact with a box is told of a time at which it said nothing',
    checker: 'presence-agrees',
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const last = Math.max(answeredMs, ...(history.vehicles[0]?.frames ?? []).map(({ atMs }) => atMs));
      const contact = new Date(last + 390_000).toISOString();
      const body = { id: vehicle.vehicleId, life_status: { value: 'ONLINE' }, last_contact_at: contact };
      const at = later(last, 400_000);
      const call = addCall(history, { vehicle, path: `/vehicles/${vehicle.vehicleId}`, body, ...at });
      return [`call ${call} `, 'the last that its box had sent'];
    },
  },
  {
    name: 'a vehicle whose card was suspended is on standby',
    checker: 'presence-agrees',
    // The card in the box is as it was.
    also: ['successes-hold'],
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const card = `/vehicles/${vehicle.vehicleId}/box-connectivity-commands`;
      const gone = { kind: 'connectivity', vehicle: vehicle.number } as const;
      history.facts.push(
        { ...gone, state: 'offline', atMs: answeredMs + 101_000 },
        { ...gone, state: 'ready', atMs: answeredMs + 900_000 },
      );
      const order = (name: string, afterMs: number) =>
        addCall(history, {
          vehicle,
          method: 'POST',
          path: `${card}/${name}`,
          status: 204,
          card: 'active' as const,
          ...later(answeredMs, afterMs),
        });
      order('request-sim-suspension', 100_000);
      order('network-detach', 120_000);
      const body = { id: vehicle.vehicleId, life_status: { value: 'STANDBY' } };
      const read = { vehicle, method: 'GET', path: `/vehicles/${vehicle.vehicleId}`, body };
      const call = addCall(history, { ...read, ...later(answeredMs, 500_000) });
      return [`call ${call} `, 'its card suspended'];
    },
  },
  {
    name: 'a session ends though nothing is broken',
    checker: 'sessions-last',
    plant(history) {
      const { vehicle } = first(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const session = { kind: 'connectivity', vehicle: vehicle.number } as const;
      history.facts.push(
        { ...session, state: 'ready', atMs: answeredMs + 400_000 },
        { ...session, state: 'offline', atMs: answeredMs + 600_000 },
      );
      return ['a session ended without a cause', vehicle.vehicleId];
    },
  },
  {
    name: 'a filter lets a vehicle through that it does not fit',
    checker: 'reads-agree',
    plant(history) {
      const path = '/vehicles?tag=pool';
      const call = addCall(history, { path, body: { items: [{ id: 'VEH01', tags: [] }] } });
      return [`call ${call} `, 'VEH01'];
    },
  },
  {
    name: 'a vehicle is found by what its reader does not see',
    checker: 'reads-agree',
    plant(history) {
      const item = { id: 'VEH01', telematics_unit: { id: 'a' }, master_data: { custom_name: null } };
      const call = addCall(history, { path: '/vehicles?q=north', body: { items: [item] } });
      return [`call ${call} `, 'VEH01'];
    },
  },
  {
    name: 'a vehicle of the fleet is missing in a list',
    checker: 'reads-agree',
    plant: (history) => [`call ${addCall(history, { path: '/vehicles', body: { items: [] } })} `, 'VEH01'],
  },
  {
    name: 'a feature is shown otherwise than it was put',
    checker: 'successes-hold',
    plant(history) {
      const { vehicle } = first(history);
      const path = `/vehicles/${vehicle.vehicleId}/telematics-unit/feature-configuration/tracking`;
      const parameters = {
        time_interval_in_seconds: 30,
        distance_interval_in_meters: 1_000,
        heading_change_threshold_in_degrees: 60,
      };
      const sent = { time_interval_in_seconds: 30 };
      addCall(history, { vehicle, path, method: 'PUT', sent, body: { status: 'ACTIVE', parameters } });
      const other = { ...parameters, heading_change_threshold_in_degrees: 45 };
      const read = { vehicle, method: 'GET', path, body: { status: 'ACTIVE', parameters: other } };
      const call = addCall(history, read);
      return [`call ${call}`, '45'];
    },
  },
  {
    name: 'a feature is active before it can have calibrated',
    checker: 'successes-hold',
    // Nobody put it into force.
    also: ['one-result-per-vehicle'],
    plant(history) {
      const { vehicle } = first(history);
      const path = `/vehicles/${vehicle.vehicleId}/telematics-unit/feature-configuration/damage-detection`;
      const parameters = { sensitivity: 'HIGH' };
      const body = { status: 'ACTIVE', parameters };
      const call = addCall(history, { vehicle, path, method: 'PUT', sent: parameters, body });
      return [`call ${call}`, 'can not have calibrated'];
    },
  },
];

function first({ vehicles }: RunRecordings): VehicleRecording {
  return vehicles[0] as VehicleRecording;
}

function later(atMs: number, afterMs: number): Pick<AnsweredCall, 'askedMs' | 'answeredMs'> {
  return { askedMs: atMs + afterMs, answeredMs: atMs + afterMs + 50 };
}

/** An operator changes a client behind the last call; the time of it. */
function changed(history: RunRecordings, name: string, settings: Changed): number {
  const { answeredMs: atMs } = history.calls.at(-1) as AnsweredCall;
  const fact = { kind: 'fault', name: `access ${name}`, detail: JSON.stringify(settings) } as const;
  history.facts.push({ ...fact, vehicles: [], phase: 'begins', atMs } satisfies Fact);
  return atMs;
}

/** The first message of the first vehicle, and its repetitions, have other data. */
function stateChanged(name: string, change: Changed, words: readonly string[]): PlantedFault {
  return {
    name,
    checker: 'messages-hold',
    plant(history) {
      const queue = history.messages.get('VehicleState_v1-own') ?? [];
      const messageId = queue[0]?.messageId ?? '';
      queue.forEach((message, index) => {
        const { metadata, data } = message.body as { readonly metadata: object; readonly data: object };
        if (message.messageId === messageId)
          queue[index] = { ...message, body: { metadata, data: { ...data, ...change } } };
      });
      return [messageId, ...words];
    },
  };
}

/** The first report of the first vehicle tells of a shock 5 s before it, and its message of one so long before. */
function shock(history: RunRecordings, toldAgoMs: number): string {
  const { frames, records, vehicle } = first(history);
  const index = frames.findIndex(({ message }) => message.kind === 'report');
  const frame = frames[index];
  const record = records.find(({ sequence }) => sequence === frame?.sequence);
  if (frame?.message.kind !== 'report' || record === undefined) throw new Error('There is no report.');
  const { signals } = frame.message;
  const measured = { agoMs: 5_000, shock: { peakMg: 900, durationMs: 40, direction: 'front' as const } };
  frames.forEach((one, at) => {
    if (one.sequence === frame.sequence && one.message.kind === 'report')
      frames[at] = { ...one, message: { kind: 'event', event: 'shock', signals, measured } };
  });
  const [messageId = ''] = record.messageIds;
  const state = history.messages.get('VehicleState_v1-own')?.find((one) => one.messageId === messageId);
  if (state === undefined) throw new Error('There is no message.');
  const { metadata } = state.body as { readonly metadata: Changed };
  const name = 'ParkingEventDetected';
  const type = `service.${name}`;
  const queue = 'ParkingEvent_v1-own';
  const event: QueuedMessage = {
    ...state,
    queue,
    messageId: 'SHOCK',
    name,
    headers: { ...state.headers, 'Message-Type': type, 'Message-Version': '1.0.0' },
    body: {
      metadata: { ...metadata, message_id: 'SHOCK', message_type: type, version: '1.0.0' },
      data: {
        vehicle_id: vehicle.vehicleId,
        fleet_id: vehicle.fleetId,
        kind: 'SHOCK',
        received_at: seconds(record.storedMs),
        occurred_at: seconds(frame.clockMs - toldAgoMs),
      },
    },
  };
  history.messages.set(queue, [event]);
  return 'SHOCK';
}

function seconds(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000', '');
}

import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import type { RunRecordings, VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault } from './change-recordings.ts';

const SUBSCRIPTIONS = '/message-subscriptions';
const ID = '01J00000000000000001900000';
const QUEUE = { name: 'VehicleState_v1-night', topic: 'VehicleState_v1' };

/** Every way in which something that was answered with success can turn out not to be so. */
export const SUCCESS_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a card is active after its suspension',
    checker: 'successes-hold',
    plant(history) {
      const { vehicle } = first(history);
      const path = `/vehicles/${vehicle.vehicleId}/box-connectivity-commands/request-sim-suspension`;
      const call = { vehicle, method: 'POST', path, status: 204, card: 'active' } as const;
      return [`call ${addCall(history, call)},`, 'is active'];
    },
  },
  {
    name: 'a change of the record is undone by another one',
    checker: 'successes-hold',
    plant(history) {
      const { vehicle } = first(history);
      const own = { vehicle, path: `/vehicles/${vehicle.vehicleId}` };
      const status = { operation_status: { value: 'GARAGE' } };
      addCall(history, { ...own, method: 'PATCH', sent: status, body: status });
      const tags = { tags: ['north'] };
      addCall(history, { ...own, method: 'PATCH', sent: tags, body: { ...tags, ...status } });
      const before = { operation_status: { value: 'OPERATING' }, tags: ['north'] };
      return [
        `call ${addCall(history, { ...own, method: 'GET', body: before })} `,
        'operation_status',
        'GARAGE',
      ];
    },
  },
  {
    name: 'a vehicle is shared with another fleet while it is shared',
    checker: 'successes-hold',
    plant(history) {
      const { vehicle } = first(history);
      const share = (fleet: string) =>
        addCall(history, {
          vehicle,
          method: 'PUT',
          path: `/vehicles/${vehicle.vehicleId}/sharing`,
          sent: { partner_fleet_id: fleet },
          body: { shared_with: fleet },
        });
      share('PARTNER');
      return [`call ${share('STRANGER')},`, 'PARTNER'];
    },
  },
  {
    name: 'a subscription is listed after its end',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      addCall(history, { method: 'DELETE', path: `${SUBSCRIPTIONS}/${ID}`, status: 204 });
      const items = [{ id: ID }];
      return [
        `call ${addCall(history, { method: 'GET', path: SUBSCRIPTIONS, body: { items } })} `,
        'after its end',
      ];
    },
  },
  {
    name: 'a subscription is not listed',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      return [`call ${addCall(history, { method: 'GET', path: SUBSCRIPTIONS, body: { items: [] } })} `, ID];
    },
  },
  {
    name: 'a discriminator is held by a subscription that was ended',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      addCall(history, { method: 'DELETE', path: `${SUBSCRIPTIONS}/${ID}`, status: 204 });
      const again = {
        method: 'POST',
        path: SUBSCRIPTIONS,
        status: 409,
        sent: { queue_discriminator: 'night' },
      };
      return [`call ${addCall(history, { ...again, problem: '/problems/conflicting-resource' })} `];
    },
  },
  {
    name: 'a message comes to the fleet and not to its subscription',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      return [message(history, 'VehicleState_v1-own', 5_000), QUEUE.name];
    },
  },
  {
    name: 'a queue outlives its subscription',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      addCall(history, { method: 'DELETE', path: `${SUBSCRIPTIONS}/${ID}`, status: 204 });
      return [message(history, QUEUE.name, 5_000), 'after its 204'];
    },
  },
  {
    name: 'a queue outlives a subscription that ended while the AMQP broker could not be reached',
    checker: 'successes-hold',
    plant(history) {
      subscribe(history);
      const { answeredMs } = history.calls.at(-1) as AnsweredCall;
      const down = { kind: 'fault', name: 'exchange down', detail: '', vehicles: [] } as const;
      history.facts.push(
        { ...down, phase: 'begins', atMs: answeredMs + 100 },
        { ...down, phase: 'ends', atMs: answeredMs + 2_000 },
      );
      addCall(history, {
        method: 'DELETE',
        path: `${SUBSCRIPTIONS}/${ID}`,
        status: 500,
        problem: '/problems/internal-server-error',
      });
      return [message(history, QUEUE.name, 500_000), 'after its end'];
    },
  },
];

function first({ vehicles }: RunRecordings): VehicleRecording {
  return vehicles[0] as VehicleRecording;
}

function subscribe(history: RunRecordings): void {
  const body = { id: ID, queue_discriminator: 'night', queues: [QUEUE] };
  const sent = { queue_discriminator: 'night', topics: [QUEUE.topic] };
  addCall(history, { method: 'POST', path: SUBSCRIPTIONS, status: 201, sent, body });
}

/** A message comes to a queue so long after the last call; its id. */
function message(history: RunRecordings, queue: string, afterMs: number): string {
  const { answeredMs } = history.calls.at(-1) as AnsweredCall;
  const messageId = 'LATE';
  const head = { kind: 'message', vehicleId: 'VEH01', name: 'VehicleStateReceived' } as const;
  history.facts.push({ ...head, queue, messageId, atMs: answeredMs + afterMs });
  return messageId;
}

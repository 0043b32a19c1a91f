import { BULK_PATH } from '../../contract/operation.ts';
import type { ReadMessage } from '../../judge/certify/message-points.ts';
import type { Evidence, JobEvidence, QueuedMessage } from '../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { MessageKindName } from '../../protocol/message-kinds.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { BoxRecording } from '../../scenarios/testbed/common/recordings/box-recording.ts';
import type { CallRecording } from '../../scenarios/testbed/common/recordings/call-recording.ts';
import type { ClockRecording } from '../../scenarios/testbed/common/recordings/clock-recording.ts';
import type { FrameRecording } from '../../scenarios/testbed/common/recordings/frame-recording.ts';
import type { BoxWatch } from '../../scenarios/testbed/common/vehicles/box-watch.ts';
import { type JsonObject, jsonOf, valueAt } from '../../world/json.ts';
import type { CertifiedVehicle } from './certified-vehicles.ts';
import type { MessageReader } from './message-reader.ts';
import type { ServiceApi } from './service-api.ts';

/** What is observable of a service from outside, and the truth of the boxes that it serves. */
export interface OutsideSources {
  readonly api: ServiceApi;
  readonly vehicles: readonly CertifiedVehicle[];
  readonly fleetId: string;
  readonly frames: FrameRecording;
  readonly calls: CallRecording;
  readonly messages: MessageReader | undefined;
  readonly boxWatch: BoxWatch;
  readonly clockErrors: ClockRecording;
  readonly boxHistory: BoxRecording;
}

/** What a box has evicted follows from these. */
const TOMBSTONES: ReadonlySet<MessageKindName> = new Set(['tombstone']);

/**
 * The evidence of an external service. No checker that is used here asks for what only its store knows: that throws.
 */
export function outsideEvidence(sources: OutsideSources): Evidence {
  const { api, vehicles, frames, calls, messages, boxWatch } = sources;
  const own = ({ number }: SimulatedVehicle): CertifiedVehicle | undefined => vehicles[number - 1];
  return {
    ...UNSEEN,
    frames: ({ boxId }, kinds) => paged(boxId === undefined ? [] : [...frames.frames(boxId, kinds)]),
    everStored: ({ boxId }) => {
      const given = boxId === undefined ? [] : [...frames.frames(boxId, TOMBSTONES)];
      return Promise.resolve({
        records: 0,
        lost: given.filter(({ message }) => message.kind === 'tombstone').length,
      });
    },
    unrecorded: () => ({ frames: frames.dropped, calls: calls.dropped }),
    messages: (queue) =>
      paged(
        (messages?.messages ?? [])
          .filter(({ delivery }) => delivery.queue === queue)
          .map((one) => queuedOf(one, sources)),
      ),
    queues: () =>
      Promise.resolve(
        (messages?.queues ?? []).map(({ name, topic }) => ({
          name,
          topic,
          fleetId: sources.fleetId,
          sinceMs: messages?.sinceMs ?? 0,
        })),
      ),
    outputActions: (vehicle) => Promise.resolve(boxWatch.outputActions(vehicle)),
    calls: () => Promise.resolve(calls.answered()),
    jobs: () => jobsOf(sources),
    equipment(vehicle) {
      const { plan } = own(vehicle) ?? {};
      if (plan === undefined) return undefined;
      const { generation, hardwareRevision, firmware, sim, model } = plan;
      const { vehicleCommands = [], installation = 'HARDWIRED' } = MODELS.get(model) ?? {};
      return {
        generation,
        hardwareRevision,
        firmware,
        vehicleCommands,
        installation,
        simProvider: sim.provider,
      };
    },
    async twin({ vehicleId }) {
      const body = jsonOf((await api.ask('GET', `/vehicles/${vehicleId}`)).text);
      return typeof body === 'object' && body !== null ? (body as JsonObject) : {};
    },
    truthsBetween: (vehicle, fromMs, toMs) => own(vehicle)?.box.truthsBetween(fromMs, toMs),
    // Records from before the boxes were watched count as having a right clock: their truth is not kept.
    clockErrors: ({ number }) => [
      { fromMs: 0, errorMs: 0, latestAheadMs: undefined },
      ...sources.clockErrors.of(number),
    ],
    boxHistory: ({ number }) => sources.boxHistory.of(number),
  };
}

function unseen(what: string): never {
  throw new Error(`${what} cannot be seen from outside.`);
}

/** What only a store or an operator knows. */
const UNSEEN = {
  records: () => unseen('What the service has stored'),
  journal: () => unseen('The journal of a box'),
  messageFates: () => unseen('Where messages are that are in no queue'),
  configuration: () => unseen('The record of the configuration'),
  propertiesOf: () => unseen('The translation of signals'),
  setup: () => Promise.resolve(undefined),
  vehicleOfRequest: () => Promise.resolve(undefined),
  quarantined: () => Promise.resolve([]),
  troubles: () => [],
  partitions: () => undefined,
  effects: () => undefined,
  outcomes: () => undefined,
  notifications: () => [],
  levels: () => Promise.resolve([]),
  pending: () => Promise.resolve([]),
} satisfies Partial<Evidence>;

async function* paged<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  if (items.length > 0) yield items;
}

function queuedOf({ atMs, body, delivery }: ReadMessage, { fleetId }: OutsideSources): QueuedMessage {
  const { queue, properties, headers } = delivery;
  return {
    atMs,
    queue,
    body,
    fleetId,
    messageId: properties.messageId ?? '',
    vehicleId: String(valueAt(body, 'data', 'vehicle_id')),
    name: (properties.type ?? '').split('.').at(-1) ?? '',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}

/** The bulk jobs that were ordered, as the API reports them. */
async function jobsOf({ api, calls }: OutsideSources): Promise<readonly JobEvidence[]> {
  const jobs: JobEvidence[] = [];
  for (const ordered of calls.jobs) {
    const body = jsonOf((await api.ask('GET', `${BULK_PATH}/${ordered.id}?limit=1000`)).text);
    const items = (valueAt(body, 'items') as readonly unknown[] | undefined) ?? [];
    const timeOf = (name: string) => Date.parse(String(valueAt(body, name)));
    const count = (name: string) => Number(valueAt(body, 'counts', name));
    jobs.push({
      ...ordered,
      createdMs: timeOf('created_at'),
      expiresMs: timeOf('expires_at'),
      counts: {
        total: count('total'),
        pending: count('pending'),
        applied: count('applied'),
        failed: count('failed'),
      },
      status: String(valueAt(body, 'status')),
      items: items.map((item) => ({
        id: String(valueAt(item, 'id')),
        status: String(valueAt(item, 'status')),
        attempts: Number(valueAt(item, 'attempts')),
      })),
    });
  }
  return jobs;
}

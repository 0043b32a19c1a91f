import { findFeature } from '../../../backend/configuration/features.ts';
import type { BulkItem } from '../../../backend/store/port/bulk-store.ts';
import type { StoredRecord } from '../../../backend/store/port/ingest-store.ts';
import { vehicleLifeStatus } from '../../../backend/store/port/life-status.ts';
import { translateNamed } from '../../../backend/vehicles/translation/translate.ts';
import {
  type ConfigurationFact,
  type Evidence,
  type JobEvidence,
  LIFE_STATUS,
  type RecordEvidence,
} from '../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import type { MessageFates } from '../../../judge/ledger/facts.ts';
import { readJournal } from '../../../judge/ledger/read-flash.ts';
import { counted } from '../../../judge/wording.ts';
import { knownModel } from '../../../protocol/models/known-models.ts';
import { limits as boxLimits } from '../../../simulator/limits.ts';
import type { JsonObject } from '../../../world/json.ts';
import type { LogFields } from '../../../world/log/log.ts';
import type { Time } from '../../../world/time/time.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import { testbedLimits } from '../../limits.ts';
import { BoxRecording } from './recordings/box-recording.ts';
import type { CallRecording } from './recordings/call-recording.ts';
import type { ClockRecording } from './recordings/clock-recording.ts';
import type { EffectRecording } from './recordings/effect-recording.ts';
import type { FrameRecording } from './recordings/frame-recording.ts';
import { mostTombstones } from './recordings/journal-bound.ts';
import type { NotificationRecording } from './recordings/notification-recording.ts';
import type { OutcomeRecording } from './recordings/outcome-recording.ts';
import type { QueueRecording } from './recordings/queue-recording.ts';
import type { ServiceView } from './service-runner.ts';
import type { BoxWatch } from './vehicles/box-watch.ts';
import { isExpectedOffline } from './vehicles/expected-offline.ts';
import type { PlannedVehicle } from './vehicles/planned-vehicle.ts';

export interface EvidenceSources {
  readonly time: Time;
  readonly vehicles: readonly PlannedVehicle[];
  readonly service: ServiceView;
  readonly frames: FrameRecording;
  readonly queues: QueueRecording;
  readonly calls: CallRecording;
  readonly notifications: NotificationRecording;
  readonly boxWatch: BoxWatch;
  /** Undefined: no checker reads it. */
  readonly clockErrors: ClockRecording | undefined;
  /** Undefined: no checker reads it. */
  readonly boxHistory: BoxRecording | undefined;
  /** Undefined: no checker reads it, or the world is the real one. */
  readonly effects?: EffectRecording | undefined;
  /** Undefined: as for `effects`. */
  readonly outcomes?: OutcomeRecording | undefined;
  readonly levels: { look(): Promise<void>; all(): Awaited<ReturnType<Evidence['levels']>> };
  /** The content of a box's flash. */
  readonly flashPagesOf: (boxId: string) => Promise<ReadonlyMap<string, Uint8Array>>;
  /** Makes a request to the service that is not recorded. */
  readonly ask: (request: ApiRequest) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** The warnings of the service. */
  readonly warnings: readonly { readonly fields: LogFields }[];
}

/** Builds the evidence from the recordings of each side. */
export function evidenceOf(parts: EvidenceSources): Evidence {
  const { vehicles, service, frames, queues, calls, boxWatch, levels } = parts;
  const actorOf = (vehicle: SimulatedVehicle): PlannedVehicle | undefined => vehicles[vehicle.number - 1];
  return {
    frames: ({ boxId }, kinds) => pagesOf(boxId === undefined ? [] : frames.frames(boxId, kinds)),
    records: ({ boxId }) => recordsOf(service, boxId),
    async everStored({ boxId }) {
      return boxId === undefined ? { records: 0, lost: 0 } : service.store.ingest.countRecords(boxId);
    },
    async journal({ boxId }) {
      return boxId === undefined ? undefined : readJournal(await parts.flashPagesOf(boxId));
    },
    messageFates: (messageIds) => messageFatesOf(service, messageIds),
    unrecorded: () => ({ frames: frames.dropped, calls: calls.dropped }),
    async *messages(queue) {
      const { fleetId = '', sinceMs = 0 } =
        (await queuesOf(service)).find(({ name }) => name === queue) ?? {};
      yield* pagesOf(queues.messages(queue, fleetId, sinceMs));
    },
    queues: () => queuesOf(service),
    outputActions: (vehicle) => {
      const planned = actorOf(vehicle);
      return Promise.resolve(planned === undefined ? [] : boxWatch.outputActions(planned));
    },
    calls: () => Promise.resolve(calls.answered()),
    jobs: () => jobsOf(parts),
    async configuration({ boxId }) {
      if (boxId === undefined) return undefined;
      const configuration = await service.store.configuration.read(boxId);
      return configuration && { ...configuration, settings: settingsInForce(configuration.features) };
    },
    ...MODEL_TABLES,
    equipment(vehicle) {
      const { boxPlan } = actorOf(vehicle) ?? {};
      if (boxPlan === undefined) return undefined;
      const { generation, hardwareRevision, firmware, sim, model } = boxPlan;
      const { vehicleCommands = [], installation = 'HARDWIRED' } = knownModel(model) ?? {};
      const box = { generation, hardwareRevision, firmware, simProvider: sim.provider };
      return { ...box, vehicleCommands, installation };
    },
    async setup({ vehicleId, boxId }) {
      if (vehicleId === '' || boxId === undefined) return undefined;
      const vehicle = await service.store.vehicles.find(vehicleId);
      return vehicle && { status: vehicle.setupStatus, detail: vehicle.setupDetail };
    },
    async vehicleOfRequest(requestId) {
      return (await service.store.commands.find(requestId))?.vehicleId;
    },
    async quarantined() {
      const rows = await service.store.ingest.quarantined({ limit: testbedLimits.pageRows });
      return rows.map(({ boxId, receivedMs, fault, detail }) => ({
        boxId,
        atMs: receivedMs,
        fault,
        detail,
      }));
    },
    troubles: () =>
      parts.warnings.flatMap(({ fields: { kind, boxId, detail } }) =>
        kind === undefined || boxId === undefined
          ? []
          : [{ kind: String(kind), boxId: String(boxId), detail: String(detail ?? '') }],
      ),
    async twin(vehicle) {
      const as = vehicle.group.fleet === 'own' ? 'owner' : vehicle.group.fleet;
      const { body } = await parts.ask({ method: 'GET', path: `/vehicles/${vehicle.vehicleId}`, as });
      return typeof body === 'object' && body !== null ? (body as JsonObject) : {};
    },
    truthsBetween(vehicle, fromMs, toMs) {
      const planned = actorOf(vehicle);
      return (planned?.box ?? planned?.car)?.truthsBetween(fromMs, toMs);
    },
    clockErrors: ({ number }) => parts.clockErrors?.of(number) ?? [],
    boxHistory: ({ number }) => (parts.boxHistory ?? new BoxRecording()).of(number),
    partitions: () => service.partitions?.(),
    effects: () => parts.effects?.history(),
    outcomes: () => parts.outcomes?.history(),
    notifications: () => parts.notifications.answered,
    async levels() {
      await levels.look();
      const journals = vehicles.flatMap((planned) => {
        if (planned.boxPlan === undefined) return [];
        const { boxId, journalRecords = boxLimits.journalRecords } = planned.boxPlan;
        const bound = journalRecords + mostTombstones(journalRecords);
        return [{ name: `journal of ${boxId}`, most: boxWatch.mostRecords(planned), bound }];
      });
      return [...journals, ...levels.all()];
    },
    pending: () => pendingOf(parts),
  };
}

async function* pagesOf<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < testbedLimits.pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* recordsOf(
  { store }: ServiceView,
  boxId: string | undefined,
): AsyncGenerator<readonly RecordEvidence[]> {
  if (boxId === undefined) return;
  for (let after: { readonly epoch: number; readonly sequence: number } | undefined; ; ) {
    const rows = await store.ingest.records({ boxId, after, limit: testbedLimits.pageRows });
    if (rows.length > 0) yield rows.map((row) => new StoredRecordEvidence(boxId, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < testbedLimits.pageRows) return;
    after = { epoch: last.epoch, sequence: last.sequence };
  }
}

/** All records have one shape, and the key is computed on demand. */
class StoredRecordEvidence implements RecordEvidence {
  readonly #boxId: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: string;
  readonly measuredMs: number;
  readonly storedMs: number;
  readonly messageIds: readonly string[];

  constructor(boxId: string, { epoch, sequence, kind, clockMs, receivedMs, messageId }: StoredRecord) {
    this.#boxId = boxId;
    this.epoch = epoch;
    this.sequence = sequence;
    this.kind = kind;
    this.measuredMs = clockMs;
    this.storedMs = receivedMs;
    this.messageIds = messageId === undefined ? [] : [messageId];
  }

  get key(): RecordEvidence['key'] {
    return `${this.#boxId}/${this.epoch}/${this.sequence}`;
  }
}

async function messageFatesOf({ store }: ServiceView, messageIds: readonly string[]): Promise<MessageFates> {
  const waiting = new Map<string, number>();
  for (let afterPosition = 0; ; ) {
    const rows = await store.outbox.next({ afterPosition, limit: testbedLimits.pageRows });
    for (const { messageId, createdMs } of rows) waiting.set(messageId, createdMs);
    const last = rows.at(-1);
    if (last === undefined || rows.length < testbedLimits.pageRows) break;
    afterPosition = last.position;
  }
  const dropped = await store.outbox.dropped(messageIds);
  return { waiting, dropped: new Map(dropped.map(({ messageId, reason }) => [messageId, reason])) };
}

/** The initial queues, and those of subscriptions, with the time since which each is its fleet's. */
async function queuesOf({ store, queues }: ServiceView) {
  const subscribed = await store.subscriptions.live();
  return [
    ...queues.map(({ name, fleetId }) => ({
      name,
      fleetId,
      sinceMs: 0,
      topic: name.slice(0, name.indexOf('-')),
    })),
    ...subscribed.flatMap(({ queues: own, fleetId, createdMs }) =>
      own.map(({ name, topic }) => ({ name, fleetId, topic, sinceMs: createdMs })),
    ),
  ];
}

async function jobsOf({ service, calls }: EvidenceSources): Promise<readonly JobEvidence[]> {
  const facts: JobEvidence[] = [];
  for (const ordered of calls.jobs) {
    const { id } = ordered;
    const job = await service.store.bulk.find(id);
    if (job === undefined) continue;
    const items: JobEvidence['items'][number][] = [];
    for await (const page of itemsOf(service, id)) {
      for (const { vehicleId, status, reason, attempts, lastAttemptMs } of page) {
        items.push({
          id: vehicleId,
          status: status.toUpperCase(),
          attempts,
          ...(lastAttemptMs === undefined ? {} : { lastAttemptMs }),
          ...(reason === undefined ? {} : { reason: reason.detail, problem: reason.problem }),
        });
      }
    }
    const status = job.counts.pending === 0 ? 'COMPLETED' : job.hasBegun ? 'RUNNING' : 'PENDING';
    const { createdMs, expiresMs, counts } = job;
    facts.push({ ...ordered, createdMs, expiresMs, status, counts, items });
  }
  return facts;
}

async function* itemsOf({ store }: ServiceView, jobId: string): AsyncGenerator<readonly BulkItem[]> {
  for (let afterPosition = -1; ; ) {
    const rows = await store.bulk.items({ jobId, afterPosition, limit: testbedLimits.pageRows });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < testbedLimits.pageRows) return;
    afterPosition = last.position;
  }
}

type Pending = Awaited<ReturnType<Evidence['pending']>>;

/** What the service does not know of a vehicle yet: that its box is connected, or the result of its setup. */
async function unsettledOf(
  { service, time }: EvidenceSources,
  vehicle: PlannedVehicle,
  isReady: boolean,
): Promise<readonly Pending[number][]> {
  const record = vehicle.vehicleId === '' ? undefined : await service.store.vehicles.find(vehicle.vehicleId);
  if (record === undefined) return [];
  const { setupStatus, setupDetail } = record;
  const life = vehicleLifeStatus(record, time.nowMs()).value;
  return [
    ...(isReady && life !== 'ONLINE'
      ? [{ what: LIFE_STATUS, reason: `its box is ready, and it is ${life}`, vehicle }]
      : []),
    ...(setupStatus === 'PENDING' || setupStatus === 'RUNNING'
      ? [{ what: 'the setup of the vehicle', reason: `it is ${setupStatus}: ${setupDetail}`, vehicle }]
      : []),
  ];
}

/** What is still pending, with the reason of the side that waits. */
async function pendingOf(parts: EvidenceSources): Promise<Pending> {
  const { vehicles, service, boxWatch, calls } = parts;
  const found: Pending[number][] = [];
  if (!service.isUp) found.push({ what: 'the service', reason: 'it is down' });
  const expectedOffline = new Set<string>();
  for (const planned of vehicles) {
    const { box } = planned;
    if (box === undefined) continue;
    const session = boxWatch.session(planned);
    const held = boxWatch.heldRecords(planned);
    const isReady = session === 'ready';
    // The truth of a vehicle costs more than its record, and few boxes that are ready need it.
    const isOffline = isReady ? undefined : isExpectedOffline(box);
    if (isOffline !== true) {
      const unsettled = await unsettledOf(parts, planned, isReady);
      if (unsettled.length > 0 && !(isOffline ?? isExpectedOffline(box))) found.push(...unsettled);
    }
    if (isReady && held === 0) continue;
    if (isOffline ?? isExpectedOffline(box)) {
      expectedOffline.add(planned.vehicleId);
      continue;
    }
    const { power, modem } = box.snapshot() as JsonObject;
    const reason = `its session is ${session}, its power ${String(power)}, its modem ${String(modem)}, its SIM card ${box.sim()}`;
    if (session !== 'ready') found.push({ what: 'the session of the box', reason, vehicle: planned });
    if (held > 0)
      found.push({
        what: 'the journal of the box',
        reason: `it holds ${counted(held, 'record')}; ${reason}`,
        vehicle: planned,
      });
  }
  const { messages } = await service.store.outbox.size();
  if (messages > 0)
    found.push({
      what: 'the outbox',
      reason: `${counted(messages, 'message is', 'messages are')} not confirmed`,
    });
  for (const { request, vehicle } of calls.open) {
    found.push({
      what: 'a call',
      reason: `${request.method} ${request.path} is not answered`,
      ...(vehicle === undefined ? {} : { vehicle }),
    });
  }
  for (const { id } of calls.jobs) {
    if (((await service.store.bulk.find(id))?.counts.pending ?? 0) === 0) continue;
    let pending = 0;
    for await (const page of itemsOf(service, id)) {
      for (const { status, vehicleId } of page) {
        if (status === 'pending' && !expectedOffline.has(vehicleId)) pending += 1;
      }
    }
    if (pending > 0)
      found.push({
        what: `the bulk job ${id}`,
        reason: `${counted(pending, 'vehicle is', 'vehicles are')} pending`,
      });
  }
  return found;
}

/** The settings that result from the active features, by name. */
export function settingsInForce(features: ConfigurationFact['features']): ConfigurationFact['settings'] {
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { parameters, revision }]) =>
      (findFeature(name)?.settings(parameters as never, revision) ?? []).map(
        (setting) => [setting.name, setting.value] as const,
      ),
    ),
  );
}

/** The signals as the service's tables for the known models translate them. */
export const MODEL_TABLES: Pick<Evidence, 'propertiesOf'> = { propertiesOf: translateNamed };

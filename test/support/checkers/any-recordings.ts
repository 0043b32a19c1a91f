import fc from 'fast-check';
import { findFeature } from '../../../backend/configuration/features.ts';
import { translateNamed } from '../../../backend/vehicles/translation/translate.ts';
import type { EffectHistory } from '../../../judge/evidence/effect-history.ts';
import type {
  AnsweredCall,
  AnsweredNotification,
  ConfigurationFact,
  Equipment,
  JobEvidence,
  OutputAction,
  QuarantinedFact,
  QueuedMessage,
  RecordEvidence,
  RecordedFrame,
  SetupFact,
  TroubleFact,
} from '../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../judge/evidence/fact.ts';
import type { OutcomeHistory } from '../../../judge/evidence/outcome-history.ts';
import type { PartitionHistory } from '../../../judge/evidence/partition-history.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import type { HeldRecord } from '../../../judge/ledger/facts.ts';
import type { PendingAfterHeal } from '../../../judge/rules/check.ts';
import { MODELS } from '../../../protocol/models/models.ts';
import { SETTINGS } from '../../../protocol/settings.ts';
import { settingsInForce } from '../../../scenarios/testbed/common/evidence.ts';
import { type ChangeableHistory, rightHistory } from './any-box-history.ts';
import { seconds, sensedOf, stateMessage } from './recorded-parts.ts';

/** Of a run, what only those with several backends, or with a maker, have. */
interface ServiceRecordings {
  partitions?: PartitionHistory;
  effects?: EffectHistory;
  outcomes?: OutcomeHistory;
  notifications?: readonly AnsweredNotification[];
}

export const START_MS = 1_767_592_800_000;
export const EPOCH = 5;
const MODEL_NAMES = ['estate', 'petrol-compact', 'electric-hatchback'] as const;
export const FLEETS: Readonly<Record<string, string>> = {
  own: 'OWNFLEET',
  partner: 'PARTNER',
  stranger: 'STRANGER',
};

/** What every side would have recorded of one vehicle. */
export interface VehicleRecording {
  readonly vehicle: SimulatedVehicle;
  frames: RecordedFrame[];
  records: RecordEvidence[];
  held: HeldRecord[];
  next: number;
  acted: OutputAction[];
  twin: Record<string, { timestamp: string; value: unknown }>;
  /** On record with the service, and what the box has. */
  inForce: ConfigurationFact;
  configuration: Record<string, unknown>;
  setup: SetupFact;
  equipment: Equipment;
  lifeStatus: 'ONLINE' | 'STANDBY' | 'OFFLINE';
  /** What its box did and remembered. */
  box: ChangeableHistory;
  /** Its physical state, during the whole run. */
  truth: Record<string, unknown>;
}

/** The recordings of a whole run, to be used as they are or with one of them changed. */
export interface RunRecordings extends ServiceRecordings {
  readonly vehicles: VehicleRecording[];
  messages: Map<string, QueuedMessage[]>;
  calls: AnsweredCall[];
  jobs: JobEvidence[];
  levels: { name: string; most: number; bound: number }[];
  unhealed: PendingAfterHeal[];
  quarantined: QuarantinedFact[];
  troubles: TroubleFact[];
  facts: Fact[];
}

/** The settings requested by the job of every history, as they are in force afterwards. */
const TRACKING = { time_interval_in_seconds: 30 };
const TRACKING_FEATURE = {
  revision: 1,
  parameters: findFeature('tracking')?.parameters.parse(TRACKING) ?? {},
};
const IN_FORCE: ConfigurationFact = {
  revision: 1,
  features: { tracking: TRACKING_FEATURE },
  settings: settingsInForce({ tracking: TRACKING_FEATURE }),
};

/** What a box has that is configured so. */
export function configurationOf({ revision, settings }: ConfigurationFact): Record<string, unknown> {
  const standards = Object.fromEntries(SETTINGS.map(({ name, standard }) => [name, standard]));
  return { revision, ...standards, ...settings };
}

const SERIAL = 1_000_000;
/** ULIDs that rise with the number. */
export function ulidOf(serial: number): string {
  return `01J000000000000000${(SERIAL + serial).toString().padStart(8, '0')}`;
}

const fate = fc.constantFrom('told', 'told', 'told', 'silent', 'held', 'buried', 'resent');
const outcome = fc.constantFrom('done', 'refused', 'silent', 'not-sent');

/** Any run in which nothing goes wrong, whatever was lost and repeated in transit. */
export const anyRightRecordings: fc.Arbitrary<RunRecordings> = fc
  .array(
    fc.record({
      fates: fc.array(fate, { minLength: 3, maxLength: 12 }),
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 3 },
  )
  .map((drawn) => {
    const writer = new Writer();
    drawn.forEach(({ fates, outcomes }, index) => {
      writer.vehicle(index + 1);
      writer.record('told');
      for (const one of fates) writer.record(one);
      for (const one of ['done' as const, 'not-sent' as const, ...outcomes]) writer.command(one);
      writer.configure();
    });
    return writer.end();
  });

type Fate = 'told' | 'silent' | 'held' | 'buried' | 'resent';

/** Writes a run down in the books of all sides. */
class Writer {
  readonly #history: RunRecordings = {
    vehicles: [],
    messages: new Map(Object.keys(FLEETS).map((fleet) => [`VehicleState_v1-${fleet}`, []])),
    calls: [],
    jobs: [],
    levels: [{ name: 'journal', most: 10, bound: 10 }],
    unhealed: [],
    quarantined: [],
    troubles: [],
    facts: [],
  };
  #serial = 0;
  #atMs = START_MS;

  get #told(): VehicleRecording {
    return this.#history.vehicles.at(-1) as VehicleRecording;
  }

  vehicle(number: number): void {
    const fleet = number === 2 ? 'partner' : 'own';
    const player = {
      number,
      initialFeatures: {},
      group: { fleet, features: {}, isOnShelf: false } as unknown as SimulatedVehicle['group'],
      vehicleId: `VEH0${number}`,
      model: MODEL_NAMES[(number - 1) % MODEL_NAMES.length] ?? 'estate',
      boxId: `00000000000000b${number}`,
      fleetId: FLEETS[fleet] ?? '',
    };
    const books = { frames: [], records: [], held: [], next: 1, acted: [], twin: {} };
    const configuration = configurationOf(IN_FORCE);
    const setup = { status: 'SUCCEEDED', detail: '' } as const;
    const box = rightHistory({
      boxId: player.boxId,
      startMs: START_MS,
      epoch: EPOCH,
      configuration: { revision: IN_FORCE.revision, values: configuration as Record<string, number> },
    });
    const ready = { kind: 'connectivity', vehicle: number, state: 'ready' } as const;
    this.#history.facts.push({ ...ready, atMs: START_MS - 600_000 });
    const { vehicleCommands = [], installation = 'HARDWIRED' } = MODELS.get(player.model) ?? {};
    const hardware = {
      generation: 2,
      hardwareRevision: 4,
      firmware: [2, 30],
      simProvider: 'meridian',
    } as const;
    const equipment = { vehicleCommands, installation, ...hardware };
    this.#history.vehicles.push({
      lifeStatus: 'ONLINE',
      vehicle: player,
      ...books,
      truth: sensedOf(player, START_MS).truth,
      inForce: IN_FORCE,
      configuration,
      setup,
      box,
      equipment,
    });
  }

  record(fate: Fate): void {
    const sequence = this.#told.next++;
    this.#atMs += 1_000;
    if (fate === 'held') {
      this.#told.held.push({ sequence, clockMs: this.#atMs });
      return;
    }
    if (fate === 'buried') {
      const own = this.#told.next++;
      const covers = { kind: 'tombstone', reason: 'overwritten', first: sequence, last: sequence } as const;
      this.#up(own, { ...covers, reports: 1, events: 0, replies: 0 });
      this.#store(own, 'tombstone', undefined);
      return;
    }
    const { vehicle } = this.#told;
    const csq = sequence % 32;
    const signals = { ...sensedOf(vehicle, START_MS).signals, modem: { csq, network: 26201 } };
    const message: RecordedFrame['message'] =
      fate === 'silent' ? { kind: 'heartbeat' } : { kind: 'report', cause: 'time', signals };
    this.#up(sequence, message);
    if (fate === 'resent') this.#up(sequence, message);
    const messageId = ulidOf(this.#serial++);
    this.#store(sequence, message.kind as RecordEvidence['kind'], messageId);
    this.#publish(messageId, sequence);
    if (fate === 'resent') this.#publish(messageId, sequence);
    if (message.kind !== 'report') return;
    this.#told.truth = { ...this.#told.truth, csq, hasCoverage: true };
    const timestamp = seconds(this.#atMs);
    for (const [name, one] of Object.entries(
      translateNamed(vehicle.model, signals, { timestampMs: this.#atMs, maintenance: false }),
    ))
      this.#told.twin[name] = { timestamp, value: one?.value };
  }

  /** One command, answered as it ought to be. */
  command(became: 'done' | 'refused' | 'silent' | 'not-sent'): void {
    const requestId = ulidOf(500_000 + this.#serial++);
    this.#atMs += 1_000;
    const askedMs = this.#atMs;
    const command = 'enable-driving';
    const expiresMs = askedMs + 20_000;
    if (became !== 'not-sent') this.#down({ kind: 'command', requestId, command, expiresMs });
    this.#atMs += 500;
    if (became === 'done' || became === 'silent') this.#move({ atMs: this.#atMs, requestId, command });
    if (became === 'done' || became === 'refused') {
      const sequence = this.#told.next++;
      const outcome = became === 'done' ? 'done' : 'conflicting-state';
      this.#up(sequence, { kind: 'reply', requestId, error: '', outcome });
      this.#store(sequence, 'reply', undefined);
    }
    const detail = {
      done: {},
      refused: { detail: 'The state of the vehicle does not allow this command.' },
      silent: { detail: 'The vehicle did not answer in time. The command may have been carried out.' },
      'not-sent': { detail: 'The vehicle did not connect; nothing was sent to it.' },
    }[became];
    const status = { done: 200, refused: 409, silent: 504, 'not-sent': 504 }[became];
    this.#call('POST', `/commands/${command}`, askedMs, status, detail);
  }

  #move(act: OutputAction): void {
    this.#told.acted.push(act);
    const move = { part: 'drivingEnabled', to: true, before: true, isAccepted: true, speedKph: 0 };
    this.#told.box.moves.push({ atMs: act.atMs, ...move });
  }

  configure(): void {
    const requestId = ulidOf(700_000 + this.#serial++);
    this.#down({
      kind: 'configuration',
      requestId,
      revision: 1,
      expiresMs: this.#atMs + 20_000,
      settings: [],
    });
    const sequence = this.#told.next++;
    this.#up(sequence, { kind: 'reply', requestId, outcome: 'done', error: '' });
    this.#store(sequence, 'reply', undefined);
  }

  end(): RunRecordings {
    const { vehicles, jobs, calls } = this.#history;
    for (const told of vehicles) {
      // The receipt names all that is stored or buried, and leaves out what is held.
      const held = new Set(told.held.map(({ sequence }) => sequence));
      const ranges: [number, number][] = [];
      for (let at = 1; at < told.next; at += 1) {
        const last = ranges.at(-1);
        if (last?.[1] === at - 1 && !held.has(at)) last[1] = at;
        else if (!held.has(at)) ranges.push([at, at]);
      }
      const contiguous = ranges[0]?.[0] === 1 ? (ranges.shift()?.[1] ?? 0) : 0;
      this.#atMs = told.frames.at(-1)?.atMs ?? this.#atMs;
      told.frames.push(this.#frame('down', 0, { kind: 'receipt', contiguous, ranges }));
    }
    const vehicleIds = vehicles.map(({ vehicle }) => vehicle.vehicleId);
    const tried = { attempts: 1, lastAttemptMs: START_MS + 1_000 };
    const items = vehicleIds.map((id, index) =>
      index === 1
        ? { ...tried, id, status: 'FAILED', reason: 'a later request', problem: 'conflicting-operation' }
        : { ...tried, id, status: 'APPLIED' },
    );
    const counts = { total: items.length, pending: 0, applied: items.length - 1, failed: 1 };
    jobs.push({
      id: 'JOB',
      askedMs: START_MS,
      answeredMs: START_MS + 5,
      createdMs: START_MS,
      expiresMs: START_MS + 12 * 3_600_000,
      features: { tracking: TRACKING },
      counts,
      vehicleIds,
      status: 'COMPLETED',
      items,
    });
    // Refused before anybody looked at the token, good or ended.
    for (const status of [405, 413, 415])
      for (const endsMs of [this.#atMs - 5_000, this.#atMs + 3_600_000])
        calls.push(this.#answer({ method: 'PATCH', path: '/vehicles/VEH01', status, token: { endsMs } }));
    const own = vehicles.filter(({ vehicle }) => vehicle.fleetId === FLEETS['own']);
    const list = { items: own.map(({ vehicle }) => ({ id: vehicle.vehicleId })) };
    calls.push(this.#answer({ path: '/vehicles', body: list }));
    calls.push(this.#answer({ path: '/vehicles/VEH01', as: 'partner', status: 404 }));
    // With its store down the service fails whatever the id.
    const failed = { status: 500, problem: '/problems/internal-server-error' };
    calls.push(this.#answer({ path: '/vehicles/VEH01', as: 'partner', ...failed }));
    calls.push(
      this.#answer({ path: '/configure-vehicle-telematics-unit-bulk/JOB', body: { id: 'JOB', items } }),
    );
    calls.push(this.#answer({ path: '/vehicles', status: 401, token: { endsMs: this.#atMs - 5_000 } }));
    return this.#history;
  }

  #up(sequence: number, message: RecordedFrame['message']): void {
    this.#told.frames.push(this.#frame('up', sequence, message));
  }

  #down(message: RecordedFrame['message']): void {
    this.#told.frames.push(this.#frame('down', 0, message));
  }

  #frame(
    direction: RecordedFrame['direction'],
    sequence: number,
    message: RecordedFrame['message'],
  ): RecordedFrame {
    return { atMs: this.#atMs, direction, epoch: EPOCH, sequence, clockMs: this.#atMs, message };
  }

  #store(sequence: number, kind: string, messageId: string | undefined): void {
    this.#told.records.push({
      key: `${this.#told.vehicle.boxId ?? ''}/${EPOCH}/${sequence}`,
      epoch: EPOCH,
      sequence,
      kind,
      measuredMs: this.#atMs,
      storedMs: this.#atMs + 100,
      messageIds: messageId === undefined ? [] : [messageId],
    });
  }

  #publish(messageId: string, sequence: number): void {
    const { vehicle } = this.#told;
    const queue = `VehicleState_v1-${vehicle.group.fleet}`;
    this.#history.messages
      .get(queue)
      ?.push(stateMessage(vehicle, queue, messageId, this.#atMs + 200, sequence));
  }

  #call(
    method: string,
    below: string,
    askedMs: number,
    status: number,
    rest: { readonly detail?: string },
  ): void {
    const { vehicle } = this.#told;
    const as = vehicle.group.fleet === 'own' ? 'owner' : 'partner';
    const path = `/vehicles/${vehicle.vehicleId}${below}`;
    this.#history.calls.push({ ...this.#answer({ method, path, as, askedMs, status, ...rest }), vehicle });
  }

  #answer(change: Partial<AnsweredCall>): AnsweredCall {
    this.#atMs += 100;
    return {
      call: this.#history.calls.length + 1,
      as: 'owner',
      method: 'GET',
      path: '/vehicles',
      askedMs: this.#atMs - 100,
      answeredMs: this.#atMs,
      status: 200,
      body: {},
      token: { endsMs: this.#atMs + 3_600_000 },
      ...change,
    };
  }
}

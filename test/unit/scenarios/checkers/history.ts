import fc from 'fast-check';
import { translateNamed } from '../../../../backend/vehicles/translate.ts';
import type { CheckScope } from '../../../../scenarios/checkers/check.ts';
import type { Scenario } from '../../../../scenarios/language/scenario.ts';
import type { HeldRecord } from '../../../../scenarios/ledger/facts.ts';
import type {
  Acted,
  AnsweredCall,
  JobFact,
  QueuedMessage,
  SeenFrame,
  StoredFact,
} from '../../../../scenarios/run/evidence.ts';
import type { Unhealed } from '../../../../scenarios/run/heal.ts';
import type { Player } from '../../../../scenarios/run/theatre.ts';
import type { KeptVehicle } from '../../../../simulator/vehicle/vehicle.ts';
import { vehicleOf } from '../../../properties/vehicles.ts';

export const T = 1_767_592_800_000;
const EPOCH = 5;
const MODELS = ['estate', 'petrol-compact', 'electric-hatchback'] as const;
const FLEETS: Readonly<Record<string, string>> = {
  own: 'OWNFLEET',
  partner: 'PARTNER',
  stranger: 'STRANGER',
};

/** What every side would have told of one vehicle. */
export interface Told {
  readonly player: Player;
  frames: SeenFrame[];
  records: StoredFact[];
  held: HeldRecord[];
  next: number;
  acted: Acted[];
  twin: Record<string, { timestamp: string; value: unknown }>;
  /** Parked all the time. */
  readonly car: KeptVehicle;
  /** What it physically is, as long as the run goes. */
  truth: Record<string, unknown>;
}

/** The books of a whole run, to be told as they are or with one of them changed. */
export interface History {
  readonly vehicles: Told[];
  messages: Map<string, QueuedMessage[]>;
  calls: AnsweredCall[];
  jobs: JobFact[];
  levels: { name: string; most: number; bound: number }[];
  unhealed: Unhealed[];
}

const SERIAL = 1_000_000;
/** ULIDs that rise with the number. */
export function ulid(serial: number): string {
  return `01J000000000000000${(SERIAL + serial).toString().padStart(8, '0')}`;
}

const fate = fc.constantFrom('told', 'told', 'told', 'silent', 'held', 'buried', 'resent');
const outcome = fc.constantFrom('done', 'refused', 'silent', 'not-sent');

/** Any run in which nothing goes wrong, whatever was lost and repeated on the way. */
export const rightHistory: fc.Arbitrary<History> = fc
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
  readonly #history: History = {
    vehicles: [],
    messages: new Map(Object.keys(FLEETS).map((fleet) => [`VehicleState_v1-${fleet}`, []])),
    calls: [],
    jobs: [],
    levels: [{ name: 'journal', most: 10, bound: 10 }],
    unhealed: [],
  };
  #serial = 0;
  #atMs = T;

  get #told(): Told {
    return this.#history.vehicles.at(-1) as Told;
  }

  vehicle(number: number): void {
    const fleet = number === 2 ? 'partner' : 'own';
    const player = {
      number,
      group: { fleet } as Player['group'],
      vehicleId: `VEH0${number}`,
      model: MODELS[(number - 1) % MODELS.length] ?? 'estate',
      boxId: `00000000000000b${number}`,
      fleetId: FLEETS[fleet] ?? '',
    };
    const car = vehicleOf(number, { model: player.model, driving: false }, undefined, T);
    const books = { frames: [], records: [], held: [], next: 1, acted: [], twin: {} };
    this.#history.vehicles.push({ player, ...books, car, truth: car.truth() });
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
    const { car, player } = this.#told;
    const csq = sequence % 32;
    const signals = { ...car.sense().signalsAwake, modem: { csq, network: 26201 } };
    const message: SeenFrame['message'] =
      fate === 'silent' ? { kind: 'heartbeat' } : { kind: 'report', cause: 'time', signals };
    this.#up(sequence, message);
    if (fate === 'resent') this.#up(sequence, message);
    const messageId = ulid(this.#serial++);
    this.#store(sequence, message.kind as StoredFact['kind'], messageId);
    this.#publish(messageId, sequence);
    if (fate === 'resent') this.#publish(messageId, sequence);
    if (message.kind !== 'report') return;
    this.#told.truth = { ...this.#told.truth, csq, hasCoverage: true };
    for (const [name, one] of Object.entries(
      translateNamed(player.model, signals, { timestampMs: this.#atMs, maintenance: false }),
    ))
      this.#told.twin[name] = { timestamp: seconds(this.#atMs), value: one?.value };
  }

  /** One command, answered as it ought to be. */
  command(became: 'done' | 'refused' | 'silent' | 'not-sent'): void {
    const requestId = ulid(500_000 + this.#serial++);
    this.#atMs += 1_000;
    const askedMs = this.#atMs;
    const command = 'enable-driving';
    const expiresMs = askedMs + 20_000;
    if (became !== 'not-sent') this.#down({ kind: 'command', requestId, command, expiresMs });
    this.#atMs += 500;
    if (became === 'done' || became === 'silent')
      this.#told.acted.push({ atMs: this.#atMs, requestId, command });
    if (became === 'done' || became === 'refused') {
      const sequence = this.#told.next++;
      const reply = { kind: 'reply', requestId, error: '' } as const;
      this.#up(sequence, { ...reply, outcome: became === 'done' ? 'done' : 'conflicting-state' });
      this.#store(sequence, 'reply', undefined);
    }
    const detail = {
      done: {},
      refused: { detail: 'The vehicle is in a state in which this must not be done.' },
      silent: { detail: 'The vehicle did not answer in time. The command may have been carried out.' },
      'not-sent': { detail: 'The vehicle did not connect; nothing was sent to it.' },
    }[became];
    const status = { done: 200, refused: 409, silent: 504, 'not-sent': 504 }[became];
    this.#call('POST', `/commands/${command}`, askedMs, status, detail);
  }

  configure(): void {
    const requestId = ulid(700_000 + this.#serial++);
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

  end(): History {
    const { vehicles, jobs, calls } = this.#history;
    for (const told of vehicles) {
      // The receipt names all that is stored or buried, and leaves out what is held.
      const held = new Set(told.held.map(({ sequence }) => sequence));
      const ranges: [number, number][] = [];
      for (let at = 1; at < told.next; at += 1) {
        const last = ranges.at(-1);
        if (held.has(at)) continue;
        if (last?.[1] === at - 1) last[1] = at;
        else ranges.push([at, at]);
      }
      const contiguous = ranges[0]?.[0] === 1 ? (ranges.shift()?.[1] ?? 0) : 0;
      told.frames.push(this.#frame('down', 0, { kind: 'receipt', contiguous, ranges }));
    }
    const vehicleIds = vehicles.map(({ player }) => player.vehicleId);
    const items = vehicleIds.map((id, index) =>
      index === 1 ? { id, status: 'FAILED', reason: 'no connection' } : { id, status: 'APPLIED' },
    );
    jobs.push({ id: 'JOB', vehicleIds, status: 'COMPLETED', items });
    // Refused before anybody looked at the token, good or ended.
    for (const status of [405, 413, 415])
      for (const endsMs of [this.#atMs - 5_000, this.#atMs + 3_600_000])
        calls.push(this.#answer({ method: 'PATCH', path: '/vehicles/VEH01', status, token: { endsMs } }));
    const own = vehicles.filter(({ player }) => player.fleetId === FLEETS['own']);
    const list = { items: own.map(({ player }) => ({ id: player.vehicleId })) };
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

  #up(sequence: number, message: SeenFrame['message']): void {
    this.#told.frames.push(this.#frame('up', sequence, message));
  }

  #down(message: SeenFrame['message']): void {
    this.#told.frames.push(this.#frame('down', 0, message));
  }

  #frame(direction: SeenFrame['direction'], sequence: number, message: SeenFrame['message']): SeenFrame {
    return { atMs: this.#atMs, direction, epoch: EPOCH, sequence, clockMs: this.#atMs, message };
  }

  #store(sequence: number, kind: string, messageId: string | undefined): void {
    this.#told.records.push({
      key: `${this.#told.player.boxId ?? ''}/${EPOCH}/${sequence}`,
      epoch: EPOCH,
      sequence,
      kind,
      measuredMs: this.#atMs,
      storedMs: this.#atMs + 100,
      messageIds: messageId === undefined ? [] : [messageId],
    });
  }

  #publish(messageId: string, sequence: number): void {
    const { player } = this.#told;
    const queue = `VehicleState_v1-${player.group.fleet}`;
    this.#history.messages
      .get(queue)
      ?.push(stateMessage(player, queue, messageId, this.#atMs + 200, sequence));
  }

  #call(
    method: string,
    below: string,
    askedMs: number,
    status: number,
    rest: { readonly detail?: string },
  ): void {
    const { player } = this.#told;
    const as = player.group.fleet === 'own' ? 'owner' : 'partner';
    const path = `/vehicles/${player.vehicleId}${below}`;
    this.#history.calls.push({ ...this.#answer({ method, path, as, askedMs, status, ...rest }), player });
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

export function stateMessage(
  { vehicleId, fleetId }: Player,
  queue: string,
  messageId: string,
  atMs: number,
  sequence: number,
): QueuedMessage {
  const metadata = { message_id: messageId, message_type: 'service.VehicleStateReceived' };
  const data = {
    vehicle_id: vehicleId,
    fleet_id: fleetId,
    received_at: seconds(atMs),
    vehicle_state: { sequence },
  };
  return {
    atMs,
    queue,
    messageId,
    vehicleId,
    fleetId,
    name: 'VehicleStateReceived',
    body: { metadata, data },
  };
}

function seconds(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000', '');
}

/** The books as a checker asks for them. */
export function scopeOf(history: History): CheckScope {
  const of = (player: Player): Told => history.vehicles[player.number - 1] as Told;
  return {
    scenario: { clients: [], limits: { healMs: 600_000 } } as unknown as Scenario,
    players: history.vehicles.map(({ player }) => player),
    facts: [],
    unhealed: history.unhealed,
    theatre: {
      world: 'virtual',
      fleetId: (name) => FLEETS[name] ?? '',
      ask: () => Promise.reject(new Error('No checker asks here.')),
      time: {
        nowMs: () => T + 3_600_000,
        alarm: (_atMs, ring) => {
          queueMicrotask(ring);
          return () => undefined;
        },
      },
      look: (player) => ({
        truth: of(player).truth,
        belief: { power: 'up', hangsUntilMs: null, setup: null, workshopMode: false },
        isConnected: true,
        held: 0,
      }),
    },
    evidence: {
      frames: (player) => each(of(player).frames),
      records: (player) => each(of(player).records),
      everStored: (player) => Promise.resolve({ records: of(player).records.length, lost: 0 }),
      journal: (player) => Promise.resolve({ epoch: EPOCH, next: of(player).next, held: of(player).held }),
      whereabouts: () => Promise.resolve({ waiting: new Map(), dropped: new Map() }),
      unbooked: () => ({ frames: 0, calls: 0 }),
      messages: (queue) => each(history.messages.get(queue) ?? []),
      queues: () =>
        Promise.resolve(
          [...history.messages.keys()].map((name) => {
            const [topic = '', fleet = ''] = name.split('-');
            return { name, topic, fleetId: FLEETS[fleet] ?? '' };
          }),
        ),
      acted: (player) => Promise.resolve(of(player).acted),
      calls: () => Promise.resolve(history.calls),
      jobs: () => Promise.resolve(history.jobs),
      twin: (player) =>
        Promise.resolve({
          created_at: '2020-01-01T00:00:00Z',
          maintenance_booked: false,
          setup_status: 'SUCCEEDED',
          latest_vehicle_state: of(player).twin,
        }),
      // The box's clock is right all along, and nobody has been later than the end of the run.
      truths: (player, fromMs) => (fromMs > T + 3_600_000 ? [] : [of(player).truth]),
      clocks: () => [],
      levels: () => Promise.resolve(history.levels),
      pending: () => Promise.resolve([]),
    },
  };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (const item of items) yield [item];
}

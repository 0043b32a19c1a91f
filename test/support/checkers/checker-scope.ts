import { translateNamed } from '../../../backend/vehicles/translation/translate.ts';
import { PROBLEMS } from '../../../contract/problems.ts';
import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import type { CheckScope } from '../../../judge/rules/check.ts';
import { EPOCH, FLEETS, type RunRecordings, START_MS, type VehicleRecording } from './any-recordings.ts';

/** The limit of each client, which no right recording comes near to. */
export const CALLS_PER_MINUTE = 40;
/** A client that may send commands, and nothing else. */
const OPERATOR = { name: 'operator', fleet: 'own', permissions: ['vehicle-commands', 'vehicles.ro'] };

/** The recordings as a checker reads them. */
export function scopeOf(history: RunRecordings): CheckScope {
  let answered: readonly AnsweredCall[] | undefined;
  const calls = () => {
    answered ??= history.calls.map(withProblem);
    return answered;
  };
  const of = (vehicle: SimulatedVehicle): VehicleRecording =>
    history.vehicles[vehicle.number - 1] as VehicleRecording;
  return {
    plan: {
      clients: [OPERATOR],
      backends: 1,
      rateLimit: CALLS_PER_MINUTE,
      sharesTokens: false,
      healMs: 600_000,
    },
    vehicles: history.vehicles.map(({ vehicle }) => vehicle),
    facts: history.facts,
    factsDropped: 0,
    unhealed: history.unhealed,
    testbed: {
      fleetId: (name) => FLEETS[name] ?? '',
      time: {
        nowMs: () => START_MS + 3_600_000,
        alarm: (_atMs, ring) => {
          queueMicrotask(ring);
          return () => undefined;
        },
      },
      snapshotOf: (vehicle) => ({
        truth: of(vehicle).truth,
        belief: {
          power: 'up',
          session: 'ready',
          hangsUntilMs: null,
          setup: null,
          workshopMode: false,
          configuration: of(vehicle).configuration,
        },
        isConnected: true,
        heldRecords: 0,
      }),
    },
    evidence: {
      frames: (vehicle) => each(of(vehicle).frames),
      records: (vehicle) => each(of(vehicle).records),
      everStored: (vehicle) => Promise.resolve({ records: of(vehicle).records.length, lost: 0 }),
      journal: (vehicle) => Promise.resolve({ epoch: EPOCH, next: of(vehicle).next, held: of(vehicle).held }),
      messageFates: () => Promise.resolve({ waiting: new Map(), dropped: new Map() }),
      unrecorded: () => ({ frames: 0, calls: 0 }),
      messages: (queue) => each(history.messages.get(queue) ?? []),
      queues: () =>
        Promise.resolve(
          [...history.messages.keys()].map((name) => {
            const [topic = '', fleet = ''] = name.split('-');
            return { name, topic, fleetId: FLEETS[fleet] ?? '' };
          }),
        ),
      outputActions: (vehicle) => Promise.resolve(of(vehicle).acted),
      calls: () => Promise.resolve(calls()),
      jobs: () => Promise.resolve(history.jobs),
      configuration: (vehicle) => Promise.resolve(of(vehicle).inForce),
      propertiesOf: translateNamed,
      equipment: (vehicle) => of(vehicle).equipment,
      setup: (vehicle) => Promise.resolve(of(vehicle).setup),
      vehicleOfRequest: () => Promise.resolve(undefined),
      troubles: () => history.troubles,
      quarantined: () => Promise.resolve(history.quarantined),
      twin: (vehicle) =>
        Promise.resolve({
          created_at: '2020-01-01T00:00:00Z',
          maintenance_booked: false,
          setup_status: 'SUCCEEDED',
          life_status: { value: of(vehicle).lifeStatus },
          latest_vehicle_state: of(vehicle).twin,
        }),
      // The box's clock is always right, and nothing is later than the end of the run.
      truthsBetween: (vehicle, fromMs) => (fromMs > START_MS + 3_600_000 ? [] : [of(vehicle).truth]),
      clockErrors: () => [{ fromMs: 0, errorMs: 0, latestAheadMs: 0 }],
      boxHistory: (vehicle) => of(vehicle).box,
      partitions: () => history.partitions,
      effects: () => history.effects,
      outcomes: () => history.outcomes,
      notifications: () => history.notifications ?? [],
      levels: () => Promise.resolve(history.levels),
      pending: () => Promise.resolve([]),
    },
  };
}

const PROBLEM_ROWS = Object.values(PROBLEMS);

/** A refusal whose body nobody wrote has the right one. */
function withProblem(call: AnsweredCall): AnsweredCall {
  const { status, body, path } = call;
  const isTold = typeof body === 'object' && body !== null && 'type' in body;
  if (status < 400 || isTold) return call;
  const row =
    PROBLEM_ROWS.find(({ type }) => type === call.problem) ??
    PROBLEM_ROWS.find((one) => one.status === status);
  if (row === undefined) return call;
  const detail = call.detail ?? `${path}: RUNNING, 2.24, the vehicle did not answer.`;
  const { type, title } = row;
  const flow = call.flowId === undefined ? {} : { flow_id: call.flowId };
  return { ...call, body: { type, title, status: row.status, detail, ...flow } };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (const item of items) yield [item];
}

import { SUBSCRIPTIONS_PATH } from '../../../contract/operation.ts';
import { PERMISSIONS, type Permission } from '../../../contract/permissions.ts';
import { CONNECTIVITY_COMMANDS } from '../../../contract/sim-providers.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { JOB_OPERATIONS } from './job-operations.ts';
import { RECORD_OPERATIONS } from './record-operations.ts';
import { type ServiceOperationRow, STANDING, stepAt } from './service-operation.ts';
import { BOX_COMMANDS, MESSAGE_TOPICS, READ_PATHS, VEHICLE_COMMANDS } from './uses.ts';

const READ: DrawnPart = { call: { get: READ_PATHS[0] } };
const STATE: DrawnPart = { call: { command: 'request-vehicle-state' } };
/**
 * How long the system must be well again before a wrong answer is one (judge/rules/limits.ts, calmMs), and a margin.
 */
const CALM_MS = 75_000;
/** How long after a box has gone its broker reports it: one and a half of its keep-alives (MQTT 3.1.1, 3.1.2.10). */
const WILL_MS = 120_000;

/** The areas of the service's promises, each with vehicles of its own. */
export const SERVICE_OPERATIONS = {
  'failing-store': {
    does: 'The store fails while boxes come and go, and works again.',
    draw(context) {
      const { source, on } = context;
      const how = drawnOne<DrawnPart>(source, [{ down: {} }, { full: {} }]);
      const isGone = source.whole(0, 2) === 2;
      const failsMs = isGone ? WILL_MS + source.whole(20_000, 60_000) : source.whole(8_000, 25_000);
      const happening = drawnOne<DrawnPart>(source, [
        { break: { box: { reset: { reason: 'USER' } } } },
        { weather: { cut: {} } },
        { weather: { session_lost: {} } },
        { weather: { take_over: {} } },
      ]);
      const lookMs = failsMs + (isGone ? 3 * CALM_MS : CALM_MS);
      return {
        group: { ...STANDING, count: 2 },
        steps: [
          stepAt(context, 0, { break: { store: how }, for: `${failsMs}ms` }),
          isGone
            ? stepAt(context, 500, { ...on, weather: { coverage: 'none' }, for: `${lookMs + 30_000}ms` })
            : stepAt(context, source.whole(300, 4_000), { ...on, ...happening }),
          stepAt(context, lookMs, { ...on, ...READ }),
          stepAt(context, lookMs + 500, { ...on, ...STATE }),
        ],
      };
    },
  },
  'lost-session': {
    does: 'The service is away while its broker forgets it, and boxes come and go meanwhile.',
    draw(context) {
      const { source, on } = context;
      const isGone = source.whole(0, 1) === 1;
      const awayMs = isGone ? WILL_MS + source.whole(40_000, 60_000) : source.whole(30_000, 60_000);
      const lookMs = awayMs + (isGone ? 3 * CALM_MS : CALM_MS);
      return {
        group: { ...STANDING, count: 2 },
        steps: [
          stepAt(context, 0, { break: { backend: { crash: {} } }, for: `${awayMs}ms` }),
          stepAt(context, 2_000, { break: { broker: { restart: { sessions: 'lost' } } } }),
          ...(isGone
            ? [stepAt(context, 25_000, { ...on, weather: { coverage: 'none' }, for: `${lookMs}ms` })]
            : []),
          stepAt(context, lookMs, { ...on, ...READ }),
          stepAt(context, lookMs + 500, { ...on, ...STATE }),
        ],
      };
    },
  },
  'silent-box': {
    does: 'A box disconnects and stays away, while the service restarts or loses its connection to the broker.',
    draw(context) {
      const { source, on } = context;
      const awayMs = CALM_MS + source.whole(10_000, 60_000);
      const backend = drawnOne<DrawnPart>(source, [{ restart: {} }, { crash: {} }, { cut: {} }]);
      const lasts = 'crash' in backend ? { for: '5s' } : {};
      return {
        group: { ...STANDING, count: 2 },
        steps: [
          stepAt(context, 0, { ...on, weather: { coverage: 'none' }, for: `${awayMs + 400_000}ms` }),
          stepAt(context, awayMs, { break: { backend }, ...lasts }),
          stepAt(context, awayMs + 20_000, { ...on, ...READ }),
          stepAt(context, awayMs + source.whole(100_000, 300_000), { ...on, ...READ }),
        ],
      };
    },
  },
  lapsing: {
    does: 'A charging ends, and a drive battery is taken out; the vehicle is asked for its state before and after.',
    draw(context) {
      const { source, on } = context;
      const isBattery = source.whole(0, 2) === 2;
      const model = isBattery
        ? 'electric-moped'
        : drawnOne(source, ['electric-city-car', 'electric-hatchback', 'plug-in-hybrid']);
      const swap = (port: number, level: number | null): DrawnPart => ({
        'swap-battery': { port, level_in_percent: level },
      });
      const begins = isBattery ? swap(1, source.whole(20, 90)) : { charge: {} };
      const ends = isBattery ? swap(1, null) : { unplug: {} };
      const endMs = source.whole(60_000, 300_000);
      return {
        group: { ...STANDING, model },
        steps: [
          stepAt(context, 0, { ...on, ...begins }),
          stepAt(context, 30_000, { ...on, ...STATE }),
          stepAt(context, endMs, { ...on, ...ends }),
          ...(isBattery ? [stepAt(context, endMs + 1_000, { ...on, ...swap(2, null) })] : []),
          stepAt(context, endMs + 10_000, { ...on, ...STATE }),
          stepAt(context, endMs + 15_000, { ...on, ...READ }),
        ],
      };
    },
  },
  'failing-provider': {
    does: 'A SIM provider fails in one manner or another while its cards are suspended, activated and detached.',
    draw(context) {
      const { source, on } = context;
      const provider = drawnOne(source, ['harbour', 'meridian', 'harbour', 'tundra']);
      const manner = drawnOne(source, ['error', 'error', 'rate-limited', 'silent']);
      const commands =
        provider === 'tundra'
          ? (['network-detach'] as const)
          : (CONNECTIVITY_COMMANDS.slice(1) as readonly string[]);
      const order = (afterMs: number, command: string) =>
        stepAt(context, afterMs, { ...on, call: { command } });
      return {
        group: { ...STANDING, sim: provider, model: 'petrol-compact' },
        steps: [
          ...(source.whole(0, 2) === 2 && provider !== 'tundra' ? [order(0, 'request-sim-suspension')] : []),
          stepAt(context, 20_000, {
            break: { sim_provider: { outage: { provider, manner } } },
            for: '40s',
          }),
          order(20_500, drawnOne(source, commands)),
          stepAt(context, 62_000, { ...on, ...READ }),
          order(140_000, provider === 'tundra' ? 'network-detach' : 'request-sim-activation'),
          stepAt(context, 260_000, { ...on, ...READ }),
        ],
      };
    },
  },
  'deleted-queue': {
    does: 'A queue at the AMQP broker is deleted, and messages of its topic follow.',
    draw(context) {
      const { source, on } = context;
      const topic = source.whole(0, 1) === 0 ? MESSAGE_TOPICS[0] : drawnOne(source, MESSAGE_TOPICS);
      const atMs = source.whole(5_000, 20_000);
      return {
        group: { ...STANDING, features: 'demo' },
        steps: [
          stepAt(context, 0, { ...on, ...STATE }),
          stepAt(context, atMs, { break: { exchange: { 'queue-deleted': { topic } } } }),
          stepAt(context, atMs + source.whole(100, 20_000), { ...on, ...STATE }),
          stepAt(context, atMs + 21_000, {
            ...on,
            call: { patch: { custom_fields: { depot: `mark-${source.whole(1, 9)}` } } },
          }),
          stepAt(context, atMs + 40_000, { ...on, ...STATE }),
        ],
      };
    },
  },
  'dated-events': {
    does: 'A moving or parked vehicle has an incident that features detect and report with its time.',
    draw(context) {
      const { source, on } = context;
      const isDriving = source.whole(0, 1) === 1;
      const blow = {
        acceleration_in_mg: source.whole(3_000, 12_000),
        duration_ms: source.whole(35, 120),
        direction: drawnOne(source, ['front', 'rear', 'left', 'right']),
      };
      const happens = (): DrawnPart =>
        isDriving
          ? drawnOne<DrawnPart>(source, [
              { crash: blow },
              { brake: { acceleration_in_mg: source.whole(500, 750) } },
              { corner: { acceleration_in_mg: source.whole(500, 750) } },
            ])
          : drawnOne<DrawnPart>(source, [
              { shock: blow },
              { bump: { strength_in_mg: source.whole(1_000, 3_000), side: 'left' } },
              { tow: { distance_m: source.whole(200, 900), lifted: source.whole(0, 1) === 1 } },
              { smoke: { concentration_in_micrograms_per_cubic_meter: 900, duration_s: 60 } },
            ]);
      return {
        group: {
          count: 1,
          driving: isDriving,
          generation: 2,
          hardware_revision: 5,
          features: { 'driving-events': {}, 'parking-events': {} },
        },
        steps: [
          stepAt(context, 0, {
            ...on,
            call: { configure: { 'smoke-detection': {}, 'damage-detection': {} } },
          }),
          ...[0, 90_000, 180_000].map((afterMs) =>
            stepAt(context, 40_000 + afterMs + source.whole(0, 10_000), { ...on, ...happens() }),
          ),
        ],
      };
    },
  },
  'withdrawn-client': {
    does: 'A client goes on calling, every few seconds, while it is deleted or loses a permission, and after it is back.',
    draw(context) {
      const { source, on } = context;
      const client = context.nameOf('leaver');
      const use = drawnOne(source, USES);
      const goneMs = source.whole(3_000, 20_000);
      const lastsMs = source.whole(10_000, 30_000);
      const gone: DrawnPart =
        source.whole(0, 1) === 0
          ? { 'client-deleted': { client } }
          : { 'permissions-taken': { client, permissions: [use.permission] } };
      const everyMs = source.whole(1_000, 4_500);
      const count = Math.min(14, Math.ceil((goneMs + lastsMs + 10_000) / everyMs));
      return {
        group: STANDING,
        clients: [{ name: client, permissions: [use.permission] }],
        steps: [
          stepAt(context, goneMs, { break: { access: gone }, for: `${lastsMs}ms` }),
          ...Array.from({ length: count }, (_, index) =>
            stepAt(context, index * everyMs, { ...on, call: { ...use.call, as: client } }),
          ),
        ],
      };
    },
  },
  'narrow-clients': {
    does: 'Clients that have one permission each ask for what needs it, and for what needs another one.',
    draw(context) {
      const { source, on } = context;
      const clients = PERMISSIONS.map(({ name: permission }) => ({
        name: context.nameOf(permission.replace('.', '-')),
        permissions: [permission],
      }));
      return {
        group: { ...STANDING, sim: drawnOne(source, ['meridian', 'harbour', 'tundra']) },
        clients,
        steps: Array.from({ length: 12 }, (_, index) => {
          const { name } = drawnOne(source, clients);
          const { call } = drawnOne(source, USES);
          return stepAt(context, index * 4_000, { ...on, call: { ...call, as: name } });
        }),
      };
    },
  },
  lists: {
    does: 'Vehicles are changed, listed by what they are, and listed page by page.',
    draw(context) {
      const { source, on } = context;
      const tag = context.nameOf('tag');
      const page = context.nameOf('page');
      return {
        group: { ...STANDING, count: 3 },
        steps: [
          stepAt(context, 0, { on: { ...on.on, box: source.whole(1, 3) }, call: { patch: { tags: [tag] } } }),
          stepAt(context, 500, {
            on: { ...on.on, box: source.whole(1, 3) },
            call: { patch: { operation_status: { value: 'GARAGE' } } },
          }),
          ...[`tag=${tag}`, 'operation_status=GARAGE', 'life_status=ONLINE', 'life_status=STANDBY'].map(
            (filter, index) =>
              stepAt(context, 5_000 + index, { call: { get: `/vehicles?limit=100&${filter}` } }),
          ),
          stepAt(context, 6_000, {
            call: {
              get: `/vehicles?limit=${source.whole(1, 3)}`,
              remember: { [page]: 'body.next_page_token' },
            },
          }),
          stepAt(context, 7_000, { call: { get: `/vehicles?limit=100&page_token={${page}}` } }),
        ],
      };
    },
  },
  'guarded-changes': {
    does: 'Two clients change the same vehicle, each by what it read; the later one by something that is not so any more.',
    draw(context) {
      const { source, on } = context;
      const tag = context.nameOf('etag');
      const change = (value: string, ifMatch: boolean): DrawnPart => ({
        ...on,
        call: {
          request: {
            method: 'PATCH',
            path: '/vehicles/{vehicle}',
            body: { custom_fields: { depot: value } },
            ...(ifMatch ? { headers: { 'if-match': `{${tag}}` } } : {}),
          },
        },
      });
      const read: DrawnPart = { ...on, call: { get: READ_PATHS[0], remember: { [tag]: 'headers.etag' } } };
      const isChanged = source.whole(0, 2) > 0;
      return {
        group: STANDING,
        steps: [
          stepAt(context, 0, read),
          ...(isChanged ? [stepAt(context, source.whole(1, 3_000), change('north', false))] : []),
          stepAt(context, 4_000, change('south', true)),
          stepAt(context, 5_000, { ...on, ...READ }),
        ],
      };
    },
  },
  ...JOB_OPERATIONS,
  ...RECORD_OPERATIONS,
} as const satisfies Readonly<Record<string, ServiceOperationRow>>;

export type ServiceOperationName = keyof typeof SERVICE_OPERATIONS;

export const SERVICE_OPERATION_NAMES = Object.keys(SERVICE_OPERATIONS) as ServiceOperationName[];

/** The requests of a client, with the permission that each needs (docs/api.md, What a token may do). */
const USES: readonly { readonly permission: Permission; readonly call: DrawnPart }[] = [
  { permission: 'vehicles.ro', call: { get: READ_PATHS[0] } },
  { permission: 'vehicles.ro', call: { get: READ_PATHS[1] } },
  { permission: 'vehicles', call: { patch: { custom_fields: { depot: 'east' } } } },
  { permission: 'vehicle-commands', call: { command: VEHICLE_COMMANDS[0] ?? '' } },
  { permission: 'vehicle-commands', call: { command: BOX_COMMANDS[0] ?? '' } },
  ...CONNECTIVITY_COMMANDS.slice(0, 2).map((command) => ({
    permission: 'connectivity-commands' as const,
    call: { command },
  })),
  { permission: 'vehicle-configuration', call: { configure: { 'parking-events': {} } } },
  { permission: 'vehicle-configuration', call: { deactivate: 'parking-events' } },
  { permission: 'vehicle-configuration.ro', call: { get: READ_PATHS[2] } },
  { permission: 'message-subscriptions', call: { get: SUBSCRIPTIONS_PATH } },
];

import { BULK_PATH } from '../../../contract/operation.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { type ServiceOperationRow, STANDING, stepAt } from './service-operation.ts';
import { BOX_COMMANDS, RESETS, VEHICLE_COMMANDS } from './uses.ts';

/** In a bulk job these always have others with them: each of them alone overtakes. */
const FEATURES: readonly ((seconds: number) => DrawnPart)[] = [
  (seconds) => ({ tracking: { time_interval_in_seconds: seconds } }),
  (seconds) => ({ 'driving-events': { crash_detection: { data_gathering_duration_in_seconds: seconds } } }),
  (seconds) => ({ 'auto-immobilizer-control': { delay_in_seconds: seconds } }),
  () => ({ 'parking-events': {} }),
  (seconds) => ({ 'box-settings': { standby_report_interval_in_seconds: 60 * seconds } }),
];
/** At the job of this name. */
const look = (kept: string): DrawnPart => ({ call: { get: `${BULK_PATH}/{${kept}}` } });
const NO_COVERAGE: DrawnPart = { weather: { coverage: 'none' } };

/** The promises about bulk jobs and configurations that take time. */
export const JOB_OPERATIONS = {
  'overtaken-jobs': {
    does: 'Jobs and single configurations with some features in common are ordered for a box that is away, and it comes back.',
    draw(context) {
      const { source, on } = context;
      const awayMs = source.whole(60_000, 600_000);
      const draw = (count: number): DrawnPart => {
        const from = source.whole(0, FEATURES.length - 1);
        const chosen = Array.from(
          { length: count },
          (_, index) => FEATURES[(from + index) % FEATURES.length],
        );
        return Object.assign({}, ...chosen.map((one) => one?.(source.whole(10, 60))));
      };
      const [older, newer] = [context.nameOf('older'), context.nameOf('newer')];
      const job = (features: DrawnPart, kept: string): DrawnPart => ({
        ...on,
        call: { bulk: features, remember: { [kept]: 'body.id' } },
      });
      const first = draw(source.whole(2, 3));
      const one = drawnOne(source, Object.keys(first));
      const common = { [one]: FEATURES.map((make) => make(source.whole(10, 60))[one]).find(Boolean) };
      const secondMs = source.whole(15_000, awayMs - 40_000);
      const second = source.whole(0, 2) === 0 ? draw(source.whole(1, 2)) : common;
      return {
        group: { ...STANDING, count: source.whole(1, 2) },
        steps: [
          stepAt(context, 0, { ...on, ...NO_COVERAGE, for: `${awayMs}ms` }),
          stepAt(context, 5_000, job(first, older)),
          stepAt(context, secondMs, job(second, newer)),
          ...[older, newer].map((kept) => stepAt(context, secondMs + 35_000, look(kept))),
          ...(source.whole(0, 2) === 2
            ? [stepAt(context, awayMs + 45_000, { ...on, call: { configure: common } })]
            : []),
          ...[older, newer].map((kept) => stepAt(context, awayMs + 140_000, look(kept))),
        ],
      };
    },
  },
  'busy-job': {
    does: 'A job is ordered for a box that carries out another command at that moment, or is away for a reset.',
    draw(context) {
      const { source, on } = context;
      const isReset = source.whole(0, 2) === 2;
      const kept = context.nameOf('job');
      const command = isReset
        ? drawnOne(source, RESETS)
        : drawnOne(source, [...VEHICLE_COMMANDS, 'request-system-status']);
      return {
        group: { ...STANDING, model: drawnOne(source, ['petrol-compact', 'electric-hatchback']) },
        steps: [
          ...(isReset
            ? []
            : [
                stepAt(context, 0, {
                  ...on,
                  weather: { delay: { message: 'command-reply', by: `${source.whole(4, 15)}s`, count: 1 } },
                  for: '5s',
                }),
              ]),
          stepAt(context, 500, { ...on, call: { command } }),
          stepAt(context, 1_000 + source.whole(0, 2_500), {
            ...on,
            call: {
              bulk: FEATURES[source.whole(0, 1)]?.(source.whole(10, 60)) ?? {},
              remember: { [kept]: 'body.id' },
            },
          }),
          stepAt(context, 20_000, look(kept)),
          stepAt(context, 120_000, look(kept)),
        ],
      };
    },
  },
  'refused-beside-job': {
    does: 'A job waits for a box that is away, and a configuration of the same feature is refused meanwhile.',
    draw(context) {
      const { source, on } = context;
      const kept = context.nameOf('job');
      const seconds = source.whole(10, 60);
      const features = FEATURES[source.whole(0, FEATURES.length - 1)]?.(seconds) ?? {};
      const awayMs = source.whole(100_000, 200_000);
      const put: DrawnPart = { ...on, call: { configure: features } };
      const [away, ...refused] = drawnOne<readonly [DrawnPart, ...ReturnType<typeof stepAt>[]]>(source, [
        // Its absence is not known yet, so another command is open until the timeout of its reply.
        [
          { weather: { stall: {} } },
          stepAt(context, 27_000, { ...on, call: { command: 'request-vehicle-state' } }),
          stepAt(context, 27_000 + source.whole(500, 15_000), put),
        ],
        // The body is malformed.
        [
          NO_COVERAGE,
          stepAt(context, 50_000, {
            ...on,
            call: {
              request: {
                method: 'PUT',
                path: '/vehicles/{vehicle}/telematics-unit/feature-configuration/tracking',
                body: { time_interval_in_seconds: 0 },
              },
            },
          }),
        ],
        // The client has no permission.
        [NO_COVERAGE, stepAt(context, 50_000, { ...on, call: { configure: features, as: 'partner' } })],
      ]);
      return {
        group: STANDING,
        steps: [
          stepAt(context, 0, { ...on, ...away, for: `${awayMs}ms` }),
          stepAt(context, 5_000, { ...on, call: { bulk: features, remember: { [kept]: 'body.id' } } }),
          ...refused,
          stepAt(context, 85_000, look(kept)),
          stepAt(context, awayMs + 140_000, look(kept)),
        ],
      };
    },
  },
  calibration: {
    does: 'Damage detection is put again and again, while it calibrates and after, and is read.',
    draw(context) {
      const { source, on } = context;
      const put = (sensitivity: string): DrawnPart => ({
        ...on,
        call: { configure: { 'damage-detection': { sensitivity } } },
      });
      const read: DrawnPart = {
        ...on,
        call: { get: '/vehicles/{vehicle}/telematics-unit/feature-configuration/damage-detection' },
      };
      const other: DrawnPart = { ...on, call: { configure: { tracking: {} } } };
      const againMs = 45_000 + source.whole(0, 40_000);
      return {
        group: { ...STANDING, generation: 2 },
        steps: [
          stepAt(context, 0, put('HIGH')),
          stepAt(context, source.whole(1_500, 25_000), read),
          stepAt(context, source.whole(1_500, 25_000), source.whole(0, 1) === 0 ? put('LOW') : other),
          stepAt(context, againMs - 3_000, read),
          stepAt(context, againMs, put(drawnOne(source, ['LOW', 'MEDIUM', 'HIGH']))),
          stepAt(context, againMs + source.whole(1_500, 25_000), read),
          stepAt(context, againMs + source.whole(1_500, 25_000), put('MEDIUM')),
          stepAt(context, againMs + 45_000, read),
          ...(source.whole(0, 1) === 1
            ? [stepAt(context, againMs + 50_000, { ...on, call: { deactivate: 'damage-detection' } })]
            : []),
          stepAt(context, againMs + 60_000, read),
        ],
      };
    },
  },
  'configuration-forms': {
    does: 'Configurations at the ends of their ranges and beyond them are put, read and deleted.',
    draw(context) {
      const { source, on } = context;
      const steps = Array.from({ length: source.whole(4, 8) }, (_, index) => {
        const { feature, bodies } = drawnOne(source, FORMS);
        const path = `/vehicles/{vehicle}/telematics-unit/${feature}`;
        const body = drawnOne(source, bodies);
        const put: DrawnPart = { ...on, call: { request: { method: 'PUT', path, body } } };
        const read: DrawnPart = { ...on, call: { get: path } };
        const isDeleted = source.whole(0, 4) === 4;
        return [
          stepAt(context, index * 8_000, put),
          ...(isDeleted
            ? [
                stepAt(context, index * 8_000 + 3_000, {
                  ...on,
                  call: { request: { method: 'DELETE', path } },
                }),
              ]
            : []),
          stepAt(context, index * 8_000 + 6_000, read),
        ];
      });
      return { group: STANDING, steps: steps.flat() };
    },
  },
} as const satisfies Readonly<Record<string, ServiceOperationRow>>;

const F = 'feature-configuration';
/** Bodies of each path: nothing, the ends of each range, values outside it, and a malformed one. */
const FORMS: readonly { readonly feature: string; readonly bodies: readonly DrawnPart[] }[] = [
  {
    feature: `${F}/tracking`,
    bodies: [
      {},
      ...ends('time_interval_in_seconds', 1, 3_600),
      ...ends('distance_interval_in_meters', 10, 100_000),
      ...ends('heading_change_threshold_in_degrees', 1, 180),
      { time_interval_in_seconds: 2.5 },
      { time_interval_in_seconds: '10' },
      { interval_in_seconds: 10 },
    ],
  },
  {
    feature: `${F}/driving-events`,
    bodies: [
      {},
      ...inside('crash_detection', ends('minimum_acceleration_in_mg', 100, 16_000)),
      ...inside('crash_detection', ends('minimum_duration_in_milliseconds', 1, 1_000)),
      ...inside('crash_detection', ends('data_gathering_duration_in_seconds', 1, 60)),
      ...inside('heavy_braking_detection', ends('minimum_longitudinal_acceleration_in_mg', 50, 2_000)),
      ...inside('harsh_cornering_detection', ends('minimum_lateral_acceleration_in_mg', 50, 2_000)),
    ],
  },
  { feature: `${F}/parking-events`, bodies: [{}, { enabled: false }, { enabled: true }, { enabled: 1 }] },
  {
    feature: `${F}/smoke-detection`,
    bodies: [
      {},
      ...ends('minimum_particle_concentration_in_micrograms_per_cubic_meter', 10, 5_000),
      ...ends('minimum_duration_in_seconds', 1, 600),
    ],
  },
  { feature: `${F}/auto-immobilizer-control`, bodies: [{}, ...ends('delay_in_seconds', 0, 3_600)] },
  {
    feature: 'box-settings',
    bodies: [
      {},
      ...ends('standby_report_interval_in_seconds', 60, 86_400),
      { ble_enabled: false },
      { obd_alarm: { enabled: true } },
      { obd_alarm: { enabled: false }, ble_enabled: true },
      { obd_alarm: {} },
    ],
  },
];

function ends(name: string, least: number, most: number): readonly DrawnPart[] {
  return [least, most, least - 1, most + 1].map((value) => ({ [name]: value }));
}

function inside(name: string, bodies: readonly DrawnPart[]): readonly DrawnPart[] {
  return bodies.map((body) => ({ [name]: body }));
}

/**
 * The work of a day of its own: a job for a box that stays away until its end, half a day later, with a query just
 * after it, and one for a box that returns in the last minutes.
 */
export const HALF_DAY: ServiceOperationRow = {
  does: 'A job is ordered for a box that is away until the job ends.',
  draw(context) {
    const { source, on } = context;
    const awayMs = HALF_DAY_MS + 1_200_000;
    const command = { ...on, call: { command: drawnOne(source, [...BOX_COMMANDS, ...VEHICLE_COMMANDS]) } };
    const kept = context.nameOf('job');
    const features = FEATURES[source.whole(0, 3)]?.(30) ?? {};
    return {
      group: STANDING,
      steps: [
        stepAt(context, 0, { ...on, ...NO_COVERAGE, for: `${awayMs}ms` }),
        stepAt(context, 30_000, { ...on, call: { bulk: features, remember: { [kept]: 'body.id' } } }),
        stepAt(context, source.whole(60_000, HALF_DAY_MS), look(kept)),
        stepAt(context, 30_000 + HALF_DAY_MS - 60_000, look(kept)),
        stepAt(context, 30_000 + HALF_DAY_MS + 75_000, look(kept)),
        stepAt(context, awayMs + 60_000, command),
        stepAt(context, awayMs + 120_000, look(kept)),
      ],
    };
  },
};

const HALF_DAY_MS = 12 * 3_600_000;

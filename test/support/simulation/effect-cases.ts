import type { BreakKey } from '../../../scenarios/language/steps/breaks.ts';
import type { ActName } from '../../../scenarios/language/steps/vehicle-acts.ts';
import type { WeatherName } from '../../../scenarios/language/steps/weather.ts';

/** A scenario for a word of weather or a break: the step with the word has the label `it`. */
interface EffectCase {
  readonly fleet?: string;
  readonly backends?: number;
  readonly steps: readonly string[];
}

/** One in which the word has an effect, and one in which it has none; absent: it always has one. */
interface EffectCases {
  readonly effect: EffectCase;
  readonly misses?: EffectCase;
}

const DRIVING = '{ model: petrol-compact, firmware: "2.31", sim: meridian, driving: true }';
const QUIET = '{ model: petrol-compact, firmware: "2.31", sim: meridian, driving: false, features: none }';
/** Two backends, which have something to tell each other. */
const SEVERAL = { backends: 2 };

/** What happens at once has no `for`. */
const step = (what: string, long?: string) =>
  `{ at: 30s, label: it, ${what}${long === undefined ? '' : `, for: ${long}`} }`;
const OFF = '{ at: 29800ms, break: { box: watchdog } }';
const SERVICE_DOWN = '{ at: 29s, break: { backend: crash }, for: 1m }';
const COMMAND = '{ at: 31s, call: { command: request-vehicle-state } }';

/** In a minute of a drive something happens; in a millisecond of rest nothing does. */
const minuteOrMoment = (what: string): EffectCases => ({
  effect: { fleet: DRIVING, steps: [step(what, '1m')] },
  misses: { fleet: QUIET, steps: [step(what, '1ms')] },
});

/** Of two backends one carries a command to a box, and the other one waits for it. */
const commandsOrMoment = (what: string): EffectCases => ({
  effect: { ...SEVERAL, fleet: DRIVING, steps: [step(what, '1m'), COMMAND, COMMAND.replace('31s', '35s')] },
  misses: { ...SEVERAL, fleet: QUIET, steps: [step(what, '1ms')] },
});

export const WEATHER_CASES: Readonly<Record<WeatherName, EffectCases>> = {
  coverage: {
    effect: { steps: [step('weather: { coverage: none }', '1m')] },
    misses: { steps: [OFF, step('weather: { coverage: none }', '10ms')] },
  },
  signal: minuteOrMoment('weather: { signal: 9 }'),
  cut: {
    effect: { steps: [step('weather: cut')] },
    misses: { steps: [OFF, step('weather: cut')] },
  },
  half_open: minuteOrMoment('weather: half_open'),
  stall: minuteOrMoment('weather: stall'),
  latency: minuteOrMoment('weather: { latency: { base: 300ms } }'),
  bandwidth: minuteOrMoment('weather: { bandwidth: { up: 9600bit/s } }'),
  cell: minuteOrMoment('weather: { cell: { up: 9600bit/s } }'),
  reset_peer: {
    effect: { steps: [step('weather: { reset_peer: { after: 1s } }', '1m')] },
    misses: { steps: [step('weather: { reset_peer: { after: 20m } }', '30s')] },
  },
  slow_close: {
    effect: {
      steps: [step('weather: { slow_close: { delay: 5s } }', '1m'), '{ at: 40s, break: { box: watchdog } }'],
    },
    misses: { steps: [step('weather: { slow_close: { delay: 5s } }', '30s')] },
  },
  limit_data: {
    effect: { fleet: DRIVING, steps: [step('weather: { limit_data: { after: 500B } }', '1m')] },
    misses: { fleet: DRIVING, steps: [step('weather: { limit_data: { after: 20MB } }', '1m')] },
  },
  session_lost: {
    effect: { steps: [step('weather: session_lost')] },
    misses: { steps: [OFF, step('weather: session_lost')] },
  },
  take_over: {
    effect: { steps: [step('weather: take_over')] },
    misses: { steps: [OFF, step('weather: take_over')] },
  },
  roaming: { effect: { steps: [step('weather: roaming', '1m')] } },
  sim: {
    effect: { steps: [step('weather: { sim: suspended }', '1m')] },
    misses: { steps: [step('weather: { sim: active }', '1m')] },
  },
  trace: minuteOrMoment('weather: { trace: { link: train } }'),
  lose: minuteOrMoment('weather: { lose: { message: record } }'),
  delay: minuteOrMoment('weather: { delay: { message: receipt, by: 1s } }'),
  double: minuteOrMoment('weather: { double: { message: amqp-publish } }'),
  reorder: {
    effect: {
      fleet: DRIVING,
      steps: [step('weather: { reorder: { message: record, count: 3, within: 50s } }', '3m')],
    },
    misses: { fleet: QUIET, steps: [step('weather: { reorder: { message: record } }', '1ms')] },
  },
};

export const BREAK_CASES: Readonly<Record<BreakKey, EffectCases>> = {
  'box brown-out': { effect: { steps: [step('break: { box: brown-out }')] } },
  'box watchdog': {
    effect: { steps: [step('break: { box: watchdog }')] },
    misses: { steps: [OFF, step('break: { box: watchdog }')] },
  },
  'box reset': {
    effect: { steps: [step('break: { box: { reset: { reason: USER } } }')] },
    misses: { steps: [OFF, step('break: { box: { reset: { reason: USER } } }')] },
  },
  'box power-loss': {
    effect: { steps: [step('break: { box: power-loss }', '1m')] },
    misses: { steps: [OFF, step('break: { box: power-loss }', '1ms')] },
  },
  'box flash-full': minuteOrMoment('break: { box: flash-full }'),
  'box torn-write': minuteOrMoment('break: { box: torn-write }'),
  'box lost-write': minuteOrMoment('break: { box: lost-write }'),
  'box flash-slow': minuteOrMoment('break: { box: { flash-slow: { by: 500ms } } }'),
  'box clock-jump': {
    effect: { steps: [step('break: { box: { clock-jump: { by: "-2h" } } }')] },
    misses: { steps: [step('break: { box: { clock-jump: { by: 0s } } }')] },
  },
  'box clock-drift': {
    effect: { steps: [step('break: { box: { clock-drift: { ppm: 500 } } }', '1m')] },
    misses: { steps: [step('break: { box: { clock-drift: { ppm: 0 } } }', '1m')] },
  },
  'box gnss-lost': {
    effect: { steps: [step('break: { box: gnss-lost }', '1m')] },
    misses: { steps: [OFF, step('break: { box: gnss-lost }', '1ms')] },
  },
  'box wipe': { effect: { steps: [step('break: { box: wipe }')] } },
  'box hang': {
    effect: { fleet: QUIET, steps: [step('break: { box: hang }', '20s'), COMMAND] },
    misses: { fleet: QUIET, steps: [step('break: { box: hang }', '100ms')] },
  },
  'box error': {
    effect: {
      fleet: QUIET,
      steps: [step('break: { box: { error: { text: hot, once: false } } }', '20s'), COMMAND],
    },
    misses: { fleet: DRIVING, steps: [step('break: { box: { error: { text: hot } } }', '20s')] },
  },
  'box card': {
    effect: { steps: [step('break: { box: { card: { provider: harbour } } }', '1m')] },
    misses: { steps: [step('break: { box: { card: { provider: meridian } } }', '1m')] },
  },
  'box installation': minuteOrMoment('break: { box: { installation: { obstacle: no-gnss } } }'),
  'broker restart': {
    effect: { steps: [step('break: { broker: restart }', '1ms')] },
    misses: { steps: [SERVICE_DOWN, OFF, step('break: { broker: restart }', '1ms')] },
  },
  'broker no-majority': minuteOrMoment('break: { broker: no-majority }'),
  'exchange down': {
    effect: { steps: [step('break: { exchange: down }', '1ms')] },
    misses: { steps: [SERVICE_DOWN, step('break: { exchange: down }', '1s')] },
  },
  'exchange nack': minuteOrMoment('break: { exchange: nack }'),
  'exchange blocked': minuteOrMoment('break: { exchange: blocked }'),
  'exchange queue-deleted': {
    effect: { steps: [step('break: { exchange: { queue-deleted: { topic: DamageDetected_v1 } } }')] },
    misses: {
      steps: [
        '{ at: 29999ms, break: { exchange: { queue-deleted: { topic: DamageDetected_v1 } } } }',
        step('break: { exchange: { queue-deleted: { topic: DamageDetected_v1 } } }'),
      ],
    },
  },
  'backend crash': {
    effect: { steps: [step('break: { backend: crash }', '20s')] },
    misses: { fleet: QUIET, steps: [step('break: { backend: { crash: { point: before-mark } } }', '1ms')] },
  },
  'backend restart': {
    effect: { steps: [step('break: { backend: restart }')] },
    misses: { steps: [SERVICE_DOWN, step('break: { backend: restart }')] },
  },
  'backend pause': {
    effect: {
      ...SEVERAL,
      fleet: DRIVING,
      steps: [step('break: { backend: { pause: { which: 2 } } }', '5s')],
    },
    misses: { ...SEVERAL, steps: [SERVICE_DOWN, step('break: { backend: { pause: { which: 2 } } }', '5s')] },
  },
  'backend cut_off': {
    effect: { ...SEVERAL, steps: [step('break: { backend: { cut_off: { from: amqp, which: 2 } } }', '5s')] },
    misses: {
      ...SEVERAL,
      steps: [SERVICE_DOWN, step('break: { backend: { cut_off: { from: amqp, which: 2 } } }', '5s')],
    },
  },
  'backend wake_ups_lost': commandsOrMoment('break: { backend: wake_ups_lost }'),
  'backend wake_ups_late': commandsOrMoment('break: { backend: { wake_ups_late: { by: 4s } } }'),
  'backend cut': {
    effect: { steps: [step('break: { backend: cut }')] },
    misses: { steps: [SERVICE_DOWN, step('break: { backend: cut }')] },
  },
  'backend half_open': minuteOrMoment('break: { backend: half_open }'),
  'backend stall': minuteOrMoment('break: { backend: stall }'),
  'store full': minuteOrMoment('break: { store: full }'),
  'store slow': minuteOrMoment('break: { store: { slow: { by: 200ms } } }'),
  'store commit-unknown': minuteOrMoment('break: { store: commit-unknown }'),
  'store down': minuteOrMoment('break: { store: down }'),
  'sim_provider outage': {
    effect: {
      steps: [
        step('break: { sim_provider: { outage: { provider: meridian } } }', '20s'),
        '{ at: 31s, call: { command: request-sim-activation } }',
      ],
    },
    misses: {
      steps: [
        step('break: { sim_provider: { outage: { provider: harbour } } }', '20s'),
        '{ at: 31s, call: { command: request-sim-activation } }',
      ],
    },
  },
  'maker outage': {
    effect: {
      fleet: '{ maker: northwind, driving: true }',
      steps: [step('break: { maker: { outage: { manner: silence } } }', '1m')],
    },
    misses: { steps: [step('break: { maker: { outage: { manner: silence } } }', '1m')] },
  },
  'access client-deleted': {
    effect: {
      steps: [
        step('break: { access: { client-deleted: { client: partner } } }', '20s'),
        '{ at: 31s, call: { get: /vehicles, as: partner } }',
      ],
    },
    misses: { steps: [step('break: { access: { client-deleted: { client: partner } } }', '20s')] },
  },
  'access permissions-taken': {
    effect: {
      steps: [
        step(
          'break: { access: { permissions-taken: { client: partner, permissions: [vehicle-commands] } } }',
          '20s',
        ),
        '{ at: 31s, call: { get: /vehicles, as: partner } }',
      ],
    },
    misses: {
      steps: [
        step(
          'break: { access: { permissions-taken: { client: partner, permissions: [vehicle-commands] } } }',
          '20s',
        ),
      ],
    },
  },
};

/** Of each act that the truth tells of: done twice to a parked vehicle of this model, the second time is for nothing. */
export const ACT_CASES: Readonly<
  Partial<Record<ActName, { readonly model?: string; readonly steps: readonly string[] }>>
> = {
  park: { steps: ['park: {}'] },
  open: { model: 'convertible', steps: ['open: windows'] },
  close: { model: 'convertible', steps: ['open: windows', 'close: windows'] },
  charge: { model: 'electric-hatchback', steps: ['unplug: {}', 'charge: {}'] },
  unplug: { model: 'electric-hatchback', steps: ['charge: {}', 'unplug: {}'] },
  ignition: { steps: ['ignition: { on: true }'] },
  'center-stand': { model: 'scooter', steps: ['center-stand: { extended: false }'] },
  'shut-battery-compartment': { model: 'electric-moped', steps: ['shut-battery-compartment: {}'] },
  mechanics: { steps: ['mechanics: { immobilizer: failing }'] },
  supply: { steps: ['supply: { state: low }'] },
  refuel: { steps: ['refuel: { to_percent: 100 }'] },
  key: { model: 'convertible', steps: ['key: { present: false }'] },
  'driving-aids': { model: 'convertible', steps: ['driving-aids: { what: esp, enabled: false }'] },
  'trouble-code': { steps: ['trouble-code: { code: P0301, active: true }'] },
  sensor: { steps: ['sensor: { quantity: speedKph, state: failed }'] },
  belts: { model: 'convertible', steps: ['belts: { seat: front_left, fastened: false }'] },
  cards: { model: 'diesel-van', steps: ['cards: { slot: 1, state: PRESENT }'] },
  gear: { model: 'convertible', steps: ['gear: { position: NEUTRAL }'] },
  wear: { model: 'convertible', steps: ['wear: { what: tire_front_left, to: 60 }'] },
  due: { steps: ['due: { what: service, in_km: 800, in_days: 30 }'] },
  workshop: { steps: ['workshop: {}'] },
  firmware: { steps: ['firmware: { version: "2.31" }'] },
  'lock-motor': { model: 'maker', steps: ['lock-motor: { works: false }'] },
};

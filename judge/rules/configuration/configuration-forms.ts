import type { FeatureName } from '../../../contract/features.ts';

/** What a parameter may be: a whole number of a range, a boolean, or one of some words. */
type ParameterForm =
  | { readonly least: number; readonly most: number; readonly standard: number }
  | { readonly standard: boolean }
  | { readonly words: readonly string[]; readonly standard: string };

/** Parameters, and groups of them. */
type Form = { readonly [name: string]: ParameterForm | { readonly group: Form } };

function range(least: number, most: number, standard: number): ParameterForm {
  return { least, most, standard };
}

/**
 * The parameters of each feature, with their ranges and defaults (docs/api.md, Feature configuration), restated here
 * independently of the service.
 */
const FORMS: Readonly<Record<FeatureName, Form>> = {
  tracking: {
    time_interval_in_seconds: range(1, 3_600, 60),
    distance_interval_in_meters: range(10, 100_000, 1_000),
    heading_change_threshold_in_degrees: range(1, 180, 60),
  },
  'driving-events': {
    crash_detection: {
      group: {
        minimum_acceleration_in_mg: range(100, 16_000, 2_500),
        minimum_duration_in_milliseconds: range(1, 1_000, 30),
        data_gathering_duration_in_seconds: range(1, 60, 10),
      },
    },
    heavy_braking_detection: { group: { minimum_longitudinal_acceleration_in_mg: range(50, 2_000, 450) } },
    harsh_cornering_detection: { group: { minimum_lateral_acceleration_in_mg: range(50, 2_000, 450) } },
  },
  'parking-events': { enabled: { standard: true } },
  'damage-detection': { sensitivity: { words: ['LOW', 'MEDIUM', 'HIGH'], standard: 'MEDIUM' } },
  'smoke-detection': {
    minimum_particle_concentration_in_micrograms_per_cubic_meter: range(10, 5_000, 150),
    minimum_duration_in_seconds: range(1, 600, 10),
  },
  'auto-immobilizer-control': { delay_in_seconds: range(0, 3_600, 30) },
  'box-settings': {
    standby_report_interval_in_seconds: range(60, 86_400, 1_800),
    ble_enabled: { standard: true },
    obd_alarm: { group: { enabled: { standard: false } } },
  },
};

/** The features that there are. */
export const FEATURE_NAMES: readonly string[] = Object.keys(FORMS);

/** The parameters of a feature with every omitted one at its default; undefined: their form is invalid. */
export function wholeParameters(feature: string, given: unknown): unknown {
  return Object.hasOwn(FORMS, feature) ? wholeOf(FORMS[feature as FeatureName], given ?? {}) : undefined;
}

function wholeOf(form: Form, given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const values = given as Readonly<Record<string, unknown>>;
  if (Object.keys(values).some((name) => !Object.hasOwn(form, name))) return undefined;
  const whole: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(form)) {
    const value = values[name];
    const found = 'group' in part ? wholeOf(part.group, value ?? {}) : parameterOf(part, value);
    if (found === undefined || value === null) return undefined;
    whole[name] = found;
  }
  return whole;
}

function parameterOf(form: ParameterForm, value: unknown): unknown {
  if (value === undefined) return form.standard;
  if ('words' in form) return form.words.includes(String(value)) ? value : undefined;
  if ('least' in form) {
    const isNumber = typeof value === 'number' && Number.isInteger(value);
    return isNumber && value >= form.least && value <= form.most ? value : undefined;
  }
  return typeof value === 'boolean' ? value : undefined;
}

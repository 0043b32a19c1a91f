import {
  FEATURES,
  type FeatureName,
  type ParameterRow,
  type Parameters,
  standardOf,
} from '../../../contract/features.ts';
import { settingNamed } from '../../../protocol/settings.ts';

/** The features that there are. */
export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);

/** The parameters of a feature with every omitted one at its default; undefined: their form is invalid. */
export function wholeParameters(feature: string, given: unknown): unknown {
  if (!Object.hasOwn(FEATURES, feature)) return undefined;
  return wholeOf(FEATURES[feature as FeatureName].parameters, given ?? {});
}

function wholeOf(rows: Parameters, given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const values = given as Readonly<Record<string, unknown>>;
  if (Object.keys(values).some((name) => !Object.hasOwn(rows, name))) return undefined;
  const whole: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const value = values[name];
    const found = 'parameters' in row ? wholeOf(row.parameters, value ?? {}) : parameterOf(row, value);
    if (found === undefined || value === null) return undefined;
    whole[name] = found;
  }
  return whole;
}

function parameterOf(row: ParameterRow, value: unknown): unknown {
  if (value === undefined) return standardOf(row);
  if (row.words !== undefined) return row.words.includes(String(value)) ? value : undefined;
  if (row.standard !== undefined) return typeof value === 'boolean' ? value : undefined;
  const { minimum, maximum } = settingNamed(row.setting);
  const isNumber = typeof value === 'number' && Number.isInteger(value);
  return isNumber && value >= minimum && value <= maximum ? value : undefined;
}

import fc from 'fast-check';
import { FEATURES, type Feature } from '../../../backend/configuration/features.ts';

/** Body of a feature, and its meaning with all defaults filled in. */
export interface FeatureExample {
  readonly given: Record<string, unknown>;
  readonly filled: Record<string, unknown>;
}

/** A parameter in the contract's tables: range or values, and default. */
type Leaf =
  | { readonly from: number; readonly to: number; readonly standard: number }
  | { readonly values: readonly unknown[]; readonly standard: unknown };
interface Group {
  readonly [name: string]: Leaf | Group;
}
const whole = (from: number, to: number, standard: number): Leaf => ({ from, to, standard });
const either = (standard: boolean): Leaf => ({ values: [true, false], standard });

/** A second copy of the table, written by hand. */
export const EXPECTED_FEATURES: Readonly<Record<string, Group>> = {
  tracking: {
    time_interval_in_seconds: whole(1, 3600, 60),
    distance_interval_in_meters: whole(10, 100_000, 1000),
    heading_change_threshold_in_degrees: whole(1, 180, 60),
  },
  'damage-detection': { sensitivity: { values: ['LOW', 'MEDIUM', 'HIGH'], standard: 'MEDIUM' } },
  'smoke-detection': {
    minimum_particle_concentration_in_micrograms_per_cubic_meter: whole(10, 5000, 150),
    minimum_duration_in_seconds: whole(1, 600, 10),
  },
  'driving-events': {
    crash_detection: {
      minimum_acceleration_in_mg: whole(100, 16_000, 2500),
      minimum_duration_in_milliseconds: whole(1, 1000, 30),
      data_gathering_duration_in_seconds: whole(1, 60, 10),
    },
    heavy_braking_detection: { minimum_longitudinal_acceleration_in_mg: whole(50, 2000, 450) },
    harsh_cornering_detection: { minimum_lateral_acceleration_in_mg: whole(50, 2000, 450) },
  },
  'parking-events': { enabled: either(true) },
  'auto-immobilizer-control': { delay_in_seconds: whole(0, 3600, 30) },
  'box-settings': {
    standby_report_interval_in_seconds: whole(60, 86_400, 1800),
    ble_enabled: either(true),
    obd_alarm: { enabled: either(false) },
  },
};

function isLeaf(part: Leaf | Group): part is Leaf {
  return 'standard' in part;
}

/** Valid bodies: each property present or absent, groups too. */
export function anyRightBody(group: Group): fc.Arbitrary<FeatureExample> {
  const parts = Object.entries(group).map(
    ([name, part]): fc.Arbitrary<readonly [string, FeatureExample | Leaf, unknown]> => {
      if (!isLeaf(part)) return anyRightBody(part).map((example) => [name, example, undefined] as const);
      const value =
        'values' in part ? fc.constantFrom(...part.values) : fc.integer({ min: part.from, max: part.to });
      return value.map((one) => [name, part, one] as const);
    },
  );
  return fc
    .tuple(fc.tuple(...parts), fc.array(fc.boolean(), { minLength: parts.length, maxLength: parts.length }))
    .map(([drawn, isGiven]) => {
      const given: Record<string, unknown> = {};
      const filled: Record<string, unknown> = {};
      for (const [index, [name, part, value]] of drawn.entries()) {
        const isThere = isGiven[index] === true;
        if ('given' in part) {
          if (isThere) given[name] = part.given;
          filled[name] = isThere ? part.filled : defaultsOf(group[name] as Group);
        } else {
          if (isThere) given[name] = value;
          filled[name] = isThere ? value : part.standard;
        }
      }
      return { given, filled };
    });
}

/** Every parameter at its default. */
export function defaultsOf(group: Group): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(group).map(([name, part]) => [name, isLeaf(part) ? part.standard : defaultsOf(part)]),
  );
}

/** A body with one fault, and the property that an answer must name. */
export function anyWrongBody(
  group: Group,
): fc.Arbitrary<{ readonly given: unknown; readonly named: string }> {
  const broken = Object.entries(group).flatMap(([name, part]) => {
    if (!isLeaf(part)) {
      return [
        fc
          .constantFrom(null, 1, [], 'text')
          .map((value) => ({ place: name, value: { [name]: value } as object })),
        anyWrongBody(part).map(({ given, named }) => ({ place: named, value: { [name]: given } as object })),
      ];
    }
    return [wrongValue(part).map((value) => ({ place: name, value: { [name]: value } as object }))];
  });
  const unknown = fc
    .stringMatching(/^[a-z_]{1,20}$/)
    .filter((name) => !(name in group))
    .map((name) => ({ place: name, value: { [name]: 1 } as object }));
  return fc
    .tuple(anyRightBody(group), fc.oneof(unknown, ...broken))
    .map(([{ given }, { place, value }]) => ({ given: { ...given, ...value }, named: place }));
}

function wrongValue(leaf: Leaf): fc.Arbitrary<unknown> {
  if ('values' in leaf)
    return fc
      .constantFrom<unknown>(null, 0, 1, 'medium', 'true', [], {})
      .filter((one) => !leaf.values.includes(one));
  return fc.oneof(
    fc.integer({ min: leaf.to + 1 }),
    fc.integer({ max: leaf.from - 1 }),
    fc.constantFrom<unknown>(null, true, String(leaf.standard), leaf.standard + 0.5, [leaf.standard], {}),
  );
}

/** A feature with a valid body. */
export const anyFeatureExample: fc.Arbitrary<{
  readonly feature: Feature;
  readonly example: FeatureExample;
}> = fc
  .constantFrom(...FEATURES)
  .chain((feature) =>
    anyRightBody(EXPECTED_FEATURES[feature.name] ?? {}).map((example) => ({ feature, example })),
  );

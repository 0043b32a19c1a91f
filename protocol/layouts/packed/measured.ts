import { wireLimits } from '../../limits.ts';
import {
  BENDS,
  type BrakingMeasured,
  type CorneringMeasured,
  type CrashMeasured,
  type DamageMeasured,
  type Measured,
  type MeasuredPlace,
  SENSITIVITIES,
  type ShockMeasured,
  SIDES,
  type SmokeMeasured,
  type TowingMeasured,
} from '../../measured.ts';
import { bitmap, list, names, optional, packed, pair, signed, unsigned } from '../fields.ts';

/** Measurements of events, in generation 1. */
const mg = unsigned(2, { unit: 'mg' });
const ms = unsigned(4, { unit: 'ms' });
const kph = unsigned(2, { divisor: 100, unit: 'km/h' });
const direction = names(SIDES);

const place = packed<MeasuredPlace>({
  latitude: signed(4, { minimum: -54_000_000, maximum: 54_000_000, divisor: 600_000, unit: '°' }),
  longitude: signed(4, { minimum: -108_000_000, maximum: 108_000_000, divisor: 600_000, unit: '°' }),
});

const crash = packed<CrashMeasured>({
  peakMg: mg,
  durationMs: ms,
  direction,
  gatheredMs: ms,
  samples: list(
    'slots',
    wireLimits.crashSamples,
    pair(signed(2, { unit: 'mg forward' }), signed(2, { unit: 'mg to the right' })),
  ),
});

const braking = packed<BrakingMeasured>({
  peakMg: mg,
  durationMs: ms,
  speedBeforeKph: kph,
  speedAfterKph: kph,
});

const cornering = packed<CorneringMeasured>({
  peakMg: mg,
  durationMs: ms,
  speedKph: kph,
  bend: names(BENDS),
});

const towing = packed<TowingMeasured>({
  distanceM: unsigned(4, { unit: 'm' }),
  tiltDegrees: unsigned(2, { divisor: 10, unit: '°' }),
});

const shock = packed<ShockMeasured>({ peakMg: mg, durationMs: ms, direction });

const damage = packed<DamageMeasured>({
  strengthMg: mg,
  sensitivity: names(SENSITIVITIES),
  side: direction,
});

const smoke = packed<SmokeMeasured>({
  concentrationUgPerM3: unsigned(2, { unit: 'µg/m³' }),
  durationMs: ms,
});

export const measured = bitmap<Measured>({
  agoMs: ms,
  place: optional(place),
  crash: optional(crash),
  braking: optional(braking),
  cornering: optional(cornering),
  towing: optional(towing),
  shock: optional(shock),
  damage: optional(damage),
  smoke: optional(smoke),
});

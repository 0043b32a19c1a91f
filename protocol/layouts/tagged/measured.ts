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
import { list, names, optional, packed, pair, signed, tag, tagged, unsigned } from '../fields.ts';

/** Measurements of events, in generation 2. */
const mg = unsigned(2, { unit: 'mg' });
const ms = unsigned(4, { unit: 'ms' });
const kph = unsigned(2, { divisor: 100, unit: 'km/h' });
const direction = names(SIDES);

const place = packed<MeasuredPlace>({
  latitude: signed(4, { minimum: -900_000_000, maximum: 900_000_000, divisor: 10_000_000, unit: '°' }),
  longitude: signed(4, { minimum: -1_800_000_000, maximum: 1_800_000_000, divisor: 10_000_000, unit: '°' }),
});

const crash = tagged<CrashMeasured>({
  peakMg: tag(0x01, mg),
  durationMs: tag(0x02, ms),
  direction: tag(0x03, direction),
  gatheredMs: tag(0x04, ms),
  samples: tag(
    0x05,
    list(
      'rest',
      wireLimits.crashSamples,
      pair(signed(2, { unit: 'mg forward' }), signed(2, { unit: 'mg to the right' })),
    ),
  ),
});

const braking = tagged<BrakingMeasured>({
  peakMg: tag(0x01, mg),
  durationMs: tag(0x02, ms),
  speedBeforeKph: tag(0x03, kph),
  speedAfterKph: tag(0x04, kph),
});

const cornering = tagged<CorneringMeasured>({
  peakMg: tag(0x01, mg),
  durationMs: tag(0x02, ms),
  speedKph: tag(0x03, kph),
  bend: tag(0x04, names(BENDS)),
});

const towing = tagged<TowingMeasured>({
  distanceM: tag(0x01, unsigned(4, { unit: 'm' })),
  tiltDegrees: tag(0x02, unsigned(2, { divisor: 10, unit: '°' })),
});

const shock = tagged<ShockMeasured>({
  peakMg: tag(0x01, mg),
  durationMs: tag(0x02, ms),
  direction: tag(0x03, direction),
});

const damage = tagged<DamageMeasured>({
  strengthMg: tag(0x01, mg),
  sensitivity: tag(0x02, names(SENSITIVITIES)),
  side: tag(0x03, direction),
});

const smoke = tagged<SmokeMeasured>({
  concentrationUgPerM3: tag(0x01, unsigned(2, { unit: 'µg/m³' })),
  durationMs: tag(0x02, ms),
});

export const measured = tagged<Measured>({
  agoMs: tag(0x01, ms),
  place: tag(0x02, optional(place)),
  crash: tag(0x03, optional(crash)),
  braking: tag(0x04, optional(braking)),
  cornering: tag(0x05, optional(cornering)),
  towing: tag(0x06, optional(towing)),
  shock: tag(0x07, optional(shock)),
  damage: tag(0x08, optional(damage)),
  smoke: tag(0x09, optional(smoke)),
});

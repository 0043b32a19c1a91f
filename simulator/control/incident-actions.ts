import { z } from 'zod';
import { SIDES, type Side } from '../../protocol/measured.ts';
import { controlLimits } from '../limits.ts';
import { boxAction } from './action.ts';

const side = z.enum(Object.keys(SIDES) as [Side, ...Side[]]);
const accelerationMg = z.int().min(1).max(controlLimits.mostImpactMg);
const durationMs = z.int().min(1).max(controlLimits.longestImpactMs);

/** External incidents of a vehicle. The reaction of its box depends on the configuration. */
export const INCIDENT_ACTIONS = {
  crash: boxAction({
    does: 'A collision from this side: the body of the vehicle undergoes this acceleration for that long. The driver drives on.',
    body: z.strictObject({
      acceleration_in_mg: accelerationMg,
      duration_ms: durationMs.default(60),
      direction: side.default('front'),
    }),
    example: { acceleration_in_mg: 6000, duration_ms: 60, direction: 'front' },
    run: (box, { acceleration_in_mg: accelerationMg, duration_ms: durationMs, direction }) =>
      box.applyIncident({ what: 'impact', accelerationMg, durationMs, direction }),
  }),
  shock: boxAction({
    does: 'A collision with the parked vehicle.',
    body: z.strictObject({
      acceleration_in_mg: accelerationMg,
      duration_ms: durationMs.default(30),
      direction: side.default('rear'),
    }),
    example: { acceleration_in_mg: 900, duration_ms: 30, direction: 'rear' },
    refuses: (truth) => notParked(truth),
    run: (box, { acceleration_in_mg: accelerationMg, duration_ms: durationMs, direction }) =>
      box.applyIncident({ what: 'impact', accelerationMg, durationMs, direction }),
  }),
  bump: boxAction({
    does: 'Something dents the body on this side, which rings as strongly as this; the vehicle as a whole does not move.',
    body: z.strictObject({ strength_in_mg: accelerationMg, side: side.default('left') }),
    example: { strength_in_mg: 1200, side: 'left' },
    run: (box, { strength_in_mg: strengthMg, side }) => box.applyIncident({ what: 'bump', strengthMg, side }),
  }),
  tow: boxAction({
    does: 'The parked vehicle is towed that far along its street, on its wheels or taken up at one end.',
    body: z.strictObject({
      distance_m: z.number().positive().max(controlLimits.farthestTowM),
      lifted: z.boolean().default(false),
    }),
    example: { distance_m: 200, lifted: true },
    refuses: (truth) => notParked(truth),
    run: (box, { distance_m: distanceM, lifted }) => box.applyIncident({ what: 'tow', distanceM, lifted }),
  }),
  smoke: boxAction({
    does: 'Smoke in the vehicle: this concentration of fine particles, in micrograms per cubic metre, for this number of seconds; then it is aired.',
    body: z.strictObject({
      concentration_in_micrograms_per_cubic_meter: z.number().positive().max(controlLimits.mostSmokeUgPerM3),
      duration_s: z.number().positive().max(controlLimits.longestSmokeS),
    }),
    example: { concentration_in_micrograms_per_cubic_meter: 900, duration_s: 120 },
    run: (box, { concentration_in_micrograms_per_cubic_meter: concentrationUgPerM3, duration_s }) =>
      box.applyIncident({ what: 'smoke', concentrationUgPerM3, durationMs: Math.round(duration_s * 1_000) }),
  }),
};

function notParked(truth: Readonly<Record<string, unknown>>): string | undefined {
  return truth['ignitionOn'] === false && truth['driverWish'] !== 'drive'
    ? undefined
    : 'The vehicle is not parked. Let it park first.';
}

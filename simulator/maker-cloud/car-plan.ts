import type { Random, Stream } from '../../world/random/random.ts';
import { characters, licensePlate, vin } from '../fleet/fleet-plan.ts';
import { HOME_ROUTES } from '../routes/routes.ts';

/** One car with telematics of its maker. */
export interface CarPlan {
  /** The maker's own identifier. */
  readonly carId: string;
  /** Its id in a demonstration's fleet. */
  readonly vehicleId: string;
  /** Name of a row of protocol/models/maker-models.ts. */
  readonly model: string;
  /** The name of a built-in route, and the car's starting point on it, 0 to 1. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly vin: string;
  readonly licensePlate: string;
}

const CAR = 'electric-estate';

/**
 * Plans cars from a seed; the first one and every second after it is driving. `models`: for the first ones,
 * the others are cars. Equal arguments give equal plans.
 */
export function planCars(random: Random, count: number, models: readonly string[] = []): readonly CarPlan[] {
  return Array.from({ length: count }, (_, index) =>
    planCar(random.stream(`maker-cars/${index}`), index, models[index] ?? CAR),
  );
}

/** Plans the car at one index of a fleet, with options: an option changes nothing else. */
export function planCarWithOptions(
  random: Random,
  index: number,
  options: Readonly<Partial<Pick<CarPlan, 'model' | 'route' | 'driving'>>>,
): CarPlan {
  const plan = planCar(random.stream(`maker-cars/${index}`), index, options.model ?? CAR);
  return { ...plan, route: options.route ?? plan.route, driving: options.driving ?? plan.driving };
}

function planCar(stream: Stream, index: number, model: string): CarPlan {
  const number = String(index).padStart(4, '0');
  return {
    // The number keeps two cars distinct, whatever is drawn.
    carId: `car_${characters(stream, '0123456789abcdefghjkmnpqrstvwxyz', 10)}${number}`,
    vehicleId: `${characters(stream, 'ABCDEFGHJKLMNPQRSTUVWXYZ', 4)}${number}`,
    model,
    route: stream.pick(HOME_ROUTES),
    startFraction: stream.whole(0, 9_999) / 10_000,
    driving: index % 2 === 0,
    vin: vin(stream),
    licensePlate: licensePlate(stream),
  };
}

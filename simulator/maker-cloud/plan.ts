import type { Random, Stream } from '../../world/random.ts';
import { characters, licensePlate, vin } from '../plan.ts';
import { HOME_ROUTES } from '../routes/routes.ts';

/** One car that its maker made able to talk. */
export interface CarPlan {
  /** The maker's own identifier. */
  readonly carId: string;
  /** Under which a demonstration's fleet knows it. */
  readonly vehicleId: string;
  /** Name of a row of protocol/models/maker-models.ts. */
  readonly model: string;
  /** Of a built-in route; where on it the car starts, 0 to 1. */
  readonly route: string;
  readonly startFraction: number;
  readonly driving: boolean;
  readonly vin: string;
  readonly licensePlate: string;
}

const CAR = 'electric-estate';

/**
 * Plans cars from a seed, the first one driving and every second after it. `models`: of the first ones, the others are
 * cars. Equal arguments, equal plan.
 */
export function planCars(random: Random, count: number, models: readonly string[] = []): readonly CarPlan[] {
  return Array.from({ length: count }, (_, index) =>
    planCar(random.stream(`maker-cars/${index}`), index, models[index] ?? CAR),
  );
}

/** Plans the car at one place of a fleet, with what is wished of it: a wish changes nothing else. */
export function planWishedCar(
  random: Random,
  index: number,
  wish: Readonly<Partial<Pick<CarPlan, 'model' | 'route' | 'driving'>>>,
): CarPlan {
  const plan = planCar(random.stream(`maker-cars/${index}`), index, wish.model ?? CAR);
  return { ...plan, route: wish.route ?? plan.route, driving: wish.driving ?? plan.driving };
}

function planCar(stream: Stream, index: number, model: string): CarPlan {
  const number = String(index).padStart(4, '0');
  return {
    // The number keeps two cars apart, whatever the chance.
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

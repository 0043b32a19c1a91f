import type { BoxPlan } from '../simulator/fleet.ts';
import { type CarPlan, planCars } from '../simulator/maker-cloud/plan.ts';
import { planFleet, planShelf } from '../simulator/plan.ts';
import type { RadioSetting } from '../simulator/radio/setting.ts';
import { ROUTES } from '../simulator/routes/routes.ts';
import type { Random } from '../world/random.ts';
import { readRouteFile } from './route-file.ts';

/** The vehicles that the seed makes. */
export interface DemoPlans {
  /** Of the vehicles with boxes, then of the boxes on the shelf. */
  readonly vehicles: readonly BoxPlan[];
  readonly shelf: readonly BoxPlan[];
  /** With their maker's telematics. */
  readonly cars: readonly CarPlan[];
}

type Routes = typeof ROUTES;

/** The built-in routes; and one from a file, where it is given, on which everybody drives then. */
export async function demoRoutes(
  file: string | undefined,
): Promise<{ readonly routes: Routes; readonly onRoute: { readonly route?: string } }> {
  if (file === undefined) return { routes: ROUTES, onRoute: {} };
  const given = await readRouteFile(file);
  return { routes: new Map([...ROUTES, [given.name, given]]), onRoute: { route: given.name } };
}

/** Plans so many vehicles with boxes, and what stands beside them. */
export function planDemo(
  random: Random,
  count: number,
  given: { readonly route?: string; readonly radio: RadioSetting },
  secretOf: (boxId: string) => string,
): DemoPlans {
  const complete = (plan: BoxPlan): BoxPlan => ({ ...plan, ...given, secret: secretOf(plan.boxId) });
  const vehicles = planFleet(random, count).map(complete);
  const shelf = planShelf(random, vehicles).map(complete);
  const cars = planCars(random, count > 0 ? 2 : 0, ['electric-estate', 'electric-scooter']);
  return { vehicles, shelf, cars };
}

/** A command that works as it stands: a moving vehicle refuses to be unlocked. */
export function exampleCommand(
  plans: readonly BoxPlan[],
): { readonly vehicleId: string; readonly command: string } | undefined {
  const parked = plans.find((plan) => !plan.driving);
  if (parked !== undefined) return { vehicleId: parked.vehicleId, command: 'unlock-central-lock' };
  const [first] = plans;
  return first === undefined ? undefined : { vehicleId: first.vehicleId, command: 'request-vehicle-state' };
}

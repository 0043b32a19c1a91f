import { basename } from 'node:path';
import { ownModels } from '../../protocol/models/known-models.ts';
import type { BoxPlan, RadioSetting } from '../../simulator/box-plan.ts';
import { planFleet, planStock } from '../../simulator/fleet/fleet-plan.ts';
import { type CarPlan, planCars } from '../../simulator/maker-cloud/car-plan.ts';
import type { Route } from '../../simulator/routes/route.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import type { Random } from '../../world/random/random.ts';
import { readDriveFiles } from '../input/drive-files.ts';
import { inputBytes } from '../input/input-file.ts';
import { INPUT_FILES } from '../input/input-kinds.ts';
import { CommandError } from '../shared/command-error.ts';
import type { DriveFiles } from '../shared/deployment-options.ts';

/** The vehicles of the seed. */
export interface DemoPlans {
  /** Of the vehicles with boxes, then of the unassigned boxes. */
  readonly vehicles: readonly BoxPlan[];
  readonly shelf: readonly BoxPlan[];
  /** With their maker's telematics. */
  readonly cars: readonly CarPlan[];
}

type Routes = typeof ROUTES;

/** The routes of a fleet. */
export interface DemoRoutes {
  readonly routes: Routes;
  /** The route of all vehicles; empty: each as planned. */
  readonly onRoute: { readonly route?: string };
  /** The names of those among `routes` that are recorded drives, in the order in which vehicles replay them. */
  readonly drives: readonly string[];
  /** The gaps that were bridged in the files, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * The built-in routes; the route of a file, where it is given, which all vehicles then follow; and recorded drives.
 * Rejects with a `CommandError` where a file cannot be used.
 */
export async function demoRoutes(file: string | undefined, given?: DriveFiles): Promise<DemoRoutes> {
  const way = file === undefined ? undefined : await readRouteFile(file);
  const routes = way === undefined ? ROUTES : new Map([...ROUTES, [way.route.name, way.route]]);
  const onRoute = way === undefined ? {} : { route: way.route.name };
  const remarks = way?.remarks ?? [];
  if (given === undefined) return { routes, onRoute, drives: [], remarks };
  const recorded = await readDriveFiles(given, routes.keys());
  const drives = recorded.routes.map(({ name }) => name);
  const all = new Map([...routes, ...recorded.routes.map((route) => [route.name, route] as const)]);
  return { routes: all, onRoute, drives, remarks: [...remarks, ...recorded.remarks] };
}

/**
 * The same plans with the first ones replaying these drives from the start. Throws a `CommandError` where there are
 * more drives than vehicles.
 */
export function replaying(plans: readonly BoxPlan[], drives: readonly string[]): readonly BoxPlan[] {
  if (drives.length > plans.length)
    throw new CommandError(
      `There are ${drives.length} recorded drives, and --vehicles is ${plans.length}: each drive takes one. Give a larger --vehicles, or fewer of --drive.`,
    );
  return plans.map((plan, index) => {
    const route = drives[index];
    return route === undefined ? plan : { ...plan, route, startFraction: 0, driving: true };
  });
}

/** What a fleet has besides its vehicles with boxes. */
export interface DemoExtras {
  /** Vehicles with their maker's telematics; absent: two, or none beside no vehicle. */
  readonly makerVehicles?: number | undefined;
  /** Devices in no vehicle record, at most three; absent: all of them. */
  readonly unassignedDevices?: number | undefined;
}

/**
 * Plans so many vehicles with boxes, the unassigned boxes and the maker's vehicles: each at its own place along its
 * route. The first ones are of the user's own models. What a fleet has besides changes none of its vehicles.
 */
export function planDemo(
  random: Random,
  count: number,
  given: { readonly route?: string; readonly radio: RadioSetting },
  secretOf: (boxId: string) => string,
  { makerVehicles = count > 0 ? 2 : 0, unassignedDevices }: DemoExtras = {},
): DemoPlans {
  const complete = (plan: BoxPlan): BoxPlan => ({ ...plan, ...given, secret: secretOf(plan.boxId) });
  const placed = staggering();
  const fleet = planFleet(
    random,
    count,
    ownModels().map(({ name }) => name),
  );
  const shelf = planStock(random, fleet)
    .slice(0, unassignedDevices)
    .map((plan) => placed(complete(plan)));
  const cars = planCars(random, makerVehicles, ['electric-estate', 'electric-scooter']).map(placed);
  const vehicles = fleet.map((plan) => placed(complete(plan)));
  return { vehicles, shelf, cars };
}

/** The fractional part of the golden ratio: multiples of it divide a loop ever more finely, and never coincide. */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Gives each plan the next place of its route. The places of a fleet are far apart whatever its size, and a larger
 * fleet begins with those of a smaller one.
 */
export function staggering(): <Plan extends { readonly route: string }>(
  plan: Plan,
) => Plan & { readonly startFraction: number } {
  const places = new Map<string, number>();
  return (plan) => {
    const place = places.get(plan.route) ?? 0;
    places.set(plan.route, place + 1);
    const along = place * GOLDEN;
    return { ...plan, startFraction: along - Math.floor(along) };
  };
}

/** The same plans with all vehicles parked: where there are drivers, they decide who drives. */
export function parked<Plan extends { readonly driving: boolean }>(plans: readonly Plan[]): readonly Plan[] {
  return plans.map((plan) => ({ ...plan, driving: false }));
}

/** The same plans with this percentage of vehicles driving, spread evenly; the others are parked. */
export function driven<Plan extends { readonly driving: boolean }>(
  plans: readonly Plan[],
  percent: number,
): readonly Plan[] {
  const before = (index: number) => Math.floor((index * percent) / 100);
  return plans.map((plan, index) => ({ ...plan, driving: before(index + 1) > before(index) }));
}

/** A command that works without changes: a moving vehicle refuses to be unlocked. */
export function exampleCommand(
  plans: readonly BoxPlan[],
): { readonly vehicleId: string; readonly command: string } | undefined {
  const parked = plans.find((plan) => !plan.driving);
  if (parked !== undefined) return { vehicleId: parked.vehicleId, command: 'unlock-central-lock' };
  const [first] = plans;
  return first === undefined ? undefined : { vehicleId: first.vehicleId, command: 'request-vehicle-state' };
}

/** The route of a file, and the gaps that were bridged in it, in sentences. */
interface RouteInFile {
  readonly route: Route;
  readonly remarks: readonly string[];
}

/**
 * The route in a GPX or GeoJSON file, named after the file. Rejects with a `CommandError` that names the file, the
 * place in it and the reason where it cannot be driven.
 */
export async function readRouteFile(path: string): Promise<RouteInFile> {
  const { what, remedy } = INPUT_FILES.route;
  const bytes = inputBytes('route', path);
  // With the XML reader, which no other start needs.
  const { routeInFile } = await import('../../simulator/routes/file.ts');
  const read = routeInFile(basename(path), bytes);
  const { placedSentence, remarkSentence } = await import('../../simulator/routes/remarks.ts');
  if (read.fault !== undefined)
    throw new CommandError(`${what} ${placedSentence(path, read.fault)} ${remedy}`);
  return { route: read.route, remarks: read.remarks.map((remark) => remarkSentence(path, remark)) };
}

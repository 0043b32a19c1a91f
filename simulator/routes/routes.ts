import { berlinEast } from './berlin-east.ts';
import { berlinWest } from './berlin-west.ts';
import { hamburgAlster } from './hamburg-alster.ts';
import { karlsruheHills } from './karlsruhe-hills.ts';
import { munichLeopold } from './munich-leopold.ts';
import { type Route, type RouteTable, surveyed } from './route.ts';

/** Where a planned fleet is at home. */
const HOME_TABLES: readonly RouteTable[] = [berlinWest, berlinEast];

/** The built-in routes. A new one is a new table here. */
export const ROUTE_TABLES: readonly RouteTable[] = [
  ...HOME_TABLES,
  hamburgAlster,
  karlsruheHills,
  munichLeopold,
];

/** The names of the routes on which a planned fleet drives. */
export const HOME_ROUTES: readonly string[] = HOME_TABLES.map((table) => table.name);

/** The built-in routes by name, measured. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  ROUTE_TABLES.map((table) => [table.name, surveyed(table)]),
);

const fallback = surveyed(berlinWest);

/** The route of that name among those; a name that is not there is driven on the first built-in one. */
export function routeNamed(name: string, routes: ReadonlyMap<string, Route> = ROUTES): Route {
  return routes.get(name) ?? fallback;
}

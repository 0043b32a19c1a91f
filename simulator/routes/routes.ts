import { berlinEast } from './berlin-east.ts';
import { berlinWest } from './berlin-west.ts';
import { hamburgAlster } from './hamburg-alster.ts';
import { karlsruheHills } from './karlsruhe-hills.ts';
import { munichLeopold } from './munich-leopold.ts';
import { measuredRoute, type Route, type RouteTable } from './route.ts';

/** The routes of a planned fleet. */
const HOME_TABLES: readonly RouteTable[] = [berlinWest, berlinEast];

/** The built-in routes. A new route is a new table here. */
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
  ROUTE_TABLES.map((table) => [table.name, measuredRoute(table)]),
);

const fallback = measuredRoute(berlinWest);

/** The route of this name among `routes`; if there is none, the first built-in one. */
export function routeNamed(name: string, routes: ReadonlyMap<string, Route> = ROUTES): Route {
  return routes.get(name) ?? fallback;
}

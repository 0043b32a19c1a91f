import { berlinEast } from './berlin-east.ts';
import { berlinWest } from './berlin-west.ts';
import { type Route, type RouteTable, surveyed } from './route.ts';

/** The built-in loops. A new one is a new table here. */
export const ROUTE_TABLES: readonly RouteTable[] = [berlinWest, berlinEast];

/** The built-in loops by name, measured. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  ROUTE_TABLES.map((table) => [table.name, surveyed(table)]),
);

const fallback = surveyed(berlinWest);

/** The loop of that name; a name that is not built in is driven on the first one. */
export function routeNamed(name: string): Route {
  return ROUTES.get(name) ?? fallback;
}

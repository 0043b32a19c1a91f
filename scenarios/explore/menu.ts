import { BREAKS } from '../language/breaks.ts';
import { CALLS } from '../language/calls.ts';
import type { Chance } from '../language/draw.ts';
import type { Menu } from '../language/generate.ts';
import type { Table } from '../language/row.ts';
import { VEHICLE_ACTS } from '../language/vehicle-acts.ts';
import { WEATHER } from '../language/weather.ts';
import { limits } from './limits.ts';

/**
 * A menu for one run: each kind of fault, act and call is in it or not, by a coin of its own. Bugs that one kind hides
 * from another are found so, and not where everything is drawn at once (Groce and others, Swarm Testing, ISSTA 2012).
 * Nothing is expected: what a random scenario can promise, the checkers know.
 */
export function drawMenu(chance: Chance): Menu {
  const some = (names: readonly string[]): readonly string[] => {
    const kept = names.filter(() => chance.whole(0, 1) === 1);
    // A kind without a name in it cannot be drawn from; without any the menu would be empty.
    return kept;
  };
  const breaks = Object.entries(BREAKS)
    .map(([part, table]) => [part, some(virtual(table))] as const)
    .filter(([, names]) => names.length > 0);
  const acts = some(Object.keys(VEHICLE_ACTS));
  return {
    acts: acts.some((name) => VEHICLE_ACTS[name]?.of.includes('box')) ? acts : [],
    calls: some(virtual(CALLS)),
    weather: some(virtual(WEATHER)),
    breaks: breaks.length === 0 ? { box: ['brown-out'] } : Object.fromEntries(breaks),
    expectations: [],
    mostSteps: limits.swarmSteps,
    mostVehicles: limits.swarmVehicles,
    longestMs: limits.swarmLongestMs,
  };
}

function virtual(table: Table): readonly string[] {
  return Object.keys(table).filter((name) => table[name]?.worlds.virtual === true);
}

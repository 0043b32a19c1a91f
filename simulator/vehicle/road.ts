import { onLoop, type Route } from '../routes/route.ts';
import { type Circumstances, type Journey, mayDrive } from './driver.ts';
import { limits } from './limits.ts';
import { travelled } from './stretch.ts';

/** A vehicle where others drive too, as the road sees it. Times are epoch milliseconds. */
export interface RoadUser {
  /** When it next decides something by itself; infinite: never. */
  nextMs(): number;
  /** Takes that decision. */
  goOn(): void;
  /** Where it is then. Only for times between its last decision and its next one. */
  placeAt(atMs: number): RoadPlace;
}

/** Where a vehicle is. */
export interface RoadPlace {
  readonly route: Route;
  /** Along the route, over any number of rounds. */
  readonly alongM: number;
  /** How far it goes on from here before it stands and decides anew. */
  readonly leftM: number;
  /** It drives, or waits to drive on; otherwise it stands at the kerb and is in nobody's way. */
  readonly drives: boolean;
}

interface Known extends RoadUser {
  /** It has come from the kerb: others keep off it. */
  isIn: boolean;
}

/**
 * The vehicles that drive on the same streets. They decide in the order of time, whoever is looked at: so each one knows
 * where the others are at that moment, and how often one looks changes nothing. The rule of the distance is this:
 *
 *   - who stands and wants to drive on goes no further than to where the next one ahead is now, less the distance. Nobody
 *     drives backwards, so it comes nearer to no one.
 *   - who comes from the kerb waits until nobody behind goes on past its place before standing again.
 *
 * A route with more vehicles than room for that shares what there is: the distance shrinks with their number.
 */
export class Road {
  readonly #users: Known[] = [];
  #nextMs = Number.NEGATIVE_INFINITY;

  /** Takes a vehicle in. What comes back asks how far it may drive on from where it stands, in metres; 0: not now. */
  join(user: RoadUser): (atMs: number) => number {
    const known: Known = Object.assign(user, { isIn: false });
    this.#users.push(known);
    this.changed();
    return (atMs) => this.#roomM(known, atMs);
  }

  /** Somebody has had a vehicle change its mind. */
  changed(): void {
    this.#nextMs = Number.NEGATIVE_INFINITY;
  }

  /** Has all of them decide what they decide until then. */
  advance(toMs: number): void {
    while (this.#nextMs <= toMs) {
      const [first] = this.#users;
      let next = first;
      let nextMs = first?.nextMs() ?? Number.POSITIVE_INFINITY;
      for (const user of this.#users) {
        const atMs = user.nextMs();
        if (atMs < nextMs) [next, nextMs] = [user, atMs];
      }
      if (nextMs <= toMs) next?.goOn();
      else this.#nextMs = nextMs;
    }
  }

  /** Whether no other vehicle stands at the kerb where this one comes to stand if it goes on for so far. */
  isKerbFree(user: RoadUser, onM: number, atMs: number): boolean {
    const { route, alongM } = user.placeAt(atMs);
    return this.#users.every((other) => {
      if (other === user) return true;
      const there = other.placeAt(atMs);
      if (there.drives || there.route !== route) return true;
      const apartM = onLoop(route, there.alongM - alongM - onM);
      return Math.min(apartM, route.lengthM - apartM) >= limits.kerbM;
    });
  }

  #roomM(user: Known, atMs: number): number {
    const { route, alongM } = user.placeAt(atMs);
    const others: RoadPlace[] = [];
    for (const other of this.#users) {
      if (other === user || !other.isIn) continue;
      const there = other.placeAt(atMs);
      // Who has come to the kerb is in nobody's way until it comes back.
      other.isIn = there.drives;
      if (there.drives && there.route === route) others.push(there);
    }
    const { distanceM, shortestM } = spacing(route, others.length + 1);
    let roomM = Number.POSITIVE_INFINITY;
    for (const other of others) {
      const aheadM = onLoop(route, other.alongM - alongM);
      const behindM = route.lengthM - aheadM;
      roomM = Math.min(roomM, aheadM - distanceM);
      if (!user.isIn && other.leftM > behindM - distanceM) return 0;
      if (!user.isIn && behindM < distanceM) return 0;
    }
    if (roomM < shortestM) return 0;
    user.isIn = true;
    return roomM;
  }
}

/** Where a vehicle on that journey is so many seconds after it was made. */
export function roadPlace(
  { stretch, ahead, intent, switches }: Journey,
  { route, startM }: Pick<Circumstances, 'route' | 'startM'>,
  atS: number,
): RoadPlace {
  const { from, move, engine } = stretch;
  const done = travelled(stretch, Math.max(atS - from.atS, 0)).wayM;
  const waits = engine === 'running' && intent.wish === 'drive' && mayDrive(switches);
  return {
    route,
    alongM: startM + from.wayM + done,
    leftM: ahead.reduce((sum, { lengthM }) => sum + lengthM, (move?.lengthM ?? 0) - done),
    drives: move !== undefined || waits,
  };
}

/** How far apart so many vehicles keep on a route, and the shortest way for which it is worth driving on. */
export function spacing(
  route: Pick<Route, 'lengthM'>,
  vehicles: number,
): { readonly distanceM: number; readonly shortestM: number } {
  const shareM = route.lengthM / (3 * vehicles);
  return { distanceM: Math.min(limits.followM, shareM), shortestM: Math.min(limits.shortestHopM, shareM) };
}

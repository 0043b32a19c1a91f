import { onLoop, type Route } from '../../routes/route.ts';
import { limits } from '../limits.ts';
import { travelled } from '../motion-segment.ts';
import { mayDrive } from './driver.ts';
import type { DriveContext, Journey } from './journey.ts';

/** A vehicle in traffic. Times are epoch milliseconds. */
export interface RoadUser {
  /** The time of its next own decision; infinite: never. */
  nextMs(): number;
  /** Makes that decision. */
  decideNext(): void;
  /** Its position at that time. Only for times between its last decision and its next one. */
  placeAt(atMs: number): RoadPlace;
}

/** A vehicle's position. */
export interface RoadPlace {
  readonly route: Route;
  /** Along the route, over any number of rounds. */
  readonly alongM: number;
  /** How far it drives from here to its next stop and decision. */
  readonly leftM: number;
  /** It drives or waits to drive on; otherwise it is parked at the kerb and obstructs none. */
  readonly drives: boolean;
}

interface KnownRoadUser extends RoadUser {
  /** It has left the kerb: others keep their distance. */
  isIn: boolean;
}

/**
 * The vehicles that drive on the same streets. They decide in the order of time, regardless of which is
 * observed: so each decision knows where the others are at that moment, and observing changes nothing. The
 * rules of the distance:
 *
 *   - a stationary vehicle drives no further than the present position of the next one ahead, minus the
 *     distance. None drives backwards, so it never comes too close.
 *   - a vehicle at the kerb waits until none behind will pass its position before its next stop.
 *
 * On a route with too many vehicles the distance shrinks with their number.
 */
export class Traffic {
  readonly #users: KnownRoadUser[] = [];
  #nextMs = Number.NEGATIVE_INFINITY;

  /**
   * Adds a vehicle. The returned function gives the distance in metres that it may drive from its position;
   * 0: not now.
   */
  join(user: RoadUser): (atMs: number) => number {
    const known: KnownRoadUser = Object.assign(user, { isIn: false });
    this.#users.push(known);
    this.changed();
    return (atMs) => this.#roomM(known, atMs);
  }

  /** A vehicle's next decision has changed from outside. */
  changed(): void {
    this.#nextMs = Number.NEGATIVE_INFINITY;
  }

  /** Advances the decisions of all vehicles to `toMs`. */
  advance(toMs: number): void {
    while (this.#nextMs <= toMs) {
      const [first] = this.#users;
      let next = first;
      let nextMs = first?.nextMs() ?? Number.POSITIVE_INFINITY;
      for (const user of this.#users) {
        const atMs = user.nextMs();
        if (atMs < nextMs) [next, nextMs] = [user, atMs];
      }
      if (nextMs <= toMs) next?.decideNext();
      else this.#nextMs = nextMs;
    }
  }

  /** Whether there is free space at the kerb where this vehicle would stop after this distance. */
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

  #roomM(user: KnownRoadUser, atMs: number): number {
    const { route, alongM } = user.placeAt(atMs);
    const others: RoadPlace[] = [];
    for (const other of this.#users) {
      if (other === user || !other.isIn) continue;
      const there = other.placeAt(atMs);
      // A vehicle at the kerb obstructs none until it returns.
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

/** The vehicle's position on this journey, this many seconds after it was made. */
export function roadPlace(
  { segment, ahead, intent, switches }: Journey,
  { route, startM }: Pick<DriveContext, 'route' | 'startM'>,
  atS: number,
): RoadPlace {
  const { from, move, engine } = segment;
  const done = travelled(segment, Math.max(atS - from.atS, 0)).wayM;
  const waits = engine === 'running' && intent.wish === 'drive' && mayDrive(switches);
  return {
    route,
    alongM: startM + from.wayM + done,
    leftM: ahead.reduce((sum, { lengthM }) => sum + lengthM, (move?.lengthM ?? 0) - done),
    drives: move !== undefined || waits,
  };
}

/** The distance between this many vehicles on a route, and the shortest distance worth driving. */
export function spacing(
  route: Pick<Route, 'lengthM'>,
  vehicles: number,
): { readonly distanceM: number; readonly shortestM: number } {
  const shareM = route.lengthM / (3 * vehicles);
  return { distanceM: Math.min(limits.followM, shareM), shortestM: Math.min(limits.shortestDriveM, shareM) };
}

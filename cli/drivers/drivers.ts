import type { Log } from '../../world/log.ts';
import type { Time } from '../../world/time.ts';
import { limits } from '../limits.ts';
import { type Driven, Driver, type DriverDesk } from './driver.ts';
import { type Asked, movedByCommand, movedByLever } from './touch.ts';

/** The drivers of a fleet at work. */
export interface Drivers {
  /** A client of the service has been answered: a vehicle that it has moved is left alone from then on. */
  answered(asked: Asked): void;
  /** So is one at which somebody has pulled a lever of the simulator. */
  pulled(asked: Asked): void;
  /** Nobody begins anything any more. */
  end(): void;
}

export interface DriversParts {
  readonly time: Time;
  readonly log: Log;
  readonly desk: DriverDesk;
  readonly fleet: readonly Driven[];
}

interface Post {
  readonly driver: Driver;
  dueMs: number;
  isBusy: boolean;
}

/** Has each vehicle of a fleet driven by its plan. One alarm for all of them; some at once ask the service. */
export function startDrivers({ time, log, desk, fleet }: DriversParts): Drivers {
  const posts: readonly Post[] = fleet.map((driven) => ({
    driver: new Driver(driven, desk),
    dueMs: time.nowMs(),
    isBusy: false,
  }));
  const byId = new Map<string, Post>();
  for (const post of posts)
    for (const id of [post.driver.driven.vehicleId, ...post.driver.driven.otherIds]) byId.set(id, post);
  let busy = 0;
  let isEnded = false;
  let cancel: () => void = () => undefined;

  const act = async (post: Post) => {
    try {
      const nowMs = time.nowMs();
      const nextMs = await post.driver.act(nowMs);
      post.dueMs = Math.min(nextMs, nowMs + limits.driversRareMs);
    } catch (error) {
      if (!isEnded) log.debug({ error: String(error) }, 'a driver could not do what was due');
      post.dueMs = time.nowMs() + limits.driversRetryMs;
    }
    post.isBusy = false;
    busy -= 1;
    look();
  };

  const look = () => {
    cancel();
    if (isEnded) return;
    const nowMs = time.nowMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const post of posts) {
      if (post.isBusy) continue;
      if (post.dueMs > nowMs) nextMs = Math.min(nextMs, post.dueMs);
      else if (busy < limits.driversAtOnce) {
        post.isBusy = true;
        busy += 1;
        void act(post);
      }
    }
    if (Number.isFinite(nextMs)) cancel = time.alarm(nextMs, look);
  };
  const leave = (id: string | undefined) => {
    if (id !== undefined) byId.get(id)?.driver.leaveUntil(time.nowMs() + limits.driversLeaveMs);
  };

  cancel = time.alarm(time.nowMs(), look);
  return {
    answered: (asked) => leave(movedByCommand(asked)),
    pulled: (asked) => leave(movedByLever(asked)),
    end: () => {
      isEnded = true;
      cancel();
    },
  };
}

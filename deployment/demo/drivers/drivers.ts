import type { Log } from '../../../world/log/log.ts';
import type { Time } from '../../../world/time/time.ts';
import { limits } from '../../shared/limits.ts';
import { type DrivenVehicle, Driver, type RentalService } from './driver.ts';
import { type AnsweredRequest, movedByCommand, movedByControlApi } from './moved-vehicles.ts';
import type { VehicleTurns } from './vehicle-turns.ts';

/** The running drivers of a fleet. */
export interface FleetDrivers {
  /** The service has answered a client: no driver touches a vehicle that the client has moved from then on. */
  answered(request: AnsweredRequest): void;
  /** The same for an action on the simulator. */
  controlled(request: AnsweredRequest): void;
  /** Drivers begin nothing more. */
  end(): void;
}

export interface DriversParts {
  readonly time: Time;
  readonly log: Log;
  readonly service: RentalService;
  readonly turns: VehicleTurns;
  readonly fleet: readonly DrivenVehicle[];
}

interface ScheduledDriver {
  readonly driver: Driver;
  dueMs: number;
  isBusy: boolean;
}

/** Lets the drivers of a fleet follow their plans. They share one timer; a few call the service at a time. */
export function startDrivers({ time, log, service, turns, fleet }: DriversParts): FleetDrivers {
  const posts: readonly ScheduledDriver[] = fleet.map((driven) => ({
    driver: new Driver(driven, service, turns),
    dueMs: time.nowMs(),
    isBusy: false,
  }));
  const byId = new Map<string, ScheduledDriver>();
  for (const post of posts)
    for (const id of [post.driver.driven.vehicleId, ...post.driver.driven.otherIds]) byId.set(id, post);
  let busy = 0;
  let isEnded = false;
  let cancel: () => void = () => undefined;

  const act = async (post: ScheduledDriver) => {
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
    answered: (request) => leave(movedByCommand(request)),
    controlled: (request) => leave(movedByControlApi(request)),
    end: () => {
      isEnded = true;
      cancel();
    },
  };
}

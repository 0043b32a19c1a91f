import { boxReadiness } from '../../backend/commands/readiness.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { DemoBox } from '../../scenarios/testbed/common/demo-configuration.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../shared/limits.ts';

export interface SettledFleetParts {
  readonly store: {
    readonly vehicles: Pick<Store['vehicles'], 'find'>;
    readonly configuration: Pick<Store['configuration'], 'read'>;
  };
  readonly time: Time;
  /** Of the vehicles that are set up. */
  readonly boxes: readonly DemoBox[];
  /** The program ends: all waits end. */
  readonly isEnded: () => boolean;
}

/**
 * Resolves once every one of these boxes accepts a command: the service knows that it is ready, and it has confirmed
 * its configuration, during which it accepts no command. It does not wait for a box that does not get that far, such as
 * one without coverage: it resolves when no further box has become ready for `limits.readyWaitMs`, and after
 * `limits.readyMostMs` in any case.
 */
export async function fleetSettled({ store, time, boxes, isEnded }: SettledFleetParts): Promise<void> {
  const beganMs = time.nowMs();
  let lastMs = beganMs;
  let open = boxes;
  const isOver = (nowMs: number) =>
    nowMs - lastMs >= limits.readyWaitMs || nowMs - beganMs >= limits.readyMostMs;
  for (;;) {
    // A bounded number each time, in turn: reading all of a large fleet would slow down the start that waits for this.
    const looked = open.filter(({ isUp }) => isUp()).slice(0, limits.readyLookBoxes);
    const take = await Promise.all(looked.map((box) => takesCommands(store, box, time.nowMs())));
    if (take.includes(true)) lastMs = time.nowMs();
    const unlooked = new Set(open);
    for (const box of looked) unlooked.delete(box);
    open = [...unlooked, ...looked.filter((_, index) => take[index] !== true)];
    if (open.length === 0 || isEnded() || isOver(time.nowMs())) return;
    await sleep(time, limits.readyLookMs);
  }
}

/** Also true where waiting is useless: the vehicle is deleted, has another box, or is not set up. */
async function takesCommands(
  store: SettledFleetParts['store'],
  { boxId, vehicleId }: DemoBox,
  nowMs: number,
): Promise<boolean> {
  const vehicle = await store.vehicles.find(vehicleId);
  if (vehicle?.boxId !== boxId || vehicle.setupStatus !== 'SUCCEEDED') return true;
  const readiness = boxReadiness(vehicle.box, nowMs);
  if (readiness === 'not-ready' || readiness === 'not-connected') return false;
  return (await store.configuration.read(boxId)).revision > 0;
}

import type { Time } from './time.ts';
import type { Life } from './virtual-life.ts';
import type { Actor, VirtualLoop } from './virtual-loop.ts';

/** The real one, taken before a sandbox forbids it to everybody else. */
const realSetImmediate = setImmediate;

/**
 * So many turns are asked for at once. The event loop runs all immediates of one phase in a row, with every promise
 * callback and every tick between two of them (nodejs.org/api/process.html#processnexttickcallback-args), and only its
 * own way around costs: 0.5 µs a turn were measured in place of 2.5 µs.
 */
const TURNS_AT_ONCE = 64;

let isTurning: boolean = false;

/**
 * Calls `step` in one turn of the real event loop after the other: when a turn begins, all promise callbacks that
 * could run have run. Resolves once `step` says false, and rejects with what it throws. A promise holds all turns
 * until it says whether to go on.
 */
export function eachTurn(step: () => boolean | Promise<boolean>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver: boolean = false;
    let isHeld: boolean = false;
    let asked = 0;
    const end = (tell: () => void): void => {
      isOver = true;
      tell();
    };
    const goOn = (goesOn: boolean): void => {
      isHeld = false;
      if (!goesOn) end(resolve);
      else if (asked === 0) ask();
    };
    const take = (): void => {
      asked -= 1;
      // What is left over of the last turns that were asked for.
      if (isOver || isHeld) return;
      try {
        const goesOn = step();
        if (typeof goesOn === 'boolean') {
          goOn(goesOn);
          return;
        }
        isHeld = true;
        goesOn.then(goOn, (error: unknown) => end(() => reject(error)));
      } catch (error) {
        end(() => reject(error));
      }
    };
    const ask = (): void => {
      asked = TURNS_AT_ONCE;
      isTurning = true;
      for (let count = 0; count < TURNS_AT_ONCE; count += 1) realSetImmediate(take);
      isTurning = false;
    };
    ask();
  });
}

/** One turn of the real event loop: when it resolves, all promise callbacks that could run have run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    isTurning = true;
    realSetImmediate(resolve);
    isTurning = false;
  });
}

/** Whether the loop is asking for its turn just now; a sandbox lets that one through. */
export function isOwnTurn(): boolean {
  return isTurning;
}

/** The clock and the alarms of `life` in the virtual world. */
export function virtualTime(loop: VirtualLoop, life: Life): Time {
  const label = `${life.name} alarm`;
  const alarms: Actor<() => void> = {
    happen(wake) {
      wake();
      return true;
    },
  };
  life.onSever(() => loop.takeBackAll(alarms));
  return {
    nowMs: () => loop.nowMs,
    alarm(dueMs, wake) {
      if (life.isSevered) return () => undefined;
      const event = loop.plan(dueMs, label, alarms, wake);
      return () => loop.takeBack(event);
    },
  };
}

import type { BoxProbe } from '../vehicles/box-looks.ts';

/** HANG and the tick after it are two steps of the firmware without other input. */
const STEPS_OF_HANG = 2;

/** The processor runs: a reset, or a loss of the supply, changes it. */
export const hasPower = (): BoxProbe => (state) => state.ram.power !== 'off';

export const isUp = (): BoxProbe => (state) => state.ram.power === 'up';

/** It is on a network or searches for one. */
export const usesNetwork = (): BoxProbe => (state) =>
  state.ram.power === 'up' && state.ram.modem.phase !== 'off';

export function measuresSignal(csq: number): () => BoxProbe {
  return () => (state) => state.ram.csq === csq;
}

/** It has something to record, even without room for it. */
export function records(): BoxProbe {
  let first: readonly number[] | undefined;
  return ({ flash, ram }) => {
    const now = [flash.journal.epoch, flash.journal.next, ram.counts.refusedRecords];
    first ??= now;
    return now.some((count, index) => count !== first?.[index]);
  };
}

/** It is being set up, records something, or its power changes, as with a supply that is too low. */
export function setsUpOrRecords(): BoxProbe {
  const hasRecord = records();
  let power: string | undefined;
  return (state) => {
    power ??= state.ram.power;
    return state.ram.setup !== undefined || state.ram.power !== power || hasRecord(state);
  };
}

/** It gets input while it hangs, apart from the hang itself; or its watchdog has reset it. */
export function missesSomething(): BoxProbe {
  let steps = 0;
  let hasHung = false;
  return ({ ram }) => {
    if (ram.hang !== undefined) {
      hasHung = true;
      steps += 1;
      return steps > STEPS_OF_HANG;
    }
    return hasHung;
  };
}

/** It answers a request with that error. */
export function answersWith(text: string): () => BoxProbe {
  return () => {
    let isThere = false;
    return ({ ram: { fault } }) => {
      if (fault?.text !== text) return isThere && fault === undefined;
      isThere = true;
      return fault.hadEffect === true;
    };
  };
}

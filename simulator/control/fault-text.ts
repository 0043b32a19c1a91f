import type { EndedFault, FaultEffect } from './fault-api.ts';

/** The effect of an active fault so far, for people. */
export function effectText(effect: FaultEffect): string {
  const { struck, times, strikesWhen, because } = effect;
  if (struck === 'not known') return `effect unknown: ${because}`;
  if (struck === 'no') return `no effect so far; it has an effect when ${strikesWhen}`;
  return times === undefined ? 'had an effect' : `had an effect ${timesText(times)} so far`;
}

/** The effect of a fault that has ended, for people. */
export function endedText({
  struck,
  times,
  strikesWhen,
  because,
  missed,
}: FaultEffect & Pick<EndedFault, 'missed'>): string {
  if (struck === 'not known') return `ended; effect unknown: ${because}`;
  if (struck === 'yes')
    return times === undefined ? 'ended; it had an effect' : `ended; it had an effect ${timesText(times)}`;
  const why = missed === undefined ? '' : `: ${missed}`;
  return `ended without an effect${why}; it has an effect when ${strikesWhen}`;
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

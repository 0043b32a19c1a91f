import type { EndedFault, FaultStrikes } from './fault-face.ts';

/** Whether a fault in force has struck so far, for people: "has struck 3 times so far". */
export function strikesText(strikes: FaultStrikes): string {
  const { struck, times, strikesWhen, because } = strikes;
  if (struck === 'not known') return `whether it has struck is not known: ${because}`;
  if (struck === 'no') return `has not struck so far; it has struck when ${strikesWhen}`;
  return times === undefined ? 'has struck' : `has struck ${timesText(times)} so far`;
}

/** Whether one that has ended struck, for people: "ended without having struck: ...". */
export function endedText({
  struck,
  times,
  strikesWhen,
  because,
  missed,
}: FaultStrikes & Pick<EndedFault, 'missed'>): string {
  if (struck === 'not known') return `ended; whether it struck is not known: ${because}`;
  if (struck === 'yes')
    return times === undefined ? 'ended; it struck' : `ended; it struck ${timesText(times)}`;
  const why = missed === undefined ? '' : `: ${missed}`;
  return `ended without having struck${why}; it has struck when ${strikesWhen}`;
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

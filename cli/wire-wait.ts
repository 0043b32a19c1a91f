import { z } from 'zod';
import { span } from '../scenarios/reports/moment.ts';

/** What is used of a box as the simulator shows it. Anything may be missing. */
const shown = z.looseObject({
  boxId: z.string().catch('?'),
  truth: z.looseObject({ ignitionOn: z.boolean().optional().catch(undefined) }).catch({}),
  belief: z
    .looseObject({
      power: z.string().optional().catch(undefined),
      session: z.string().optional().catch(undefined),
      clockMs: z.number().optional().catch(undefined),
      nextAlarmMs: z.number().nullish().catch(undefined),
    })
    .catch({}),
});

/**
 * What is waited for at the wire of a box, in a sentence or some: how the box is, when it speaks, and how it is made to.
 * `address` is that of the box at the simulator. Total: what is no box is one of which nothing is known.
 */
export function waitText(box: unknown, address: string): string {
  const { boxId, truth, belief } = shown.safeParse(box).data ?? shown.parse({});
  const { power, session = 'unknown', clockMs, nextAlarmMs } = belief;
  const head = `listening to box ${boxId}, Ctrl-C ends it.`;
  if (power !== undefined && power !== 'up')
    return `${head} The box is ${power}: it sends nothing until it is up.`;
  if (session !== 'ready')
    return `${head} Its session is "${session}": it sends once it is connected with its broker again.`;
  if (truth.ignitionOn !== false) return `${head} Its ignition is on: it sends every now and then.`;
  const alarm =
    clockMs === undefined || nextAlarmMs === undefined || nextAlarmMs === null
      ? ''
      : `, or when it wakes by itself, which it does in ${span(nextAlarmMs - clockMs)} at the latest`;
  return [
    `${head} The vehicle is parked: its box sends when something changes, such as a door, when a command comes${alarm}.`,
    `To see frames now: curl -s -X POST ${address}/drive`,
  ].join(' ');
}

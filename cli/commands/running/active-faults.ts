import { z } from 'zod';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { type CallSimulator, type SimulatorAnswer, simulatorRefusal } from '../../shared/simulator-client.ts';

const faults = z.looseObject({
  words: z.array(
    z.looseObject({
      of: z.string(),
      name: z.string(),
      does: z.string(),
      example: z.record(z.string(), z.unknown()),
      isOfBoxes: z.boolean(),
      lasts: z.boolean(),
    }),
  ),
  in_force: z.array(
    z.looseObject({
      id: z.string(),
      fault: z.record(z.string(), z.unknown()),
      boxes: z.array(z.string()).optional(),
      struck: z.string().optional(),
      untilMs: z.number().optional(),
    }),
  ),
});

/** What the control API says of faults: their kinds, and the active ones. */
export type Faults = z.infer<typeof faults>;
export type ActiveFault = Faults['in_force'][number];

/** None in a fleet of several processes, which takes no faults. Throws a `CommandError` where the simulator refuses. */
export async function activeFaults(call: CallSimulator): Promise<Faults> {
  const answer = await call('GET', '/faults');
  return answer.status === 404 ? { words: [], in_force: [] } : parsed(faults, answer);
}

/** The body of an answer. Throws a `CommandError` where it has another form. */
export function parsed<Content>(schema: z.ZodType<Content>, answer: SimulatorAnswer): Content {
  const read = schema.safeParse(answer.body);
  if (read.success) return read.data;
  throw new CommandError(simulatorRefusal(answer), 1);
}

import type { Comparison } from './compare.ts';
import type { ClientProgram, ExchangeDefinition, QueueDefinition } from './program.ts';
import { EXCHANGES, type ProgramStep, QUEUES } from './program.ts';

const PLAIN_QUEUE: QueueDefinition = { durable: false, exclusive: false, autoDelete: false, args: {} };
const PLAIN_EXCHANGE: ExchangeDefinition = {
  type: 'direct',
  durable: false,
  autoDelete: false,
  internal: false,
  args: {},
};

/** A program whose queues and exchanges are plain where nothing is said. */
export function programOf(
  steps: readonly ProgramStep[],
  queues: readonly Partial<QueueDefinition>[] = [],
  exchanges: readonly Partial<ExchangeDefinition>[] = [],
): ClientProgram {
  return {
    queues: Array.from({ length: QUEUES }, (_, index) => ({ ...PLAIN_QUEUE, ...queues[index] })),
    exchanges: Array.from({ length: EXCHANGES }, (_, index) => ({ ...PLAIN_EXCHANGE, ...exchanges[index] })),
    steps,
  };
}

/** Leaves out of a program whatever its difference does not need. */
export async function smallestProgram(
  program: ClientProgram,
  compare: (program: ClientProgram) => Promise<Comparison>,
): Promise<{ readonly program: ClientProgram; readonly comparison: Comparison }> {
  let best = { program, comparison: await compare(program) };
  const attempt = async (smaller: ClientProgram): Promise<void> => {
    if (best.comparison.difference === undefined) return;
    const comparison = await compare(smaller);
    if (comparison.difference !== undefined) best = { program: smaller, comparison };
  };
  const { queues, exchanges } = program;
  // What follows the difference has no part in it.
  const needed = best.comparison.steps + 1 - QUEUES - EXCHANGES;
  await attempt({ queues, exchanges, steps: program.steps.slice(0, Math.max(0, needed)) });
  for (let size = Math.ceil(best.program.steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = best.program.steps.length - size; at >= 0; at -= size)
      await attempt({ queues, exchanges, steps: best.program.steps.toSpliced(at, size) });
  for (const [index, queue] of queues.entries()) {
    const withQueue = (other: QueueDefinition): ClientProgram => ({
      queues: best.program.queues.with(index, other),
      exchanges: best.program.exchanges,
      steps: best.program.steps,
    });
    await attempt(withQueue(PLAIN_QUEUE));
    for (const name of Object.keys(queue.args)) {
      const now = best.program.queues[index] ?? PLAIN_QUEUE;
      const args = Object.fromEntries(Object.entries(now.args).filter(([each]) => each !== name));
      const { durable, exclusive, autoDelete } = now;
      if (now.args[name] !== undefined) await attempt(withQueue({ durable, exclusive, autoDelete, args }));
    }
  }
  for (const index of exchanges.keys())
    await attempt({
      queues: best.program.queues,
      exchanges: best.program.exchanges.with(index, PLAIN_EXCHANGE),
      steps: best.program.steps,
    });
  return best;
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddedBroker, rabbitBroker } from '../support/amqp/contract-brokers.ts';
import { clientProgram } from '../support/amqp/programs/arbitrary.ts';
import { comparePrograms } from '../support/amqp/programs/compare.ts';
import type { ClientProgram } from '../support/amqp/programs/program.ts';
import { ProgramRunner } from '../support/amqp/programs/run.ts';
import { smallestProgram } from '../support/amqp/programs/smallest.ts';
import { rabbitmq, withService } from '../support/run/external-services.ts';

/** Each runs its programs one after the other, beside the others: most of the time they wait. */
const SEEDS = [1, 2, 3, 4, 5];
const PROGRAMS_OF_A_SEED = 80;

await withService(rabbitmq, ({ url }) => {
  test('random programs of clients see the same of the embedded broker as of RabbitMQ', async () => {
    const [theirs, ours] = [rabbitBroker(url), await embeddedBroker()];
    let steps = 0;
    const compareSeed = async (seed: number): Promise<readonly string[]> => {
      const [one, other] = [await ProgramRunner.open(theirs.account), await ProgramRunner.open(ours.account)];
      const compare = async (program: ClientProgram) => {
        const comparison = await comparePrograms(program, one, other);
        steps += comparison.steps;
        return comparison;
      };
      try {
        for (const program of fc.sample(clientProgram, { seed, numRuns: PROGRAMS_OF_A_SEED })) {
          if ((await compare(program)).difference === undefined) continue;
          const { program: smallest, comparison } = await smallestProgram(program, compare);
          return [
            `seed ${seed}: first RabbitMQ, second the embedded broker: ${comparison.difference}\n${JSON.stringify(smallest)}`,
          ];
        }
      } finally {
        one.close();
        other.close();
      }
      return [];
    };
    const differences = await Promise.all(SEEDS.map(compareSeed));
    await ours.close();
    expect(differences.flat()).toEqual([]);
    // A comparison that ends early says nothing about the rest of its program.
    expect(steps).toBeGreaterThan(SEEDS.length * PROGRAMS_OF_A_SEED * 20);
  });
});

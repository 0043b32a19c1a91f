import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramRunner } from '../support/amqp/programs/run.ts';
import { programOf } from '../support/amqp/programs/smallest.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';
import { PROGRAMS } from './amqp-consumer-program-rows.ts';

/** What a broker says to the last steps of programs. */
export function programContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: programs of clients`, () => {
    let fixture: AmqpBrokerFixture;
    let runner: ProgramRunner;

    beforeAll(async () => {
      fixture = await open();
      runner = await ProgramRunner.open(fixture.account);
    });
    afterAll(async () => {
      runner.close();
      await fixture.close();
    });

    test.each(PROGRAMS.map((row) => [row.name, row] as const))('%s', async (_, row) => {
      const { steps, queues, exchanges } = row;
      const patience = { rounds: fixture.kind === 'embedded' ? 3 : 5, pauseMs: 2 };
      const seen = await runner.run(programOf(steps, queues, exchanges), ownPrefix(), patience);
      expect(seen.at(-1)?.lines).toEqual(row.says);
    });
  });
}

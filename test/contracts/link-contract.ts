import { afterEach, beforeEach, describe } from 'vitest';
import type { Session } from '../../world/link.ts';
import { type LinkStage, linkBench } from './link-bench.ts';
import { linkMessages } from './link-messages.ts';
import { linkSessions } from './link-sessions.ts';

/** The behaviour that every fulfilment of `Link` has in common. `setUp` is called for each test. */
export function linkContract(name: string, setUp: () => Promise<LinkStage>): void {
  describe(`link: ${name}`, () => {
    let stage: LinkStage;
    let sessions: Session[];

    beforeEach(async () => {
      stage = await setUp();
      sessions = [];
    });
    afterEach(async () => {
      for (const session of sessions) session.drop();
      await stage.close();
    });

    const bench = linkBench(
      () => stage,
      (session) => sessions.push(session),
    );
    linkSessions(bench);
    linkMessages(bench);
  });
}

import type { Verdict } from '../../verdict.ts';
import type { PointPlan } from '../point.ts';
import type { BoxEvidence } from './box-evidence.ts';
import {
  judgeClock,
  judgeDirections,
  judgeFrames,
  judgeHello,
  judgeOrder,
  judgePresence,
} from './sent-judges.ts';
import { judgeConfiguration, judgeOnce, judgeRepeats, judgeReply, judgeReset } from './trial-judges.ts';

const plan = (name: string, about: string, heading: string): PointPlan => ({
  id: `box/${name}`,
  about,
  clause: `docs/wire.md, ${heading}`,
});

/** The promises of a box on the wire, with their judges. */
export const BOX_POINTS: readonly {
  readonly plan: PointPlan;
  readonly judge: (evidence: BoxEvidence) => Verdict;
}[] = [
  {
    plan: plan(
      'frames',
      'Every payload is made of frames by the layouts, on a topic of the box.',
      'The envelope',
    ),
    judge: judgeFrames,
  },
  {
    plan: plan(
      'directions',
      'A box sends what goes up, and birth and gone alone on its presence topic.',
      'Topics',
    ),
    judge: judgeDirections,
  },
  {
    plan: plan(
      'hello',
      'A connection begins with birth and hello of one connection, and is ready after the receipt.',
      'A connection',
    ),
    judge: judgeHello,
  },
  {
    plan: plan(
      'presence',
      'The connection counter only rises, and a reset ends with gone or going-down.',
      'A connection',
    ),
    judge: judgePresence,
  },
  {
    plan: plan(
      'order',
      'Sequences rise without gaps; one place in the journal holds one record.',
      'The envelope',
    ),
    judge: judgeOrder,
  },
  {
    plan: plan('clock', 'After the first receipt the box knows the time.', 'A connection'),
    judge: judgeClock,
  },
  {
    plan: plan('status', 'request-system-status is answered with the status.', 'A connection'),
    judge: ({ trials }) =>
      judgeReply(trials.status, ['done'], ({ status }) => status !== undefined || 'it has no system status'),
  },
  {
    plan: plan('state', 'request-vehicle-state is answered with the signals.', 'A connection'),
    judge: ({ trials }) =>
      judgeReply(
        trials.state,
        ['done', 'unsupported'],
        ({ outcome, signals }) => outcome !== 'done' || signals !== undefined || 'it has no signals',
      ),
  },
  {
    plan: plan(
      'expiry',
      'A command past its expiry is answered expired, and not carried out.',
      'A connection',
    ),
    judge: ({ trials }) => judgeReply(trials.expired, ['expired']),
  },
  {
    plan: plan('at most once', 'A command that comes twice is answered by one record.', 'A connection'),
    judge: judgeOnce,
  },
  {
    plan: plan(
      'configuration',
      'A higher revision is taken, the same one confirmed, a lower one refused.',
      'A connection',
    ),
    judge: judgeConfiguration,
  },
  {
    plan: plan('repeats', 'A record without a receipt is sent again.', 'A connection'),
    judge: judgeRepeats,
  },
  {
    plan: plan(
      'reset',
      'A reset is confirmed; boot counter and connection rise, the epoch stays, and the box is ready again.',
      'A connection',
    ),
    judge: judgeReset,
  },
];

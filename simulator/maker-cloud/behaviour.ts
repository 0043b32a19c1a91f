import { z } from 'zod';
import { makerLimits } from '../limits.ts';

/** How the cloud treats all calls, and whether it sends notifications. */
export const behaviourSchema = z.strictObject({
  calls: z.discriminatedUnion('manner', [
    z.strictObject({ manner: z.literal('right') }),
    /** Answers with this status and its own error body. */
    z.strictObject({ manner: z.literal('error'), status: z.int().min(400).max(599) }),
    z.strictObject({ manner: z.literal('rate-limit'), retry_after_in_seconds: z.int().min(0).max(3_600) }),
    /** Takes the call and does not answer; with `after_acting` it first carries out the request. */
    z.strictObject({ manner: z.literal('silence'), after_acting: z.boolean() }),
    z.strictObject({
      manner: z.literal('slow'),
      delay_in_milliseconds: z.int().min(0).max(makerLimits.slowestMs),
    }),
    /** Answers 200 with a body of another form. */
    z.strictObject({ manner: z.literal('nonsense') }),
  ]),
  push: z.boolean(),
});

export type MakerBehaviour = z.infer<typeof behaviourSchema>;

export const NORMAL_BEHAVIOUR: MakerBehaviour = { calls: { manner: 'right' }, push: true };

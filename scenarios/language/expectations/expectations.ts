import { z } from 'zod';
import { FEATURES } from '../../../backend/configuration/features.ts';
import { TOPICS } from '../../../contract/messages.ts';
import { PROBLEMS } from '../../../contract/problems.ts';
import { PROPERTIES, type PropertyName } from '../../../contract/properties.ts';
import { languageLimits } from '../../limits.ts';
import { json, span } from '../document/quantity.ts';
import { BOTH_WORLDS, type WordRow, wordRow } from '../document/word-row.ts';
import { orRemembered } from '../steps/remembered-value.ts';

const name = z.string().min(1).max(languageLimits.nameCharacters);
const count = orRemembered(z.int().min(0));
const httpStatus = orRemembered(z.int().min(100).max(599));
const problemTypes = [...new Set(Object.values(PROBLEMS).map(({ type }) => type))];
const propertyNames = Object.keys(PROPERTIES) as PropertyName[];

/** Values that differ from a plain one; an object of none of these words is compared part by part. */
export const COMPARISONS = {
  above: 'A number above this one.',
  below: 'A number below this one.',
  at_least: 'This number or more.',
  at_most: 'This number or less.',
  not: 'Anything but what matches this.',
  one_of: 'Something that matches one of these.',
  like: 'A text that holds a match of this regular expression.',
  present: 'true: there is a value. false: there is none.',
} as const;

/** A value to compare with: JSON, or comparisons in place of a value. */
const pattern = json;

/** What each expectation evaluates, and the words that belong to it. */
export const EXPECTATIONS = {
  answer: wordRow({
    settings: z.strictObject({
      /** Of the step's own call; with `of`, of the call of that step. */
      status: z.union([httpStatus, z.array(httpStatus).min(1)]).optional(),
      problem: orRemembered(z.enum(problemTypes)).optional(),
      body: pattern.optional(),
      of: name.optional(),
    }),
    does: "The answer to the step's call, or to that of the step labelled `of`: its status (or a list of those that are right), the type of its problem, its body.",
    example: { status: 504, problem: '/problems/vehicle/no-connection' },
    worlds: BOTH_WORLDS,
  }),
  state: wordRow({
    settings: z.strictObject({ state: z.partialRecord(z.enum(propertyNames), pattern) }),
    does: 'The latest vehicle state, as the service answers it: properties with their values.',
    example: { state: { central_lock: 'UNLOCKED', speed_in_kph: { below: 1 } } },
    worlds: BOTH_WORLDS,
  }),
  message: wordRow({
    settings: z.strictObject({
      message: z.enum(TOPICS.map((topic) => topic.message)),
      with: z
        .strictObject({
          /** A step that lasts, by its label, or `weather` or `break`: any step of the kind. */
          occurred_during: name.optional(),
          /** Of the message, part by part. */
          body: pattern.optional(),
          /** Of the properties in its vehicle state. */
          state: z.partialRecord(z.enum(propertyNames), pattern).optional(),
          /** The name of the queue that it reached. */
          queue: pattern.optional(),
          /** The owner of that queue. */
          fleet: orRemembered(z.enum(['own', 'partner', 'stranger'])).optional(),
        })
        .optional(),
      count: count.optional(),
    }),
    does: 'A message of this name about the vehicle, since the step began: from within the time of a fault, with such a body or state, in a queue of that name or of that fleet; at least one, or exactly `count`; with `count: 0` none until the end of `within`.',
    example: { message: 'VehicleStateReceived', with: { occurred_during: 'weather' } },
    worlds: BOTH_WORLDS,
  }),
  bulk: wordRow({
    settings: z.strictObject({
      bulk: z.strictObject({
        status: orRemembered(z.enum(['PENDING', 'RUNNING', 'COMPLETED'])).optional(),
        total: pattern.optional(),
        pending: pattern.optional(),
        applied: pattern.optional(),
        failed: pattern.optional(),
        job: name.optional(),
      }),
    }),
    does: 'The last bulk job, or that of the step labelled `job`: its status and counts.',
    example: { bulk: { status: 'COMPLETED', failed: 0, applied: { at_least: 3 } } },
    worlds: BOTH_WORLDS,
  }),
  life_status: wordRow({
    settings: z.strictObject({ life_status: orRemembered(z.enum(['ONLINE', 'STANDBY', 'OFFLINE'])) }),
    does: 'The life status that the service gives for the vehicle.',
    example: { life_status: 'OFFLINE' },
    worlds: BOTH_WORLDS,
  }),
  setup_status: wordRow({
    settings: z.strictObject({
      setup_status: orRemembered(z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED'])),
    }),
    does: 'The setup status of the vehicle.',
    example: { setup_status: 'SUCCEEDED' },
    worlds: BOTH_WORLDS,
  }),
  vehicle: wordRow({
    settings: z.strictObject({ vehicle: z.record(name, pattern) }),
    does: "The vehicle's record, as GET /vehicles/{id} answers it, part by part.",
    example: { vehicle: { operation_status: { value: 'GARAGE' } } },
    worlds: BOTH_WORLDS,
  }),
  feature: wordRow({
    settings: z.strictObject({
      feature: z.enum(FEATURES.map((feature) => feature.name)),
      is: orRemembered(z.enum(['ACTIVE', 'ACTIVATING', 'INACTIVE'])).optional(),
      parameters: z.record(name, pattern).optional(),
    }),
    does: 'The configuration of a feature, as the service answers it: ACTIVE where nothing is said, and these parameters.',
    example: { feature: 'tracking', is: 'ACTIVE', parameters: { time_interval_in_seconds: 15 } },
    worlds: BOTH_WORLDS,
  }),
  journal: wordRow({
    settings: z.strictObject({
      journal: z.union(
        [
          z.literal('empty'),
          ...(['above', 'below', 'at_least', 'at_most'] as const).map((word) =>
            z.strictObject({ [word]: count }),
          ),
        ],
        'empty, or one of above, below, at_least and at_most with a number of records, as { above: 3 }',
      ),
    }),
    does: 'The journal in the flash of the box: empty, or a number of records.',
    example: { journal: 'empty' },
    worlds: BOTH_WORLDS,
  }),
  connected: wordRow({
    settings: z.strictObject({ connected: orRemembered(z.boolean()) }),
    does: 'Whether the box is in a session with its broker, as it believes itself.',
    example: { connected: true },
    worlds: BOTH_WORLDS,
  }),
  truth: wordRow({
    settings: z.strictObject({ truth: z.record(name, pattern) }),
    does: 'The physical truth of the vehicle, whatever anybody believes of it, by the names of the control face.',
    example: { truth: { locked: false } },
    worlds: BOTH_WORLDS,
  }),
  belief: wordRow({
    settings: z.strictObject({ belief: z.record(name, pattern) }),
    does: 'What the box believes, by the names of the control face.',
    example: { belief: { firmware: '2.40' } },
    worlds: BOTH_WORLDS,
  }),
  phone: wordRow({
    settings: z.strictObject({
      phone: orRemembered(z.enum(['done', 'refused', 'hindered', 'failed', 'silent'])),
    }),
    does: "The box's answer to the step's `bluetooth`.",
    example: { phone: 'done' },
    worlds: BOTH_WORLDS,
  }),
  took: wordRow({
    settings: z.strictObject({
      took: z
        .strictObject({ at_least: span.optional(), at_most: span.optional() })
        .refine((given) => Object.keys(given).length > 0, 'at_least, at_most or both'),
    }),
    does: "How long the answer to the step's call took.",
    example: { took: { at_most: '2s' } },
    worlds: BOTH_WORLDS,
  }),
} as const satisfies Readonly<Record<string, WordRow<z.ZodObject>>>;

export type ExpectationKind = keyof typeof EXPECTATIONS;

/** The expected state: `{ kind: 'answer', status: 504, problem: '/problems/vehicle/no-connection' }`. */
export type Expectation = {
  [Kind in ExpectationKind]: { readonly kind: Kind } & Readonly<
    z.output<(typeof EXPECTATIONS)[Kind]['settings']>
  >;
}[ExpectationKind];

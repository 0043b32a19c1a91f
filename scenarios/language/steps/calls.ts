import { z } from 'zod';
import { FEATURES } from '../../../backend/configuration/features.ts';
import { COMMAND_OPERATIONS, CONNECTIVITY_OPERATIONS } from '../../../contract/command-operations.ts';
import type { FeatureName } from '../../../contract/features.ts';
import { TOPICS } from '../../../contract/messages.ts';
import { languageLimits } from '../../limits.ts';
import { json } from '../document/quantity.ts';
import { BOTH_WORLDS, type ChosenWord, type WordTable, wordRow } from '../document/word-row.ts';

/** Where each command's endpoint is, below the vehicle: `commands`, `box-commands`, `box-connectivity-commands`. */
export const COMMAND_FOLDERS: ReadonlyMap<string, string> = new Map(
  [...COMMAND_OPERATIONS, ...CONNECTIVITY_OPERATIONS].map(({ name = '', path }) => [
    name,
    path.split('/').at(-2) ?? '',
  ]),
);

const featureNames = FEATURES.map(({ name }) => name);
const parametersOf = (name: FeatureName) => FEATURES.find((one) => one.name === name)?.parameters;

/** Features with their parameters, all of which are optional. */
export const features = z
  .strictObject(
    Object.fromEntries(
      featureNames.map((name) => [name, (parametersOf(name) ?? z.strictObject({})).optional()]),
    ) as Record<FeatureName, z.ZodOptional<z.ZodType<Readonly<Record<string, unknown>>>>>,
  )
  .refine((given) => Object.keys(given).length > 0, `a feature: ${featureNames.join(', ')}`);

const changes = z
  .strictObject(
    Object.fromEntries(
      featureNames.map((name) => [name, (parametersOf(name) ?? z.strictObject({})).nullable().optional()]),
    ) as Record<FeatureName, z.ZodOptional<z.ZodNullable<z.ZodType<Readonly<Record<string, unknown>>>>>>,
  )
  .refine((given) => Object.keys(given).length > 0, `a feature: ${featureNames.join(', ')}`);

const name = z.string().min(1).max(languageLimits.nameCharacters);
const path = z
  .string()
  .max(languageLimits.pathCharacters)
  .regex(/^\/\S*$/, 'a path such as /vehicles/{vehicle}; {vehicle}, {box}, {job} and {fleet} are filled in');
const body = json;
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Requests to the service. One request for each vehicle that `on` selects, unless the row says otherwise. */
export const CALLS = {
  command: wordRow({
    settings: z.enum([...COMMAND_FOLDERS.keys()]),
    does: 'Sends the vehicle a command, by its name in the path.',
    example: 'unlock-central-lock',
    worlds: BOTH_WORLDS,
  }),
  configure: wordRow({
    settings: features,
    does: 'Puts the configuration of features, one request each; what is left out is at its default.',
    example: { tracking: { time_interval_in_seconds: 15 } },
    worlds: BOTH_WORLDS,
  }),
  deactivate: wordRow({
    settings: z.enum(featureNames),
    does: 'Deletes the configuration of a feature.',
    example: 'smoke-detection',
    worlds: BOTH_WORLDS,
  }),
  bulk: wordRow({
    settings: changes,
    does: 'Orders one bulk job for all selected vehicles: features with their parameters, null for one that is deactivated.',
    example: { tracking: { time_interval_in_seconds: 30 }, 'smoke-detection': null },
    worlds: BOTH_WORLDS,
  }),
  token: wordRow({
    settings: name,
    does: 'Fetches a token of the client once, and keeps it under this name; calls use it with `bearer`.',
    example: 'morning',
    worlds: BOTH_WORLDS,
  }),
  get: wordRow({
    settings: path,
    does: 'Gets a path, in which {vehicle}, {box}, {job} and {fleet} are filled in; once where it names no vehicle and no box.',
    example: '/vehicles/{vehicle}',
    worlds: BOTH_WORLDS,
  }),
  patch: wordRow({
    settings: z.record(name, body),
    does: "Changes the vehicle's record by this body.",
    example: { operation_status: { value: 'GARAGE' } },
    worlds: BOTH_WORLDS,
  }),
  onboard: wordRow({
    settings: z.strictObject({}),
    does: 'Makes a vehicle around a box of the shelf.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  offboard: wordRow({
    settings: z.strictObject({}),
    does: 'Deletes the vehicle.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  share: wordRow({
    settings: name,
    does: 'Shares the vehicle with that fleet.',
    example: 'partner',
    worlds: BOTH_WORLDS,
  }),
  unshare: wordRow({
    settings: z.strictObject({}),
    does: 'Ends the sharing of the vehicle.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  subscribe: wordRow({
    settings: z.strictObject({
      name,
      topics: z.array(z.enum(TOPICS.map(({ topic }) => topic))).min(1),
    }),
    does: 'Subscribes to topics once, with this name as the discriminator of its queues.',
    example: { name: 'night', topics: ['VehicleState_v1'] },
    worlds: BOTH_WORLDS,
  }),
  unsubscribe: wordRow({
    settings: name,
    does: 'Deletes the subscription of this name.',
    example: 'night',
    worlds: BOTH_WORLDS,
  }),
  request: wordRow({
    settings: z.strictObject({
      method,
      path,
      body: body.optional(),
      headers: z.record(name, z.string().max(languageLimits.pathCharacters)).optional(),
    }),
    does: 'Any request; once where its path names no vehicle and no box.',
    example: { method: 'POST', path: '/vehicles/{vehicle}/commands/draw-attention', body: {} },
    worlds: BOTH_WORLDS,
  }),
} as const satisfies WordTable;

/** Clients that exist without being declared. */
export const CALLERS = {
  owner: "A client of the vehicle's own fleet with every permission.",
  partner: 'A client of the second fleet with every permission.',
  stranger: 'A client of a fleet that has nothing to do with the vehicle.',
  nobody: 'No token.',
  forged: 'A right token with another signature.',
} as const;

/** One call: its request, its client, and its kept token. */
export type ScenarioCall = ChosenWord<typeof CALLS> & {
  /** A client of the scenario, or a row of `CALLERS`; absent: the owner. */
  readonly as?: string;
  /** The name of a token that `token` has kept; absent: a valid one. */
  readonly bearer?: string;
  /** Parts of the answer (`body.id`, `headers.etag`, `status`) by the names under which they are kept. */
  readonly remember?: Readonly<Record<string, string>>;
};

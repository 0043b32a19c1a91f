import { z } from 'zod';
import { PERMISSIONS } from '../../backend/access/permissions.ts';
import { isReleased, NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../../protocol/firmware.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { RADIO_SETTINGS } from '../../simulator/radio/setting.ts';
import { ROUTE_TABLES } from '../../simulator/routes/routes.ts';
import { SIM_PROVIDER_NAMES } from '../../simulator/sim-provider/names.ts';
import { BREAKS } from './breaks.ts';
import { CALLS, features } from './calls.ts';
import { CHECKER_NAMES, CHECKERS, EVERY_CHECKER } from './checkers.ts';
import { EXPECTATIONS } from './expectations.ts';
import { ALSO, describe, type JsonSchema, oneOf, says, settingsOf } from './keyed.ts';
import { limits } from './limits.ts';
import { json, probability, span } from './quantity.ts';
import { VEHICLE_ACTS } from './vehicle-acts.ts';
import { WEATHER } from './weather.ts';

const NAME_WORDS = 'a name of letters, digits, - and _, beginning with a letter or a digit';
/** Of scenarios, groups, clients, labels. */
const name = z
  .string(NAME_WORDS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, NAME_WORDS)
  .max(limits.nameCharacters);

/** One value or a list of them. */
function some<Item extends z.ZodType>(item: Item, most: number, least = 1): z.ZodType {
  const list = z.array(item).min(least).max(most);
  const schema = z.preprocess((given) => (Array.isArray(given) ? given : [given]), list);
  ALSO.set(schema, ({ description, ...own }) => ({
    ...(description === undefined ? {} : { description }),
    anyOf: [own.items as JsonSchema, own],
  }));
  return schema;
}

const FIRMWARE_WORDS = `a firmware in quotes, "${OLDEST_FIRMWARE.join('.')}" to "${NEWEST_FIRMWARE.join('.')}"`;
const firmware = z
  .string(FIRMWARE_WORDS)
  .regex(/^\d{1,3}\.\d{1,3}$/, FIRMWARE_WORDS)
  .refine((text) => {
    const [major = 0, minor = 0] = text.split('.').map(Number);
    return isReleased([major, minor]);
  }, FIRMWARE_WORDS)
  .meta({ format: 'firmware' });

export const MODEL_NAMES: readonly string[] = [...MODELS.keys()];
export const MAKER_MODEL_NAMES: readonly string[] = [...MAKER_MODELS.keys()];

export const groupSchema = z.strictObject({
  as: says(name, 'By which steps name this group; absent: fleet-0 and so on, by its place.').optional(),
  count: says(z.int().min(1).max(limits.boxes), 'How many vehicles.').prefault(1),
  model: says(
    z.enum([...MODEL_NAMES, ...MAKER_MODEL_NAMES]),
    'The model of the vehicles; absent: drawn from the seed for each.',
  ).optional(),
  firmware: says(firmware, 'The firmware of the boxes; absent: drawn.').optional(),
  sim: says(z.enum(SIM_PROVIDER_NAMES), 'Whose SIM cards are in the boxes; absent: drawn.').optional(),
  maker: says(
    z.enum(['northwind']),
    "The vehicles have this maker's telematics in place of a box.",
  ).optional(),
  generation: says(z.literal([1, 2]), 'Of the boxes: 1 or 2; absent: drawn.').optional(),
  hardware_revision: says(z.int().min(1).max(6), 'Of the boxes: 1 to 3 are of generation 1.').optional(),
  route: says(
    z.enum(ROUTE_TABLES.map((table) => table.name)),
    'On which the vehicles are; absent: one at home, drawn.',
  ).optional(),
  driving: says(z.boolean(), 'Whether they drive at the beginning; absent: drawn.').optional(),
  features: says(
    z.union([z.literal('demo'), z.literal('none'), features]),
    'What is configured before the first step: as in the demonstration (demo), nothing, or these features.',
  ).prefault('demo'),
  maintenance: says(z.boolean(), 'Whether the maintenance set is booked.').prefault(false),
  on_shelf: says(z.boolean(), 'The boxes are in the stock, in no vehicle record yet.').prefault(false),
  fleet: says(z.enum(['own', 'partner']), 'Whose vehicles they are.').prefault('own'),
  journal_records: says(
    z.int().min(8).max(1_000_000),
    'How many records the journal holds; absent: the usual.',
  ).optional(),
  radio: says(
    z.enum(RADIO_SETTINGS),
    'How true to the road link, motors and receiver are; absent: ideal, where nothing of that takes time.',
  ).optional(),
});

const clientSchema = z.strictObject({
  name: says(name, 'By which `as` names it.'),
  fleet: says(z.enum(['own', 'partner', 'stranger']), 'Whose client it is.').prefault('own'),
  permissions: says(
    z.array(z.enum(PERMISSIONS.map((one) => one.name))),
    'What it may do; absent: everything.',
  ).optional(),
});

const selectionObject = z.strictObject({
  group: says(name, 'Of this group of the fleet; absent: of all.').optional(),
  box: says(z.int().min(1), 'The vehicle with this number; the first one is 1.').optional(),
  count: says(z.int().min(1), 'So many, drawn from the seed.').optional(),
  fraction: says(probability, 'This share of them, drawn from the seed.').optional(),
  same_as: says(name, 'Those that the step with this label selected.').optional(),
  others_than: says(name, 'All but those.').optional(),
});
const selection = z.preprocess(
  (given) => (typeof given === 'string' ? (given === 'all' ? {} : { group: given }) : given),
  selectionObject,
);
ALSO.set(selection, ({ description, ...own }) => ({
  ...(description === undefined ? {} : { description }),
  anyOf: [{ type: 'string', description: 'all, or a group' }, own],
}));

const expectationSchema = z.strictObject(
  Object.fromEntries(
    Object.values(EXPECTATIONS).flatMap((row) =>
      Object.entries(row.settings.shape).map(([word, schema]) => [
        word,
        says(schema as z.ZodType, describe(row)).optional(),
      ]),
    ),
  ),
);

export const stepSchema = z.strictObject({
  label: says(name, 'By which other steps name this one.').optional(),
  at: says(span, 'When it begins, counted from the beginning.').optional(),
  after: says(name, 'It begins when the step with this label is over.').optional(),
  delay: says(span, 'So much later: after `after`, or after all steps before it.').optional(),
  for: says(span, 'How long that lasts which the step lays or breaks; absent: to the end.').optional(),
  within: says(span, 'How long the expectations may take to come to hold, and `never` must not.').optional(),
  on: says(selection, 'Which vehicles; absent: all.').optional(),
  call: says(
    oneOf(CALLS, {
      as: says(name, 'A client; absent: the owner.').optional(),
      bearer: says(name, 'A token that a step has kept.').optional(),
    }),
    'Asks the service for something.',
  ).optional(),
  weather: says(oneOf(WEATHER), "What a network does to the boxes' connections.").optional(),
  break: says(
    oneOf(
      Object.fromEntries(
        Object.entries(BREAKS).map(([part, table]) => [
          part,
          {
            settings: oneOf(table),
            does: `What breaks in this part: ${Object.keys(table).join(', ')}.`,
            example: Object.keys(table)[0],
            worlds: { virtual: true, real: true },
          },
        ]),
      ),
    ),
    'A part that breaks.',
  ).optional(),
  expect: says(some(expectationSchema, limits.expectations), 'What has to come to hold.').optional(),
  never: says(some(expectationSchema, limits.expectations), 'What must not hold at any time.').optional(),
  ...Object.fromEntries(Object.entries(VEHICLE_ACTS).map(([word, row]) => [word, settingsOf(row)])),
});

const checkers = z.enum([EVERY_CHECKER, ...CHECKER_NAMES]);

/** A scenario as it is written. Which names exist, and what fits together, check.ts knows. */
export const documentSchema = z.strictObject({
  $schema: says(z.string(), 'For editors.').optional(),
  name: says(name, 'Of the scenario.'),
  about: says(z.string().min(1).max(limits.aboutCharacters), 'Why there is this scenario, one sentence.'),
  seed: says(z.int().min(0).max(4_294_967_295), 'Of all that is drawn.').prefault(1),
  fleet: says(z.array(groupSchema).min(1).max(limits.fleetGroups), 'The vehicles, in groups that are alike.'),
  clients: says(
    z.array(clientSchema).max(limits.clients),
    'Clients of the service beside owner, partner, stranger, nobody and forged.',
  ).prefault([]),
  steps: says(z.array(stepSchema).min(1).max(limits.steps), 'What happens and what is expected.'),
  always: says(
    some(checkers, CHECKER_NAMES.length + 1, 0),
    `What is watched all the time. ${Object.entries(CHECKERS)
      .map(([word, does]) => `${word}: ${does}`)
      .join(' ')}`,
  ).prefault([EVERY_CHECKER]),
  vary: says(
    z.record(
      z.string().max(limits.pathCharacters),
      z.union(
        [z.string().max(limits.pathCharacters), z.array(json).min(1).max(limits.choices)],
        'a range such as 1s..10m, 1..5 or 0.1..0.9, or a list of choices',
      ),
    ),
    'Values that may be others: a path such as steps[1].for with a range (1s..10m) or a list of choices.',
  ).prefault({}),
  limits: says(
    z.strictObject({
      duration: says(
        span,
        'How long the run goes on at least; absent: until its last step is over.',
      ).optional(),
      heal: says(span, 'How long what is pending may take to settle in the end.').prefault('10m'),
    }),
    'Of the run.',
  ).prefault({}),
});

export type ParsedDocument = z.output<typeof documentSchema>;
export type ParsedStep = z.output<typeof stepSchema>;
export type ParsedGroup = z.output<typeof groupSchema>;

import { z } from 'zod';
import { PERMISSIONS } from '../../../contract/permissions.ts';
import { CHECKER_NAMES, CHECKER_TEXTS, EVERY_CHECKER } from '../../../judge/checkers.ts';
import { isReleased, NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../../../protocol/firmware.ts';
import { knownModelNames } from '../../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { MQTT_SESSIONS, RADIO_SETTINGS, SIM_PROVIDER_NAMES } from '../../../simulator/box-plan.ts';
import { driveColumnsSchema } from '../../../simulator/recorded-drives/columns.ts';
import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import { languageLimits } from '../../limits.ts';
import { EXPECTATIONS } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS, features } from '../steps/calls.ts';
import { TRIGGER_OF, TRIGGERS } from '../steps/triggers.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import { describe, described, type JsonSchema, oneOf, PUBLISHED_FORMS, settingsOf } from './keyed.ts';
import { json, probability, span } from './quantity.ts';

const NAME_WORDS = 'a name of letters, digits, - and _, beginning with a letter or a digit';
/** Of scenarios, groups, clients, labels. */
const name = z
  .string(NAME_WORDS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, NAME_WORDS)
  .max(languageLimits.nameCharacters);

/** One value or a list of them. */
function some<Item extends z.ZodType>(item: Item, most: number, least = 1): z.ZodType {
  const list = z.array(item).min(least).max(most);
  const schema = z.preprocess((given) => (Array.isArray(given) ? given : [given]), list);
  PUBLISHED_FORMS.set(schema, ({ description, ...own }) => ({
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

export const MAKER_MODEL_NAMES: readonly string[] = [...MAKER_MODELS.keys()];

/** A choice whose words depend on the user's own models, which are loaded later. */
const modelNames = () => [...knownModelNames(), ...MAKER_MODEL_NAMES];
const model = z.unknown().check((context) => {
  const { value } = context;
  if (value === undefined || (typeof value === 'string' && modelNames().includes(value))) return;
  const values = modelNames();
  context.issues.push({ code: 'invalid_value', values, input: value });
}) as unknown as z.ZodType<string, string>;
PUBLISHED_FORMS.set(model, ({ description }) => ({
  ...(description === undefined ? {} : { description }),
  type: 'string',
  enum: modelNames(),
}));

export const groupSchema = z.strictObject({
  as: described(name, 'By which steps name this group; absent: fleet-0 and so on, by its place.').optional(),
  count: described(z.int().min(1).max(languageLimits.boxes), 'How many vehicles.').prefault(1),
  model: described(model, 'The model of the vehicles; absent: drawn from the seed for each.').optional(),
  firmware: described(firmware, 'The firmware of the boxes; absent: drawn.').optional(),
  sim: described(z.enum(SIM_PROVIDER_NAMES), 'Whose SIM cards are in the boxes; absent: drawn.').optional(),
  maker: described(
    z.enum(['northwind']),
    "The vehicles have this maker's telematics in place of a box.",
  ).optional(),
  generation: described(z.literal([1, 2]), 'Of the boxes: 1 or 2; absent: drawn.').optional(),
  hardware_revision: described(z.int().min(1).max(6), 'Of the boxes: 1 to 3 are of generation 1.').optional(),
  route: described(
    z.enum(ROUTE_TABLES.map((table) => table.name)),
    'On which the vehicles are; absent: one at home, drawn.',
  ).optional(),
  recorded_drive: described(
    z.string().min(1).max(languageLimits.pathCharacters),
    'A recorded drive that the vehicles replay, as a file next to the scenario: GPX with times, GeoJSON with times, or CSV.',
  ).optional(),
  drive_columns: described(
    driveColumnsSchema,
    'The columns of a recorded drive in CSV: a name, or column and unit, for the time also column and format; absent: by their names.',
  ).optional(),
  driving: described(z.boolean(), 'Whether they drive at the beginning; absent: drawn.').optional(),
  features: described(
    z.union([z.literal('demo'), z.literal('none'), features]),
    'What is configured before the first step: as in the demonstration (demo), nothing, or these features.',
  ).prefault('demo'),
  maintenance: described(z.boolean(), 'Whether the maintenance set is booked.').prefault(false),
  on_shelf: described(z.boolean(), 'The boxes are in the stock, in no vehicle record yet.').prefault(false),
  fleet: described(z.enum(['own', 'partner']), 'Whose vehicles they are.').prefault('own'),
  journal_records: described(
    z.int().min(8).max(1_000_000),
    'How many records the journal holds; absent: the usual.',
  ).optional(),
  mqtt_session: described(
    z.enum(MQTT_SESSIONS),
    'Whether the broker keeps the session of a box while it is away, and what is sent to it meanwhile: persistent; absent: clean.',
  ).optional(),
  radio: described(
    z.enum(RADIO_SETTINGS),
    'How true to the road link, motors and receiver are; absent: ideal, where nothing of that takes time.',
  ).optional(),
});

const clientSchema = z.strictObject({
  name: described(name, 'By which `as` names it.'),
  fleet: described(z.enum(['own', 'partner', 'stranger']), 'Whose client it is.').prefault('own'),
  permissions: described(
    z.array(z.enum(PERMISSIONS.map((one) => one.name))),
    'What it may do; absent: everything.',
  ).optional(),
});

const selectionObject = z.strictObject({
  group: described(name, 'Of this group of the fleet; absent: of all.').optional(),
  box: described(z.int().min(1), 'The vehicle with this number; the first one is 1.').optional(),
  count: described(z.int().min(1), 'This number, drawn from the seed.').optional(),
  fraction: described(probability, 'This share of them, drawn from the seed.').optional(),
  same_as: described(name, 'Those that the step with this label selected.').optional(),
  others_than: described(name, 'All but those.').optional(),
});
const selection = z.preprocess(
  (given) => (typeof given === 'string' ? (given === 'all' ? {} : { group: given }) : given),
  selectionObject,
);
PUBLISHED_FORMS.set(selection, ({ description, ...own }) => ({
  ...(description === undefined ? {} : { description }),
  anyOf: [{ type: 'string', description: 'all, or a group' }, own],
}));

const expectationSchema = z.strictObject(
  Object.fromEntries(
    Object.values(EXPECTATIONS).flatMap((row) =>
      Object.entries(row.settings.shape).map(([word, schema]) => [
        word,
        described(schema as z.ZodType, describe(row)).optional(),
      ]),
    ),
  ),
);

const PART_WORDS = 'a part of the answer: status, headers.etag, body or body.items[0].id';
const answerPart = z
  .string(PART_WORDS)
  .max(languageLimits.pathCharacters)
  .regex(/^(?:status|headers\.[A-Za-z][\w-]*|body(?:\.[A-Za-z_][\w-]*|\[\d{1,6}\])*)$/, PART_WORDS);

const positiveSpan = span.refine((ms) => ms > 0, 'more than 0s');

const repeatSchema = z.strictObject({
  every: described(positiveSpan, 'From the beginning of one round to that of the next.'),
  for: described(
    positiveSpan,
    'Rounds begin as long as this time from the first one is not over.',
  ).optional(),
  times: described(z.int().min(1).max(languageLimits.rounds), 'The number of rounds.').optional(),
});

const POINT_WORDS = 'a latitude and a longitude in degrees, such as [52.52, 13.40]';
const geoPoint = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)], POINT_WORDS);
const placeSchema = z.strictObject({
  around: described(geoPoint, 'The middle of a circle: latitude, longitude.').optional(),
  radius_m: described(z.number().min(1).max(1_000_000), 'Its radius in metres.').optional(),
  polygon: described(
    z.array(geoPoint).min(3).max(languageLimits.corners),
    'Its corners, each a latitude and a longitude; the last is joined to the first.',
  ).optional(),
});

const triggerSchema = oneOf(TRIGGERS, {
  of: described(
    z.enum(Object.keys(TRIGGER_OF) as (keyof typeof TRIGGER_OF)[]),
    `Whose it is. ${Object.entries(TRIGGER_OF)
      .map(([word, does]) => `${word}: ${does}`)
      .join(' ')}`,
  ).optional(),
  within: described(span, 'How long the step waits for it; 10 min.').optional(),
});

export const stepSchema = z.strictObject({
  label: described(name, 'By which other steps name this one.').optional(),
  at: described(span, 'When it begins, counted from the beginning.').optional(),
  after: described(name, 'It begins when the step with this label is over.').optional(),
  delay: described(
    span,
    'So much later: after `after`, after all steps before it, or after `when`.',
  ).optional(),
  when: described(
    triggerSchema,
    'It begins when this happens next, counted from when it would begin without it.',
  ).optional(),
  repeat: described(repeatSchema, 'It is done again and again: in rounds, each as the step says.').optional(),
  for: described(span, 'How long the fault of the step lasts; absent: to the end.').optional(),
  within: described(
    span,
    'How long the expectations may take to come to hold, and `never` must not.',
  ).optional(),
  on: described(selection, 'Which vehicles; absent: all.').optional(),
  in: described(
    placeSchema,
    'Where the weather lies: those that `on` selects have it as long as they are there.',
  ).optional(),
  call: described(
    oneOf(CALLS, {
      as: described(name, 'A client; absent: the owner.').optional(),
      bearer: described(name, 'A token that a step has kept.').optional(),
      remember: described(
        z.record(name, answerPart),
        'Keeps parts of the answer under these names; later calls and expectations have them as {name}.',
      ).optional(),
    }),
    'Asks the service for something.',
  ).optional(),
  weather: described(oneOf(WEATHER), "What a network does to the boxes' connections.").optional(),
  break: described(
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
  expect: described(
    some(expectationSchema, languageLimits.expectations),
    'What has to come to hold.',
  ).optional(),
  never: described(
    some(expectationSchema, languageLimits.expectations),
    'What must not hold at any time.',
  ).optional(),
  ...Object.fromEntries(Object.entries(VEHICLE_ACTS).map(([word, row]) => [word, settingsOf(row)])),
});

const checkers = z.enum([EVERY_CHECKER, ...CHECKER_NAMES]);

/** A scenario as it is written. check.ts checks names and consistency. */
export const documentSchema = z.strictObject({
  $schema: described(z.string(), 'For editors.').optional(),
  name: described(name, 'Of the scenario.'),
  about: described(
    z.string().min(1).max(languageLimits.aboutCharacters),
    'Why there is this scenario, one sentence.',
  ),
  seed: described(z.int().min(0).max(4_294_967_295), 'Of all that is drawn.').prefault(1),
  fleet: described(
    z.array(groupSchema).min(1).max(languageLimits.fleetGroups),
    'The vehicles, in groups that are alike.',
  ),
  clients: described(
    z.array(clientSchema).max(languageLimits.clients),
    'Clients of the service in addition to owner, partner, stranger, nobody and forged.',
  ).prefault([]),
  backends: described(
    z.int().min(1).max(languageLimits.backends),
    'How many backends serve the boxes, each some of them, on one store.',
  ).prefault(1),
  rate_limit: described(
    z.int().min(1).max(languageLimits.callsPerMinute),
    'How many calls a minute each client may make, of all backends together; absent: as many as it likes.',
  ).optional(),
  steps: described(
    z.array(stepSchema).min(1).max(languageLimits.steps),
    'What happens and what is expected.',
  ),
  always: described(
    some(checkers, CHECKER_NAMES.length + 1, 0),
    `What is watched all the time. ${Object.entries(CHECKER_TEXTS)
      .map(([word, does]) => `${word}: ${does}`)
      .join(' ')}`,
  ).prefault([EVERY_CHECKER]),
  vary: described(
    z.record(
      z.string().max(languageLimits.pathCharacters),
      z.union(
        [z.string().max(languageLimits.pathCharacters), z.array(json).min(1).max(languageLimits.choices)],
        'a range such as 1s..10m, 1..5 or 0.1..0.9, or a list of choices',
      ),
    ),
    'Values that may be others: a path such as steps[1].for with a range (1s..10m) or a list of choices.',
  ).prefault({}),
  strict: described(
    z.boolean(),
    'A step without its effect (a refused act, a fault that changes nothing) makes the run fail; otherwise it is a warning.',
  ).prefault(false),
  limits: described(
    z.strictObject({
      duration: described(
        span,
        'How long the run goes on at least; absent: until its last step is over.',
      ).optional(),
      heal: described(span, 'How long what is pending may take to settle in the end.').prefault('10m'),
    }),
    'Of the run.',
  ).prefault({}),
});

export type ParsedDocument = z.output<typeof documentSchema>;
export type ParsedStep = z.output<typeof stepSchema>;
export type ParsedGroup = z.output<typeof groupSchema>;

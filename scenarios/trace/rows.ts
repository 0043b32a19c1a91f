import { z } from 'zod';

const described = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description });

const moment = described(z.int().min(0), 'When: milliseconds since 1970 on the clock of the world.');
const vehicle = described(z.int().min(1), 'The vehicle by its place in the fleet, from 1.');
const words = z.string();

/** The rows of a trace file, one JSON object a line, by their `kind`. */
export const ROWS = {
  header: z.strictObject({
    kind: z.literal('header'),
    format: described(z.literal('boxtwin-trace/1'), 'What file this is.'),
    scenario: described(words, 'The name of the scenario.'),
    seed: described(z.int().min(0), 'The seed of the run.'),
    world: described(z.enum(['virtual', 'real']), 'The world that it was run in.'),
    document: described(
      z.record(z.string(), z.unknown()),
      'The whole scenario as it was run, with its seed: what a scenario file holds.',
    ).optional(),
  }),
  begin: z.strictObject({
    kind: z.literal('begin'),
    at_ms: moment,
    start: described(
      words,
      'The same moment for people. From it the times of a scenario (`at`) are counted.',
    ),
  }),
  vehicle: z.strictObject({
    kind: z.literal('vehicle'),
    at_ms: moment,
    vehicle,
    group: described(words, 'Its group in the scenario.'),
    model: described(words, 'Its model.'),
    fleet: described(z.enum(['own', 'partner']), 'Whose it is.'),
    box_id: described(words, 'Its box; absent for a car of a maker.').optional(),
    firmware: described(words, "The box's firmware at the beginning, where it is known.").optional(),
    session: described(z.boolean(), 'Whether it was in a session with its broker at the beginning.'),
    driving: described(
      z.boolean(),
      'Whether it was to drive from the beginning, where the scenario said so.',
    ).optional(),
  }),
  event: z.strictObject({
    kind: z.literal('event'),
    at_ms: moment,
    who: described(words, 'Who: `box/<id>`, `backend`, `broker`, `loop` and others.'),
    what: described(words, 'What, in kebab-case: `frame-up`, `connect`.'),
    detail: described(words, 'More, where there is more; bytes in hex at its end.').optional(),
  }),
  connectivity: z.strictObject({
    kind: z.literal('connectivity'),
    at_ms: moment,
    vehicle,
    state: described(
      z.enum(['off', 'offline', 'connecting', 'connected', 'ready']),
      'How far the box believes its session to be.',
    ),
  }),
  journal: z.strictObject({
    kind: z.literal('journal'),
    at_ms: moment,
    vehicle,
    held: described(z.int().min(0), "Records in the box's journal."),
  }),
  place: z.strictObject({
    kind: z.literal('place'),
    at_ms: moment,
    vehicle,
    latitude: described(z.number(), 'The true position in degrees, every few seconds while it moves.'),
    longitude: described(z.number(), 'The same.'),
    heading: described(z.int().min(0).max(360), 'Where it heads, in degrees from north.'),
    speed_kph: described(z.number().min(0), 'How fast it is.'),
  }),
  fault: z.strictObject({
    kind: z.literal('fault'),
    at_ms: moment,
    name: described(words, 'Weather or broken part and its word: `weather coverage`, `broker restart`.'),
    detail: described(words, 'Its settings, as JSON or as the one word they are.'),
    vehicles: described(
      z.array(vehicle),
      'The vehicles that it affected; empty where it affected the service or a broker.',
    ),
    phase: described(z.enum(['begins', 'ends', 'happens']), 'Its begin, its end, or both at once.'),
  }),
  act: z.strictObject({
    kind: z.literal('act'),
    at_ms: moment,
    vehicle,
    name: described(words, 'What was done to the vehicle.'),
    refusal: described(words, 'Why it could not be done.').optional(),
  }),
  call: z.strictObject({
    kind: z.literal('call'),
    at_ms: moment,
    call: described(z.int().min(1), 'Which call, from 1.'),
    vehicle: vehicle.optional(),
    what: described(words, 'What was asked of the service.'),
    as: described(words, 'As which client.'),
  }),
  answer: z.strictObject({
    kind: z.literal('answer'),
    at_ms: moment,
    call: described(z.int().min(1), 'To which call.'),
    vehicle: vehicle.optional(),
    status: described(z.int(), 'The HTTP status; 0 where none came.'),
    problem: described(words, 'The type of the problem.').optional(),
    detail: described(words, 'Its detail.').optional(),
    took_ms: described(z.number().min(0), 'How long it took.'),
  }),
  message: z.strictObject({
    kind: z.literal('message'),
    at_ms: moment,
    vehicle: vehicle.optional(),
    vehicle_id: described(words, 'The vehicle by its id.'),
    name: described(words, 'The name of the message.'),
    queue: described(words, 'The queue that it came to lie in.'),
    message_id: described(words, 'Its id.'),
  }),
  service: z.strictObject({
    kind: z.literal('service'),
    at_ms: moment,
    state: described(z.enum(['up', 'down']), 'Whether the backend runs.'),
    reason: described(words, 'Why that changed.'),
  }),
  step: z.strictObject({
    kind: z.literal('step'),
    at_ms: moment,
    step: described(z.int().min(0), 'Which step, from 0.'),
    phase: described(z.enum(['begins', 'ends']), 'Its begin or its end.'),
  }),
  expectation: z.strictObject({
    kind: z.literal('expectation'),
    at_ms: moment,
    step: described(z.int().min(0), 'Of which step, from 0.'),
    expectation: described(z.int().min(0), 'Which of its expectations, from 0.'),
    vehicle: vehicle.optional(),
    is_met: described(z.boolean(), 'Whether it came to hold.'),
    text: described(words, 'What was expected, and what was there.'),
  }),
  finding: z.strictObject({
    kind: z.literal('finding'),
    at_ms: moment,
    checker: described(words, 'Which checker found it.'),
    vehicle: vehicle.optional(),
    text: described(words, 'What is wrong.'),
  }),
  end: z.strictObject({
    kind: z.literal('end'),
    at_ms: moment,
    verdict: described(z.enum(['passed', 'failed', 'stuck', 'crashed']), 'How the run ended.'),
    rows: described(z.int().min(0), 'The number of rows before this one.'),
    hash: described(
      z.string().regex(/^[0-9a-f]{64}$/),
      "The hash of the run's trace, over its `event` rows alone; absent in the real world.",
    ).optional(),
  }),
} as const;

export const traceRow = z.discriminatedUnion('kind', [
  ROWS.header,
  ROWS.begin,
  ROWS.vehicle,
  ROWS.event,
  ROWS.connectivity,
  ROWS.journal,
  ROWS.place,
  ROWS.fault,
  ROWS.act,
  ROWS.call,
  ROWS.answer,
  ROWS.message,
  ROWS.service,
  ROWS.step,
  ROWS.expectation,
  ROWS.finding,
  ROWS.end,
]);

export type TraceRow = z.output<typeof traceRow>;
export type RowKind = keyof typeof ROWS;
export type RowOf<Kind extends RowKind> = z.output<(typeof ROWS)[Kind]>;

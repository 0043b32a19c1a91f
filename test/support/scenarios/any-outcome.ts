import fc from 'fast-check';
import { CHECKER_NAMES } from '../../../judge/checkers.ts';
import type { Fact } from '../../../judge/evidence/fact.ts';
import { readScenario } from '../../../scenarios/language/document/read.ts';
import type { PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import { TUNNEL } from './tunnel-example.ts';

const reading = readScenario(TUNNEL, 'tunnel.yaml');
if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
export const SCENARIO = reading.scenario;

export const START_MS = 1_767_592_800_000;
const LONGEST_MS = 90_000_000;
const VEHICLES = 3;

/** Any text, also such as would break out of markup, or that XML cannot hold. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '</script><script>',
    '"><b onload=x>',
    "' & ]]> <!--",
    '\u0000\u001b[2J',
    '\ud800',
    '$& $1',
  ),
);

const atMs = fc.integer({ min: START_MS, max: START_MS + LONGEST_MS });
const vehicle = fc.integer({ min: 1, max: VEHICLES });
const maybe = { requiredKeys: [] as [] };
const someone = fc.record({ vehicle }, maybe);
const finding = fc.tuple(
  fc.record({ checker: fc.constantFrom(...CHECKER_NAMES), text: anyText }),
  fc.record({ vehicle, atMs }, maybe),
);
const call = fc.integer({ min: 1, max: 4 });

const fact: fc.Arbitrary<Fact> = fc
  .tuple(
    atMs,
    fc.oneof(
      fc.record({
        kind: fc.constant('connectivity' as const),
        vehicle,
        state: fc.constantFrom('off', 'offline', 'connecting', 'connected', 'ready'),
      }),
      fc.record({ kind: fc.constant('journal' as const), vehicle, held: fc.nat() }),
      fc.record({
        kind: fc.constant('fault' as const),
        name: anyText,
        detail: anyText,
        vehicles: fc.uniqueArray(vehicle, { maxLength: 3 }),
        phase: fc.constantFrom('begins', 'ends', 'happens'),
      }),
      fc.record({ kind: fc.constant('act' as const), vehicle, name: anyText, refusal: anyText }),
      fc
        .tuple(fc.record({ kind: fc.constant('call' as const), call, what: anyText, as: anyText }), someone)
        .map(merged),
      fc
        .tuple(
          fc.record({
            kind: fc.constant('answer' as const),
            call,
            status: fc.constantFrom(0, 200, 302, 404, 504),
            tookMs: fc.nat(),
          }),
          fc.record({ vehicle, problem: anyText, detail: anyText }, maybe),
        )
        .map(merged),
      fc
        .tuple(
          fc.record({
            kind: fc.constant('message' as const),
            vehicleId: anyText,
            name: anyText,
            queue: anyText,
            messageId: anyText,
          }),
          someone,
        )
        .map(merged),
      fc.record({
        kind: fc.constant('service' as const),
        state: fc.constantFrom('up', 'down'),
        reason: anyText,
      }),
      fc.record({
        kind: fc.constant('step' as const),
        step: fc.nat(5),
        phase: fc.constantFrom('begins', 'ends'),
      }),
      fc
        .tuple(
          fc.record({
            kind: fc.constant('expectation' as const),
            step: fc.nat(5),
            expectation: fc.nat(2),
            isMet: fc.boolean(),
            text: anyText,
          }),
          someone,
        )
        .map(merged),
      finding.map((parts) => ({ kind: 'finding' as const, finding: merged(parts) })),
    ),
  )
  .map(([at, kind]) => ({ atMs: at, ...kind }) as Fact);

const expectation = fc
  .tuple(
    fc.record({
      step: fc.nat(5),
      expectation: fc.nat(2),
      isNever: fc.boolean(),
      result: fc.constantFrom('passed' as const, 'failed' as const),
      atMs,
      text: anyText,
      findings: fc.array(fc.record({ text: anyText }), { maxLength: 1 }),
    }),
    fc.record({ vehicle, label: anyText }, maybe),
  )
  .map(merged);

const warning = fc
  .tuple(fc.record({ step: fc.nat(5), atMs, text: anyText }), fc.record({ vehicle, label: anyText }, maybe))
  .map(merged);

const checker = fc
  .record({
    checker: fc.constantFrom(...CHECKER_NAMES),
    findings: fc.array(finding.map(merged), { maxLength: 8 }),
    text: anyText,
    unfailed: fc.constantFrom('passed' as const, 'not-seen' as const),
  })
  .map(({ unfailed, ...one }) => ({
    ...one,
    result: one.findings.length > 0 ? ('failed' as const) : unfailed,
  }));

/** Any outcome, even one that no run could have. */
export const anyOutcome: fc.Arbitrary<RunOutcome> = fc
  .tuple(
    fc.record({
      about: anyText,
      verdict: fc.constantFrom('passed' as const, 'failed' as const, 'stuck' as const, 'crashed' as const),
      world: fc.constantFrom('virtual' as const, 'real' as const),
      lengthMs: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(LONGEST_MS)),
      expectations: fc.array(expectation, { maxLength: 12 }),
      checkers: fc.uniqueArray(checker, { maxLength: 4, selector: (one) => one.checker }),
      warnings: fc.array(warning, { maxLength: 8 }),
      facts: fc.array(fact, { maxLength: 40 }),
    }),
    fc.record({ reason: anyText, hash: fc.constant('ab12') }, maybe),
  )
  .map(([{ about, lengthMs, facts, ...rest }, more]) => ({
    ...rest,
    ...more,
    scenario: { ...SCENARIO, about },
    seed: SCENARIO.seed,
    startMs: START_MS,
    endMs: START_MS + lengthMs,
    facts: [...facts].sort((one, other) => one.atMs - other.atMs),
    warningsDropped: 0,
    factsDropped: 0,
    vehicles: Array.from({ length: VEHICLES }, (_, index) => ({
      number: index + 1,
      vehicleId: `V${index}`,
      group: about,
      model: 'petrol-compact',
    })),
  }));

export const anyPlayedScenario: fc.Arbitrary<PlayedScenario> = fc.record({
  file: anyText,
  outcome: anyOutcome,
  wallMs: fc.nat(10_000),
  repeat: anyText,
});

function merged<One extends object, Other extends object>([one, other]: [One, Other]): One & Other {
  return { ...one, ...other };
}

import { z } from 'zod';
import type { Scenario } from '../language/document/scenario.ts';
import { reportLimits } from '../limits.ts';
import { EXIT_CODES, expectationText } from '../run/outcome.ts';
import { failureBlocks, failuresOf } from './failure.ts';
import { exitCodeOf, type PlayedScenario, pathOf } from './played-scenario.ts';
import { stepPath } from './step-text.ts';
import { timelineAround } from './timeline.ts';

const vehicle = z.int().min(1).meta({ description: 'the place in the fleet, from 1' });
const ofStep = {
  step_number: z.int().min(1).meta({ description: 'the step, from 1, as the other reports name it' }),
  line: z.int().min(1).optional().meta({ description: 'of the step in the file' }),
};
const fromStart = z.number().meta({ description: 'milliseconds from the beginning of the scenario' });

/** The shape of a JSON report. Times are milliseconds from the beginning of the scenario. */
export const jsonReportSchema = z.strictObject({
  format: z.literal(1),
  exit_code: z.int().meta({ description: 'of the command: 130 where it was ended' }),
  not_run: z.int().meta({ description: 'scenarios that were given and not run, since the run was ended' }),
  scenarios: z.array(
    z.strictObject({
      file: z.string(),
      name: z.string(),
      about: z.string(),
      world: z.enum(['virtual', 'real']),
      seed: z.number(),
      verdict: z.enum(['passed', 'failed', 'stuck', 'crashed']),
      reason: z.string().optional().meta({ description: 'why it is stuck or crashed' }),
      exit_code: z.int(),
      started_at: z.string().meta({ description: 'on the clock of its world' }),
      virtual_ms: z.number(),
      wall_ms: z.number(),
      trace_hash: z.string().optional(),
      repeat: z.string().meta({ description: 'the command that does the same again' }),
      expectations: z.array(
        z.strictObject({
          path: z.string().meta({ description: 'as in `vary`, numbers from 0: steps[3].expect[0]' }),
          ...ofStep,
          vehicle: vehicle.optional(),
          met: z.boolean(),
          at_ms: fromStart,
          text: z.string(),
        }),
      ),
      warnings: z
        .array(
          z.strictObject({
            step: z.string().meta({ description: 'its path and what it does: steps[3] weather cut' }),
            ...ofStep,
            vehicle: vehicle.optional(),
            at_ms: fromStart,
            text: z.string(),
          }),
        )
        .meta({ description: 'steps that did not do what they say; with `strict` they fail the run' }),
      warnings_dropped: z.int().meta({ description: 'later warnings, too many to be kept' }),
      checkers: z.array(
        z.strictObject({
          checker: z.string(),
          seen: z.string(),
          findings: z.array(
            z.strictObject({ vehicle: vehicle.optional(), at_ms: fromStart.optional(), text: z.string() }),
          ),
        }),
      ),
      timelines: z
        .array(
          z.strictObject({
            of: z.string(),
            vehicle: vehicle.optional(),
            text: z.string(),
            lines: z.array(z.strictObject({ at_ms: fromStart, text: z.string() })),
            left_out: z.int(),
          }),
        )
        .meta({
          description: `what happened around the first failure of each, of ${reportLimits.timelines} at most`,
        }),
      vehicles: z.array(
        z.strictObject({
          number: vehicle,
          vehicle_id: z.string(),
          box_id: z.string().optional(),
          group: z.string(),
          model: z.string(),
          firmware: z.string().optional(),
        }),
      ),
      facts: z.int(),
      facts_dropped: z.number(),
    }),
  ),
});

export type JsonReport = z.infer<typeof jsonReportSchema>;

/** The report for programs. What happened in full is in the trace. */
export function jsonReport(
  all: readonly PlayedScenario[],
  notRun: number,
  exitCode: number = exitCodeOf(all),
): JsonReport {
  return {
    format: 1,
    exit_code: exitCode,
    not_run: notRun,
    scenarios: all.map(scenarioJson),
  };
}

function scenarioJson({ file, outcome, wallMs, repeat }: PlayedScenario): JsonReport['scenarios'][number] {
  const { scenario, startMs, endMs, verdict } = outcome;
  return {
    file,
    name: scenario.name,
    about: scenario.about,
    world: outcome.world,
    seed: outcome.seed,
    verdict,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    exit_code: EXIT_CODES[verdict],
    started_at: new Date(startMs).toISOString(),
    virtual_ms: endMs - startMs,
    wall_ms: Math.round(wallMs),
    ...(outcome.hash === undefined ? {} : { trace_hash: outcome.hash }),
    repeat,
    expectations: outcome.expectations.map((one) => ({
      path: pathOf(scenario, one),
      ...placeOf(scenario, one),
      ...vehicleOf(one),
      met: one.result === 'passed',
      at_ms: one.atMs - startMs,
      text: expectationText(one),
    })),
    warnings: outcome.warnings.map((one) => ({
      step: stepPath(scenario, one.step),
      ...placeOf(scenario, one),
      ...vehicleOf(one),
      at_ms: one.atMs - startMs,
      text: one.text,
    })),
    warnings_dropped: outcome.warningsDropped,
    checkers: outcome.checkers.map(({ checker, text, findings }) => ({
      checker,
      seen: text,
      findings: findings.map((finding) => ({
        ...vehicleOf(finding),
        ...(finding.atMs === undefined ? {} : { at_ms: finding.atMs - startMs }),
        text: finding.text,
      })),
    })),
    timelines: failureBlocks(failuresOf(outcome)).map(({ first, of }) => {
      const { lines, leftOut } = timelineAround(first, outcome);
      return {
        of,
        ...vehicleOf(first),
        text: first.text,
        lines: lines.map(({ atMs, text }) => ({ at_ms: atMs, text })),
        left_out: leftOut,
      };
    }),
    vehicles: outcome.vehicles.map(({ number, vehicleId, boxId, group, model, firmware }) => ({
      number,
      vehicle_id: vehicleId,
      ...(boxId === undefined ? {} : { box_id: boxId }),
      group,
      model,
      ...(firmware === undefined ? {} : { firmware }),
    })),
    facts: outcome.facts.length,
    facts_dropped: outcome.factsDropped,
  };
}

function placeOf({ stepLines }: Scenario, { step }: { readonly step: number }) {
  const line = stepLines?.[step];
  return { step_number: step + 1, ...(line === undefined ? {} : { line }) };
}

function vehicleOf({ vehicle: number }: { readonly vehicle?: number }) {
  return number === undefined ? {} : { vehicle: number };
}

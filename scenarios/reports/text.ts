import { counted } from '../../judge/wording.ts';
import { reportLimits } from '../limits.ts';
import type { CheckerOutcome, RunOutcome } from '../run/outcome.ts';
import { durationText, runTimeText, shortened } from '../run/time-text.ts';
import { failureBlocks, failuresOf } from './failure.ts';
import { type ExpectationGroup, groupsOf, type PlayedScenario } from './played-scenario.ts';
import { timelineAround } from './timeline.ts';
import { summarizeWarnings } from './warning-groups.ts';

/** A line of a report; the caller that prints it chooses the colours. */
export interface ReportLine {
  readonly tone: 'good' | 'bad' | 'plain' | 'quiet';
  readonly text: string;
}

/** The outcome of one scenario: its verdict, each expectation, each checker, and what happened around failures. */
export function scenarioText(played: PlayedScenario): readonly ReportLine[] {
  const { file, outcome, wallMs, repeat } = played;
  const { scenario, verdict, startMs, endMs, seed, world, hash, checkers, factsDropped } = outcome;
  const isGood = verdict === 'passed';
  return [
    {
      tone: isGood ? 'good' : 'bad',
      text: `${isGood ? '✓' : '✗'} ${scenario.name} ${verdict}: ${durationText(endMs - startMs)} in the ${world} world in ${durationText(wallMs)}, seed ${seed}  (${file})`,
    },
    ...groupsOf(outcome).flatMap((group) => groupLines(group, startMs)),
    ...warningLines(outcome),
    ...checkers.flatMap((checker) => checkerLines(checker, startMs)),
    ...(isGood ? [] : failureLines(played)),
    ...(factsDropped === 0
      ? []
      : [
          quiet(
            `  more happened than is kept: ${factsDropped} of the older facts were dropped, and the timeline of a failure may lack some`,
          ),
        ]),
    ...(isGood ? [] : [{ tone: 'plain', text: `  repeat: ${repeat}` } as const]),
    ...(hash === undefined ? [] : [quiet(`  trace hash: ${hash}`)]),
  ];
}

/** The last line of a whole run. */
export function summaryText(all: readonly PlayedScenario[], notRun: number): readonly ReportLine[] {
  const passed = all.filter(({ outcome }) => outcome.verdict === 'passed').length;
  const wallMs = all.reduce((sum, one) => sum + one.wallMs, 0);
  const virtualMs = all.reduce((sum, { outcome }) => sum + outcome.endMs - outcome.startMs, 0);
  const others = (['failed', 'stuck', 'crashed'] as const)
    .map((verdict) => ({
      verdict,
      count: all.filter(({ outcome }) => outcome.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `, ${count} ${verdict}`)
    .join('');
  const rest = notRun === 0 ? '' : `, ${notRun} not run`;
  return [
    {
      tone: passed === all.length && notRun === 0 ? 'good' : 'bad',
      text: `${counted(all.length, 'scenario')}: ${passed} passed${others}${rest}; ${durationText(virtualMs)} in ${durationText(wallMs)}`,
    },
  ];
}

function groupLines({ name, met, unmet }: ExpectationGroup, startMs: number): readonly ReportLine[] {
  const all = met.length + unmet.length;
  if (unmet.length === 0) {
    const [first] = met;
    if (first === undefined) return [];
    const lastMs = met.reduce((last, { atMs }) => Math.max(last, atMs), 0);
    const text =
      met.length === 1
        ? `${vehicleOf(first.vehicle)}${shortened(first.text, reportLimits.characters)}`
        : `all ${met.length} vehicles, such as: ${shortened(first.text, reportLimits.characters)}`;
    return [{ tone: 'good', text: `  ✓ ${runTimeText(lastMs - startMs)} ${name} ${text}` }];
  }
  return [
    { tone: 'bad', text: `  ✗ ${name}${all === 1 ? '' : `: ${unmet.length} of ${all} vehicles`}` },
    ...unmet.slice(0, reportLimits.listedFailures).map(
      ({ vehicle, text, atMs }): ReportLine => ({
        tone: 'bad',
        text: `      ${runTimeText(atMs - startMs)} ${vehicleOf(vehicle)}${shortened(text, reportLimits.characters)}`,
      }),
    ),
    ...more(unmet.length),
  ];
}

/** Steps without the effect that they state, all of them. */
function warningLines(outcome: RunOutcome): readonly ReportLine[] {
  const isStrict = outcome.scenario.isStrict === true;
  const { groups, rest } = summarizeWarnings(outcome);
  return [
    ...groups.map(
      ({ name, atMs, text }): ReportLine => ({
        tone: isStrict ? 'bad' : 'plain',
        text: `  ${isStrict ? '✗' : '!'} ${runTimeText(atMs - outcome.startMs)} ${name}: ${text}`,
      }),
    ),
    ...(rest === undefined ? [] : [quiet(`      ${rest}`)]),
  ];
}

function checkerLines(
  { checker, result, findings, text: seen }: CheckerOutcome,
  startMs: number,
): readonly ReportLine[] {
  if (result === 'not-seen') return [quiet(`  - ${checker}: ${seen}`)];
  if (result === 'passed') return [{ tone: 'good', text: `  ✓ ${checker}: ${seen}` }];
  return [
    { tone: 'bad', text: `  ✗ ${checker}: ${counted(findings.length, 'finding')}; ${seen}` },
    ...findings.slice(0, reportLimits.listedFailures).map(
      ({ vehicle, atMs, text }): ReportLine => ({
        tone: 'bad',
        text: `      ${atMs === undefined ? '' : `${runTimeText(atMs - startMs)} `}${vehicleOf(vehicle)}${shortened(text, reportLimits.characters)}`,
      }),
    ),
    ...more(findings.length),
  ];
}

function failureLines({ outcome }: PlayedScenario): readonly ReportLine[] {
  return failureBlocks(failuresOf(outcome)).flatMap(({ first, title }): readonly ReportLine[] => {
    const { lines, leftOut } = timelineAround(first, outcome);
    const head: ReportLine =
      first.kind === 'run'
        ? { tone: 'bad', text: `  ✗ ${first.text}` }
        : { tone: 'plain', text: `  around ${title}:` };
    return [
      head,
      ...(leftOut > 0 ? [quiet(`      (${leftOut} more are not shown)`)] : []),
      ...lines.map(({ atMs, text }) => quiet(`      ${runTimeText(atMs)} ${text}`)),
    ];
  });
}

function more(count: number): readonly ReportLine[] {
  return count <= reportLimits.listedFailures
    ? []
    : [quiet(`      and ${count - reportLimits.listedFailures} more`)];
}

function vehicleOf(vehicle: number | undefined): string {
  return vehicle === undefined ? '' : `vehicle ${vehicle}: `;
}

function quiet(text: string): ReportLine {
  return { tone: 'quiet', text };
}

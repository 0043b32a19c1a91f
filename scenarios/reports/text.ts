import { counted } from '../language/counted.ts';
import type { CheckerOutcome } from '../run/outcome.ts';
import { failuresOf, toldFailures } from './failure.ts';
import { limits } from './limits.ts';
import { moment, shortened, span } from './moment.ts';
import { type ExpectationGroup, groupsOf, type Played } from './played.ts';
import { timelineAround } from './timeline.ts';

/** A line of a report; whoever prints it chooses the colours. */
export interface Line {
  readonly tone: 'good' | 'bad' | 'plain' | 'quiet';
  readonly text: string;
}

/** What came of one scenario: its verdict, each expectation, each checker, and what happened around failures. */
export function scenarioText(played: Played): readonly Line[] {
  const { file, outcome, wallMs, repeat } = played;
  const { scenario, verdict, startMs, endMs, seed, world, hash, checkers, factsDropped } = outcome;
  const isGood = verdict === 'passed';
  return [
    {
      tone: isGood ? 'good' : 'bad',
      text: `${isGood ? '✓' : '✗'} ${scenario.name} ${verdict}: ${span(endMs - startMs)} in the ${world} world in ${span(wallMs)}, seed ${seed}  (${file})`,
    },
    ...groupsOf(outcome).flatMap((group) => groupLines(group, startMs)),
    ...checkers.flatMap((checker) => checkerLines(checker, startMs)),
    ...(isGood ? [] : failureLines(played)),
    ...(factsDropped === 0
      ? []
      : [
          quiet(
            `  more happened than is kept: ${factsDropped} of the older facts were let go of, and the timeline of a failure may lack some`,
          ),
        ]),
    ...(isGood ? [] : [{ tone: 'plain', text: `  repeat: ${repeat}` } as const]),
    ...(hash === undefined ? [] : [quiet(`  trace: ${hash}`)]),
  ];
}

/** The last line of a whole run. */
export function summaryText(all: readonly Played[], notRun: number): readonly Line[] {
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
      text: `${counted(all.length, 'scenario')}: ${passed} passed${others}${rest}; ${span(virtualMs)} in ${span(wallMs)}`,
    },
  ];
}

function groupLines({ path, met, unmet }: ExpectationGroup, startMs: number): readonly Line[] {
  const all = met.length + unmet.length;
  if (unmet.length === 0) {
    const [first] = met;
    if (first === undefined) return [];
    const lastMs = met.reduce((last, { atMs }) => Math.max(last, atMs), 0);
    const text =
      met.length === 1
        ? `${vehicleOf(first.vehicle)}${shortened(first.text, limits.characters)}`
        : `all ${met.length} vehicles, such as: ${shortened(first.text, limits.characters)}`;
    return [{ tone: 'good', text: `  ✓ ${moment(lastMs - startMs)} ${path} ${text}` }];
  }
  return [
    { tone: 'bad', text: `  ✗ ${path}${all === 1 ? '' : `: ${unmet.length} of ${all} vehicles`}` },
    ...unmet.slice(0, limits.toldFailures).map(
      ({ vehicle, text, atMs }): Line => ({
        tone: 'bad',
        text: `      ${moment(atMs - startMs)} ${vehicleOf(vehicle)}${shortened(text, limits.characters)}`,
      }),
    ),
    ...more(unmet.length),
  ];
}

function checkerLines({ checker, findings, seen }: CheckerOutcome, startMs: number): readonly Line[] {
  if (findings.length === 0) return [{ tone: 'good', text: `  ✓ ${checker}: ${seen}` }];
  return [
    { tone: 'bad', text: `  ✗ ${checker}: ${counted(findings.length, 'finding')}; ${seen}` },
    ...findings.slice(0, limits.toldFailures).map(
      ({ vehicle, atMs, text }): Line => ({
        tone: 'bad',
        text: `      ${atMs === undefined ? '' : `${moment(atMs - startMs)} `}${vehicleOf(vehicle)}${shortened(text, limits.characters)}`,
      }),
    ),
    ...more(findings.length),
  ];
}

function failureLines({ outcome }: Played): readonly Line[] {
  return toldFailures(failuresOf(outcome)).flatMap((failure): readonly Line[] => {
    const { lines, leftOut } = timelineAround(failure, outcome);
    const head: Line = {
      tone: failure.kind === 'run' ? 'bad' : 'plain',
      text:
        failure.kind === 'run'
          ? `  ✗ ${failure.text}`
          : `  around ${failure.of}${failure.vehicle === undefined ? '' : `, vehicle ${failure.vehicle}`}:`,
    };
    return [
      head,
      ...(leftOut > 0 ? [quiet(`      (${leftOut} more are not shown)`)] : []),
      ...lines.map(({ atMs, text }) => quiet(`      ${moment(atMs)} ${text}`)),
    ];
  });
}

function more(count: number): readonly Line[] {
  return count <= limits.toldFailures ? [] : [quiet(`      and ${count - limits.toldFailures} more`)];
}

function vehicleOf(vehicle: number | undefined): string {
  return vehicle === undefined ? '' : `vehicle ${vehicle}: `;
}

function quiet(text: string): Line {
  return { tone: 'quiet', text };
}

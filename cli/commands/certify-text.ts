import { XMLBuilder } from 'fast-xml-parser';
import pc from 'picocolors';
import type { CertifyReport, Point, PointPlan } from '../certify/point.ts';

/** How many points of a report have each result. */
export function countsOf({ points }: CertifyReport): Readonly<Record<Point['result'], number>> {
  const count = (result: Point['result']) => points.filter((point) => point.result === result).length;
  return { passed: count('passed'), failed: count('failed'), 'not tried': count('not tried') };
}

/** For people: what failed in full, what was not tried by its reason, what passed counted by group, or each (`isWhole`). */
export function certifyText(report: CertifyReport, isWhole: boolean): string {
  const { points, subject } = report;
  const counts = countsOf(report);
  const failed = points.flatMap((point) => (point.result === 'failed' ? failureLines(point) : []));
  return [
    ...(isWhole ? [...points.flatMap(passedLines), ''] : []),
    ...failed,
    ...notTriedLines(points),
    `${pc.bold(subject)}: ${pc.green(`${counts.passed} passed`)}, ${counts.failed > 0 ? pc.red(`${counts.failed} failed`) : '0 failed'}, ${counts['not tried']} not tried`,
    ...[...Map.groupBy(points, groupOf)].map(([group, own]) => {
      const { passed, failed: wrong, 'not tried': left } = countsOf({ subject, points: own });
      return pc.dim(`  ${group.padEnd(10)} ${passed} passed, ${wrong} failed, ${left} not tried`);
    }),
  ].join('\n');
}

function groupOf({ id }: PointPlan): string {
  return id.split('/')[0] ?? '';
}

function passedLines(point: Point): readonly string[] {
  return point.result === 'passed' ? [`${pc.green('passed')}  ${point.id}  ${pc.dim(point.seen)}`] : [];
}

function failureLines(point: Point & { readonly result: 'failed' }): readonly string[] {
  const indented = (text: string) => text.replaceAll('\n', `\n${' '.repeat(12)}`);
  return [
    `${pc.red('failed')}  ${pc.bold(point.id)}`,
    `  promise   ${point.about}`,
    `  clause    ${point.clause}`,
    `  expected  ${indented(point.expected)}`,
    `  came      ${indented(point.came)}`,
    '',
  ];
}

function notTriedLines(points: readonly Point[]): readonly string[] {
  const left = points.flatMap((point) => (point.result === 'not tried' ? [point] : []));
  const byReason = Map.groupBy(left, ({ why }) => why);
  return [...byReason].flatMap(([why, own]) => [
    `${pc.yellow('not tried')}  ${own.length} ${own.length === 1 ? 'point' : 'points'}: ${why}`,
    pc.dim(`  ${own[0]?.id ?? ''}${own.length > 1 ? ', …' : ''}`),
    '',
  ]);
}

/** For programs, one JSON object. */
export function certifyJson(report: CertifyReport): string {
  const { passed, failed, 'not tried': left } = countsOf(report);
  return JSON.stringify({ subject: report.subject, passed, failed, not_tried: left, points: report.points });
}

/** JUnit XML as test servers read it: a testcase for each point. */
export function certifyJunit(report: CertifyReport): string {
  const counts = countsOf(report);
  const builder = new XMLBuilder({
    ...{ ignoreAttributes: false, attributeNamePrefix: '@', format: true, indentBy: '  ' },
    ...{ suppressEmptyNode: true, suppressBooleanAttributes: false },
  });
  const body: unknown = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'boxtwin certify',
      testsuite: {
        '@name': report.subject,
        '@tests': report.points.length,
        '@failures': counts.failed,
        '@skipped': counts['not tried'],
        testcase: report.points.map((point) => ({
          '@classname': groupOf(point),
          '@name': point.id,
          ...(point.result === 'failed'
            ? {
                failure: {
                  '@message': `${point.clause}: expected ${point.expected}`,
                  '#text': `expected: ${point.expected}\ncame: ${point.came}`,
                },
              }
            : {}),
          ...(point.result === 'not tried' ? { skipped: { '@message': point.why } } : {}),
        })),
      },
    },
  });
  return String(body);
}

/** The points that there are, a line each. */
export function pointsText(points: readonly PointPlan[]): string {
  return points.map(({ id, clause }) => `${id}  ${pc.dim(clause)}`).join('\n');
}

import { XMLBuilder } from 'fast-xml-parser';
import pc from 'picocolors';
import { limits } from '../../certify/limits.ts';
import type { CertifyReport, Point, PointPlan } from '../../judge/certify/point.ts';
import { countOf, type Finding } from '../../judge/verdict.ts';

/** For people: failures in full, untested points by reason, passed ones counted by group, or each (`isWhole`). */
export function certifyText(report: CertifyReport, isWhole: boolean): string {
  const { points, subject } = report;
  const wrong = countOf(points, 'failed');
  const failed = points.flatMap((point) => (point.result === 'failed' ? failureLines(point) : []));
  return [
    ...(isWhole ? [...points.flatMap(passedLines), ''] : []),
    ...failed,
    ...notTriedLines(points),
    `${pc.bold(subject)}: ${pc.green(`${countOf(points, 'passed')} passed`)}, ${wrong > 0 ? pc.red(`${wrong} failed`) : '0 failed'}, ${countOf(points, 'not-seen')} not tried`,
    ...[...Map.groupBy(points, groupOf)].map(([group, own]) =>
      pc.dim(
        `  ${group.padEnd(10)} ${countOf(own, 'passed')} passed, ${countOf(own, 'failed')} failed, ${countOf(own, 'not-seen')} not tried`,
      ),
    ),
  ].join('\n');
}

function groupOf({ id }: PointPlan): string {
  return id.split('/')[0] ?? '';
}

function passedLines(point: Point): readonly string[] {
  return point.result === 'passed' ? [`${pc.green('passed')}  ${point.id}  ${pc.dim(point.text)}`] : [];
}

function failureLines(point: Point): readonly string[] {
  const indented = (text: string) => text.replaceAll('\n', `\n${' '.repeat(12)}`);
  return [
    `${pc.red('failed')}  ${pc.bold(point.id)}`,
    `  promise   ${point.about}`,
    `  clause    ${point.clause}`,
    `  expected  ${indented(point.text)}`,
    `  came      ${indented(listed(point.findings))}`,
    '',
  ];
}

function notTriedLines(points: readonly Point[]): readonly string[] {
  const left = points.filter(({ result }) => result === 'not-seen');
  const byReason = Map.groupBy(left, ({ text }) => text);
  return [...byReason].flatMap(([why, own]) => [
    `${pc.yellow('not tried')}  ${own.length} ${own.length === 1 ? 'point' : 'points'}: ${why}`,
    pc.dim(`  ${own[0]?.id ?? ''}${own.length > 1 ? ', …' : ''}`),
    '',
  ]);
}

/** For programs, one JSON object. */
export function certifyJson(report: CertifyReport): string {
  const { subject, points } = report;
  return JSON.stringify({
    subject,
    passed: countOf(points, 'passed'),
    failed: countOf(points, 'failed'),
    not_tried: countOf(points, 'not-seen'),
    points: points.map(pointJson),
  });
}

function pointJson({ id, about, clause, result, text, findings }: Point): unknown {
  const plan = { id, about, clause };
  switch (result) {
    case 'passed':
      return { ...plan, result, seen: text };
    case 'failed':
      return { ...plan, result, expected: text, came: listed(findings) };
    case 'not-seen':
      return { ...plan, result: 'not tried', why: text };
  }
}

/** JUnit XML as test servers read it: a testcase for each point. */
export function certifyJunit(report: CertifyReport): string {
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    indentBy: '  ',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const body: unknown = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'boxtwin certify',
      testsuite: {
        '@name': report.subject,
        '@tests': report.points.length,
        '@failures': countOf(report.points, 'failed'),
        '@skipped': countOf(report.points, 'not-seen'),
        testcase: report.points.map((point) => ({
          '@classname': groupOf(point),
          '@name': point.id,
          ...(point.result === 'failed'
            ? {
                failure: {
                  '@message': `${point.clause}: expected ${point.text}`,
                  '#text': `expected: ${point.text}\ncame: ${listed(point.findings)}`,
                },
              }
            : {}),
          ...(point.result === 'not-seen' ? { skipped: { '@message': point.text } } : {}),
        })),
      },
    },
  });
  return String(body);
}

/** All existing points, a line each. */
export function pointsText(points: readonly PointPlan[]): string {
  return points.map(({ id, clause }) => `${id}  ${pc.dim(clause)}`).join('\n');
}

/** The first findings in one text, and the number of further ones. */
function listed(findings: readonly Finding[]): string {
  const shown = findings.slice(0, limits.findings).map(({ text }) => shortened(text));
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function shortened(text: string): string {
  const all = limits.findings * limits.findingCharacters;
  return text.length <= all ? text : `${text.slice(0, all)}…`;
}

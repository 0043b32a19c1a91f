import { htmlPage } from '../scenarios/reports/html/page.ts';
import { jsonReport } from '../scenarios/reports/json.ts';
import { junitXml } from '../scenarios/reports/junit.ts';
import type { Played } from '../scenarios/reports/played.ts';
import { writeText } from './scenario-places.ts';
import type { ReportPlace } from './scenario-values.ts';

const WRITERS = {
  junit: junitXml,
  json: (all: readonly Played[], notRun: number, exitCode: number) =>
    `${JSON.stringify(jsonReport(all, notRun, exitCode), undefined, 2)}\n`,
  html: htmlPage,
} as const;

export type ReportKind = keyof typeof WRITERS;

export const REPORT_KINDS = Object.keys(WRITERS) as readonly ReportKind[];

/** Writes each report; `notRun` scenarios were given and not run, and the command ends with `exitCode`. */
export function writeReports(
  places: readonly ReportPlace[],
  all: readonly Played[],
  { notRun, exitCode }: { readonly notRun: number; readonly exitCode: number },
): void {
  for (const { kind, file } of places) writeText(file, WRITERS[kind](all, notRun, exitCode));
}

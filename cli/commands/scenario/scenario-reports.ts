import { htmlPage } from '../../../scenarios/reports/html/page.ts';
import { jsonReport } from '../../../scenarios/reports/json.ts';
import { junitXml } from '../../../scenarios/reports/junit.ts';
import type { PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import type { ReportKind, ReportTarget } from '../../settings/report-option.ts';
import { writeText } from './scenario-output-files.ts';

const WRITERS: Readonly<
  Record<ReportKind, (all: readonly PlayedScenario[], notRun: number, exitCode: number) => string>
> = {
  junit: junitXml,
  json: (all, notRun, exitCode) => `${JSON.stringify(jsonReport(all, notRun, exitCode), undefined, 2)}\n`,
  html: htmlPage,
};

/** Writes each report; `notRun` scenarios were given and did not run, and the command ends with `exitCode`. */
export function writeReports(
  places: readonly ReportTarget[],
  all: readonly PlayedScenario[],
  { notRun, exitCode }: { readonly notRun: number; readonly exitCode: number },
): void {
  for (const { kind, file } of places) writeText(file, WRITERS[kind](all, notRun, exitCode));
}

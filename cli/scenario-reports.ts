import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { htmlPage } from '../scenarios/reports/html/page.ts';
import { jsonReport } from '../scenarios/reports/json.ts';
import { junitXml } from '../scenarios/reports/junit.ts';
import type { Played } from '../scenarios/reports/played.ts';
import { Failure } from './failure.ts';
import type { ReportPlace } from './scenario-values.ts';

const WRITERS = {
  junit: junitXml,
  json: (all: readonly Played[], notRun: number) =>
    `${JSON.stringify(jsonReport(all, notRun), undefined, 2)}\n`,
  html: htmlPage,
} as const;

export type ReportKind = keyof typeof WRITERS;

export const REPORT_KINDS = Object.keys(WRITERS) as readonly ReportKind[];

/** Throws a `Failure` where a report cannot be written: before the run, so that no hour is spent for nothing. */
export function preparePlaces(files: readonly string[]): void {
  for (const file of files) writeText(file, '');
}

/** Writes each report; `notRun` scenarios were given and not run. */
export function writeReports(places: readonly ReportPlace[], all: readonly Played[], notRun: number): void {
  for (const { kind, file } of places) writeText(file, WRITERS[kind](all, notRun));
}

/** Writes a file and the folders that it needs. Throws a `Failure` where it cannot. */
export function writeText(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}. Give another place.`,
    );
  }
}

import { rmSync } from 'node:fs';
import pc from 'picocolors';
import { certifyClient } from '../../certify/client/certify.ts';
import type { ClientVariables } from '../../deployment/shared/client-variables.ts';
import { type Certificate, certificateJson, certificateLines } from '../../judge/client/certificate.ts';
import { POINT_NAMES, POINTS } from '../../judge/client/points.ts';
import { countOf } from '../../judge/verdict.ts';
import { certificateJunit } from '../../scenarios/reports/certificate-junit.ts';
import type { ReportTarget } from '../settings/report-option.ts';
import { chosenNames } from '../shared/chosen-names.ts';
import { limits } from '../shared/limits.ts';
import { printable } from '../shared/output.ts';
import { writeSecretFile } from '../shared/secret-file.ts';
import { anySeed } from './found-report.ts';
import { refuseUnwritable, tellWritten, writeText } from './scenario/scenario-output-files.ts';

/** As commander hands them over. */
export interface CertifyClientOptions {
  readonly minutes?: number;
  readonly seed?: number;
  readonly vehicles: number;
  readonly only: readonly string[];
  readonly readyFile?: string;
  readonly report: readonly ReportTarget<'junit' | 'json'>[];
  readonly list: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Certifies a client, prints the report and sets the exit code. Throws a `CommandError` where a given value cannot be
 * used.
 */
export async function certifyClientCommand(
  command: readonly string[],
  options: CertifyClientOptions,
): Promise<void> {
  if (options.list) {
    process.stdout.write(
      options.json ? `${JSON.stringify(POINTS.map(({ name, about }) => ({ name, about })))}\n` : listText(),
    );
    return;
  }
  const { json, readyFile, report, seed = anySeed(), minutes, vehicles } = options;
  const only =
    options.only.length === 0
      ? undefined
      : chosenNames(POINT_NAMES, options.only, 'boxtwin certify-client --list');
  const written = [...report.map(({ file }) => file), ...(readyFile === undefined ? [] : [readyFile])];
  for (const file of written) refuseUnwritable(file);
  const ended = new AbortController();
  let isInterrupted = false;
  const interrupt = () => {
    // The second signal ends the process immediately.
    if (isInterrupted) process.exit(limits.interruptedExitCode);
    isInterrupted = true;
    ended.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const tell = (line: string): void => void process.stderr.write(`boxtwin: ${printable(line)}\n`);
  try {
    const certificate = await certifyClient({
      seed,
      vehicles,
      minutes,
      only,
      ended: ended.signal,
      tell: options.quiet ? () => undefined : tell,
      command: command.length === 0 ? undefined : command,
      ready: (variables) => {
        if (readyFile !== undefined) writeSecretFile(readyFile, `${JSON.stringify(variables)}\n`);
        if (command.length === 0) process.stderr.write(waitingText(variables, readyFile));
      },
    });
    if (certificate !== undefined) {
      for (const { kind, file } of report)
        writeText(file, kind === 'junit' ? certificateJunit(certificate) : reportText(certificate, true));
      tellWritten(
        report.map(({ file }) => file),
        json || options.quiet,
      );
      await new Promise<void>((written) =>
        process.stdout.write(reportText(certificate, json), () => written()),
      );
    } else tell('No client was there, so there is nothing to report.');
    process.exitCode = isInterrupted ? limits.interruptedExitCode : exitCodeOf(certificate);
  } finally {
    if (readyFile !== undefined) rmSync(readyFile, { force: true });
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    // Waits of a service that has ended would keep the process alive for half a minute; the exit code is set by then.
    setImmediate(() => process.exit());
  }
}

function exitCodeOf(certificate: Certificate | undefined): number {
  return certificate === undefined || countOf(certificate.points, 'failed') > 0 ? 1 : 0;
}

const COLOURS = { passed: pc.green, failed: pc.red, 'not-seen': pc.yellow };

function reportText(certificate: Certificate, json: boolean): string {
  if (json) return `${JSON.stringify(certificateJson(certificate))}\n`;
  const lines = certificateLines(certificate, {
    mark: (result, word) => COLOURS[result](word),
    clean: printable,
  });
  return `${lines.join('\n')}\n`;
}

function listText(): string {
  return `${POINTS.map(({ name, about }) => `${name.padEnd(20)}  ${about}`).join('\n')}\n`;
}

function waitingText(variables: ClientVariables, readyFile: string | undefined): string {
  return [
    'boxtwin: start your client with these; the run begins with its first request:',
    ...Object.entries(variables).map(([name, value]) => `  export ${name}='${value}'`),
    ...(readyFile === undefined ? [] : [`  They are in ${readyFile} too.`]),
    '',
  ].join('\n');
}

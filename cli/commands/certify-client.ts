import { rmSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import { certifyClient } from '../../certify/client/certify.ts';
import type { ClientVariables } from '../../deployment/shared/client-variables.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { type Certificate, certificateJson, certificateLines } from '../../judge/client/certificate.ts';
import { POINTS, type PointName } from '../../judge/client/points.ts';
import { countOf } from '../../judge/verdict.ts';
import { certificateJunit } from '../../scenarios/reports/certificate-junit.ts';
import { errorText } from '../../world/error-text.ts';
import { limits } from '../shared/limits.ts';
import { printable } from '../shared/output.ts';
import { anySeed } from './found-report.ts';
import { refuseUnwritable } from './scenario/scenario-output-files.ts';

/** As commander hands them over. */
export interface CertifyClientOptions {
  readonly minutes?: number;
  readonly seed?: number;
  readonly vehicles: number;
  readonly only: readonly string[];
  readonly readyFile?: string;
  readonly junit?: string;
  readonly list: boolean;
  readonly json: boolean;
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
  const { json, readyFile, junit, seed = anySeed(), minutes, vehicles } = options;
  const only = pointsNamed(options.only);
  for (const file of [readyFile, junit]) if (file !== undefined) refuseUnwritable(file);
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
      ...{ seed, vehicles, minutes, only, tell, ended: ended.signal },
      command: command.length === 0 ? undefined : command,
      ready: (variables) => {
        if (readyFile !== undefined) writeGiven(readyFile, `${JSON.stringify(variables)}\n`);
        if (command.length === 0) process.stderr.write(waitingText(variables, readyFile));
      },
    });
    if (certificate !== undefined) {
      if (junit !== undefined) writeGiven(junit, certificateJunit(certificate));
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

/** The points of `--only`; undefined: all. Throws a `CommandError` where there is none of such a name. */
function pointsNamed(names: readonly string[]): readonly PointName[] | undefined {
  if (names.length === 0) return undefined;
  return names.map((name) => {
    const point = POINTS.find((one) => one.name === name);
    if (point !== undefined) return point.name;
    throw new CommandError(
      `There is no point ${JSON.stringify(name)}. There are: ${POINTS.map((one) => one.name).join(', ')}.`,
    );
  });
}

/**
 * Writes a file that the user named; throws a `CommandError` where it cannot be written. The ready file has a secret,
 * so only its owner may read it.
 */
function writeGiven(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${errorText(error)}`);
  }
}

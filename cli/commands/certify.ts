import { certifyBoxes } from '../../certify/boxes/certify-boxes.ts';
import { allPoints, type CertifiedSide } from '../../certify/service/all-points.ts';
import { openCertification } from '../../certify/service/certification.ts';
import { plannedFleet } from '../../certify/service/certified-fleet.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import { mqttAuthority, readAuthorityFile } from '../../deployment/input/authority-file.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { withoutPassword } from '../../deployment/shared/user-errors.ts';
import { type CertifyReport, isWanted, type Point } from '../../judge/certify/point.ts';
import { countOf } from '../../judge/verdict.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { ReportTarget } from '../settings/report-option.ts';
import { chosenNames } from '../shared/chosen-names.ts';
import { writeCredentials } from '../shared/secret-file.ts';
import { certifyJson, certifyJunit, certifyText, pointsText } from './certify-text.ts';
import { refuseUnwritable, tellWritten, writeText } from './scenario/scenario-output-files.ts';

/** How often the progress of a certification is reported. */
const PROGRESS_MS = 15_000;

/** As commander hands them over. */
export interface CertifyCommandOptions {
  readonly boxes: CertifiedSide;
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly mqtt?: string;
  readonly mqttCa?: string;
  readonly amqp?: string;
  readonly amqpCa?: string;
  readonly admin?: string;
  readonly vehicles: number;
  readonly seed?: number;
  readonly data: string;
  readonly credentials?: string;
  readonly simulatorPort?: number;
  readonly answerTimeout: number;
  readonly box: readonly string[];
  readonly listen: number;
  readonly only: readonly string[];
  readonly force: boolean;
  readonly writeCredentials?: string;
  readonly list: boolean;
  readonly all: boolean;
  readonly report: readonly ReportTarget<'junit' | 'json'>[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
}

/**
 * Certifies a service with our boxes, or external boxes, and reports point by point. Exit code 1 where a promise is
 * broken, or nothing could be tested. Throws a `CommandError` where options do not fit together, and where the tested
 * service or broker is unreachable.
 */
export async function certify(options: CertifyCommandOptions): Promise<void> {
  if (options.list) {
    const points = allPoints(options.boxes);
    await print(options.json ? JSON.stringify(points) : pointsText(points));
    return;
  }
  if (options.writeCredentials !== undefined) {
    const { boxes } = await plannedFleet(options, await openIdentity({ ...options, seed: options.seed }));
    writeCredentials(options.writeCredentials, boxes);
    if (options.writeCredentials !== '-') tellWritten([options.writeCredentials], options.quiet);
    return;
  }
  const ids = allPoints(options.boxes).map(({ id }) => id);
  const lists = `boxtwin certify${options.boxes === 'theirs' ? ' --boxes theirs' : ''} --list`;
  const only = options.only.length === 0 ? [] : chosenNames(ids, options.only, lists);
  for (const { file } of options.report) refuseUnwritable(file);
  const report = options.boxes === 'theirs' ? await theirBoxes(options, only) : await ourBoxes(options, only);
  for (const { kind, file } of options.report)
    writeText(file, kind === 'junit' ? certifyJunit(report) : `${certifyJson(report)}\n`);
  tellWritten(
    options.report.map(({ file }) => file),
    options.json || options.quiet,
  );
  await print(options.json ? certifyJson(report) : certifyText(report, options.all));
  const [passed, failed] = [countOf(report.points, 'passed'), countOf(report.points, 'failed')];
  if (failed > 0 || passed === 0) process.exitCode = 1;
  if (failed === 0 && passed === 0)
    process.stderr.write('boxtwin: nothing could be tried, so nothing is certified.\n');
}

async function ourBoxes(options: CertifyCommandOptions, only: readonly string[]): Promise<CertifyReport> {
  const { url, clientId, clientSecret, mqtt, answerTimeout } = options;
  if (url === undefined || clientId === undefined || clientSecret === undefined || mqtt === undefined)
    throw new CommandError(
      `A service is certified at its API, as a client, and with boxes at its MQTT broker: give ${missing({ '--url': url, '--client-id': clientId, '--client-secret': clientSecret, '--mqtt': mqtt })}.`,
    );
  if (options.box.length > 0)
    throw new CommandError('--box names boxes that are not ours, so it goes with --boxes theirs.');
  const certification = await openCertification({
    api: url.replace(/\/+$/, ''),
    client: { clientId, clientSecret },
    mqtt,
    mqttCa: mqttAuthority(mqtt, options.mqttCa),
    amqpCa: options.amqpCa === undefined ? undefined : readAuthorityFile(options.amqpCa, '--amqp-ca'),
    amqp: options.amqp,
    admin: options.admin?.replace(/\/+$/, ''),
    vehicles: options.vehicles,
    seed: options.seed,
    data: options.data,
    credentials: options.credentials,
    force: options.force,
    simulatorPort: options.simulatorPort,
    logLevel: options.logLevel,
    progress: progressOf(options),
    answerTimeoutMs: answerTimeout * 1_000,
  });
  try {
    return await certification.run(only, toldAsItGoes(options, only));
  } finally {
    await certification.close();
  }
}

function missing(given: Readonly<Record<string, string | undefined>>): string {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return names.join(', ');
}

async function theirBoxes(options: CertifyCommandOptions, only: readonly string[]): Promise<CertifyReport> {
  const { mqtt } = options;
  if (mqtt === undefined) throw new CommandError('Boxes are certified at their MQTT broker: give --mqtt.');
  const others = {
    '--url': options.url,
    '--amqp': options.amqp,
    '--client-id': options.clientId,
    '--admin': options.admin,
  };
  const idle = Object.entries(others).find(([, value]) => value !== undefined);
  if (idle !== undefined)
    throw new CommandError(
      `With --boxes theirs nothing but MQTT is looked at, so ${idle[0]} would do nothing. Omit it.`,
    );
  const ca = mqttAuthority(mqtt, options.mqttCa);
  const url = new URL(mqtt.split(',')[0] ?? mqtt);
  const time = realTime();
  const ids = realIds(time);
  return certifyBoxes({
    subject: withoutPassword(mqtt),
    mqtt: realMqttClient({ url: mqtt, ...(ca === undefined ? {} : { ca }) }),
    account: {
      username: decodeURIComponent(url.username) || 'backend',
      password: decodeURIComponent(url.password),
      clientId: `certify-${ids.code(6)}`,
    },
    boxIds: options.box,
    listenMs: options.listen * 1_000,
    time,
    ids,
    only,
    progress: progressOf(options),
  });
}

function progressOf({ quiet }: CertifyCommandOptions): (text: string) => void {
  return (text) => {
    if (!quiet) process.stderr.write(`boxtwin: ${text}\n`);
  };
}

/** Failures are reported immediately, and the progress at intervals: the rest may take minutes. */
function toldAsItGoes(options: CertifyCommandOptions, only: readonly string[]): (point: Point) => void {
  const time = realTime();
  const { json, boxes } = options;
  const progress = progressOf(options);
  const wanted = allPoints(boxes).filter(({ id }) => isWanted(id, only)).length;
  let told = { points: 0, failed: 0, atMs: time.nowMs() };
  return ({ id, result }) => {
    told = {
      points: told.points + 1,
      failed: told.failed + (result === 'failed' ? 1 : 0),
      atMs: told.atMs,
    };
    if (!json && result === 'failed') progress(`failed: ${id}`);
    if (time.nowMs() - told.atMs < PROGRESS_MS) return;
    told = { ...told, atMs: time.nowMs() };
    progress(`${told.points} of ${wanted} points, ${told.failed} failed`);
  };
}

function print(text: string): Promise<void> {
  return new Promise((written) => process.stdout.write(`${text}\n`, () => written()));
}

import { writeFileSync } from 'node:fs';
import { certifyBoxes } from '../../certify/boxes/certify-boxes.ts';
import { allPoints, type CertifiedSide } from '../../certify/service/all-points.ts';
import { openCertification } from '../../certify/service/certification.ts';
import { plannedFleet } from '../../certify/service/certified-fleet.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import { mqttAuthority, readAuthorityFile } from '../../deployment/input/authority-file.ts';
import { fleetList } from '../../deployment/input/credentials-file.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { withoutPassword } from '../../deployment/shared/user-errors.ts';
import { type CertifyReport, isWanted, type Point } from '../../judge/certify/point.ts';
import { countOf } from '../../judge/verdict.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { realTime } from '../../world/time/real-time.ts';
import { certifyJson, certifyJunit, certifyText, pointsText } from './certify-text.ts';

/** How often the progress of a certification is reported. */
const PROGRESS_MS = 15_000;

/** As commander hands them over. */
export interface CertifyCommandOptions {
  readonly boxes: CertifiedSide;
  readonly api?: string;
  readonly client?: string;
  readonly secret?: string;
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
  readonly list: boolean;
  readonly points: boolean;
  readonly all: boolean;
  readonly junit?: string;
  readonly json: boolean;
  readonly logLevel: LogLevel;
}

/**
 * Certifies a service with our boxes, or external boxes, and reports point by point. Exit code 1 where a promise is
 * broken, or nothing could be tested. Throws a `CommandError` where options do not fit together, and where the tested
 * service or broker is unreachable.
 */
export async function certify(options: CertifyCommandOptions): Promise<void> {
  if (options.points) {
    const points = allPoints(options.boxes);
    await print(options.json ? JSON.stringify(points) : pointsText(points));
    return;
  }
  if (options.list) {
    const { boxes } = await plannedFleet(options, await openIdentity({ ...options, seed: options.seed }));
    process.stdout.write(fleetList(boxes));
    return;
  }
  refuseUnknownPoints(options);
  const report = options.boxes === 'theirs' ? await theirBoxes(options) : await ourBoxes(options);
  if (options.junit !== undefined) writeFileSync(options.junit, certifyJunit(report));
  await print(options.json ? certifyJson(report) : certifyText(report, options.all));
  const [passed, failed] = [countOf(report.points, 'passed'), countOf(report.points, 'failed')];
  if (failed > 0 || passed === 0) process.exitCode = 1;
  if (failed === 0 && passed === 0)
    process.stderr.write('boxtwin: nothing could be tried, so nothing is certified.\n');
}

function refuseUnknownPoints({ only, boxes }: CertifyCommandOptions): void {
  const ids = allPoints(boxes).map(({ id }) => id);
  const unknown = only.find((text) => !ids.some((id) => isWanted(id, [text])));
  if (unknown !== undefined)
    throw new CommandError(
      `--only ${JSON.stringify(unknown)} is in the name of no point. "boxtwin certify --points" lists them${boxes === 'theirs' ? ', with --boxes theirs those of boxes' : ''}.`,
    );
}

async function ourBoxes(options: CertifyCommandOptions): Promise<CertifyReport> {
  const { api, client, secret, mqtt, answerTimeout } = options;
  if (api === undefined || client === undefined || secret === undefined || mqtt === undefined)
    throw new CommandError(
      `A service is certified at its API, as a client, and with boxes at its MQTT broker: give ${missing({ '--api': api, '--client': client, '--secret': secret, '--mqtt': mqtt })}.`,
    );
  if (options.box.length > 0)
    throw new CommandError('--box names boxes that are not ours, so it goes with --boxes theirs.');
  const certification = await openCertification({
    ...{ api: api.replace(/\/+$/, ''), client: { clientId: client, clientSecret: secret }, mqtt },
    mqttCa: mqttAuthority(mqtt, options.mqttCa),
    amqpCa: options.amqpCa === undefined ? undefined : readAuthorityFile(options.amqpCa, '--amqp-ca'),
    ...{ amqp: options.amqp, admin: options.admin?.replace(/\/+$/, ''), vehicles: options.vehicles },
    ...{ seed: options.seed, data: options.data, credentials: options.credentials, force: options.force },
    ...{ simulatorPort: options.simulatorPort, logLevel: options.logLevel, progress },
    answerTimeoutMs: answerTimeout * 1_000,
  });
  try {
    return await certification.run(options.only, toldAsItGoes(options));
  } finally {
    await certification.close();
  }
}

function missing(given: Readonly<Record<string, string | undefined>>): string {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return names.join(', ');
}

async function theirBoxes(options: CertifyCommandOptions): Promise<CertifyReport> {
  const { mqtt } = options;
  if (mqtt === undefined) throw new CommandError('Boxes are certified at their MQTT broker: give --mqtt.');
  const others = {
    '--api': options.api,
    '--amqp': options.amqp,
    '--client': options.client,
    '--admin': options.admin,
  };
  const idle = Object.entries(others).find(([, value]) => value !== undefined);
  if (idle !== undefined)
    throw new CommandError(
      `With --boxes theirs nothing but MQTT is looked at, so ${idle[0]} would do nothing. Leave it away.`,
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
    ...{ boxIds: options.box, listenMs: options.listen * 1_000, time, ids, only: options.only, progress },
  });
}

function progress(text: string): void {
  process.stderr.write(`boxtwin: ${text}\n`);
}

/** Failures are reported immediately, and the progress at intervals: the rest may take minutes. */
function toldAsItGoes({ json, boxes, only }: CertifyCommandOptions): (point: Point) => void {
  const time = realTime();
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

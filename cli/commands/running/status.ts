import pc from 'picocolors';
import { z } from 'zod';
import { consolesOf, readBrokersFile, readReadyFile } from '../../../deployment/directory/address-files.ts';
import {
  type ApiName,
  addressOf,
  type RunningPart,
} from '../../../deployment/directory/running-addresses.ts';
import { installationHeaders } from '../../../deployment/http/installation.ts';
import { fetchWithAccount } from '../../../deployment/shared/account-url.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { withoutPassword } from '../../../deployment/shared/user-errors.ts';
import { counted } from '../../../judge/wording.ts';
import { limits } from '../../shared/limits.ts';
import { type RunningVehicle, runningVehicles } from '../../shared/running-vehicles.ts';

export interface StatusOptions {
  readonly data: string;
  readonly json: boolean;
}

const health = z.looseObject({
  ready: z.looseObject({
    status: z.string(),
    checks: z.array(z.looseObject({ name: z.string(), status: z.string(), reason: z.string() })),
  }),
});

/** What runs on a data directory. */
interface Status {
  readonly api: string | null;
  readonly service: z.infer<typeof health>['ready'] | null;
  readonly simulator: string | null;
  readonly console: string | null;
  readonly mqtt: string | null;
  readonly amqp: string | null;
  readonly vehicles: readonly RunningVehicle[] | null;
}

/**
 * Prints which parts run on a data directory, and how they are, without passwords. Exit code 1: the service is not ready,
 * or does not run. Throws a `CommandError` with 2 where nothing runs.
 */
export async function status(options: StatusOptions): Promise<void> {
  const found = await statusOf(options.data);
  const { vehicles, ...parts } = found;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ ...parts, fleet: vehicles === null ? null : countsOf(vehicles) })}\n`
      : statusText(found),
  );
  if (found.service?.status !== 'ready') process.exitCode = 1;
}

async function statusOf(data: string): Promise<Status> {
  const ready: Readonly<Record<string, unknown>> = (await readReadyFile(data)) ?? {};
  const brokers = await readBrokersFile(data);
  const [foundApi, foundSimulator] = await Promise.all([
    addressIn('api', data),
    addressIn('simulator', data),
  ]);
  if (foundApi instanceof CommandError && foundSimulator instanceof CommandError) throw foundApi;
  const api = foundApi instanceof CommandError ? undefined : foundApi;
  const simulator = foundSimulator instanceof CommandError ? undefined : foundSimulator;
  return {
    api: api?.address ?? null,
    service: api === undefined ? null : await healthAt(api.address, api.installation),
    simulator: simulator?.address ?? null,
    console: (await consolesOf(data))[0] ?? null,
    mqtt: addressOnly(brokers?.mqtt_url ?? (api === undefined ? null : ready['mqtt_url'])),
    amqp: addressOnly(brokers?.amqp_url ?? (api === undefined ? null : ready['amqp_url'])),
    vehicles: simulator === undefined ? null : await runningVehicles({ data, force: false }),
  };
}

/** Where it runs, or why it does not. */
async function addressIn(api: ApiName, data: string): Promise<RunningPart | CommandError> {
  try {
    return await addressOf(api, { data, takesAddress: false });
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Null: it does not answer in time, or with something else. */
async function healthAt(address: string, installation: string | undefined): Promise<Status['service']> {
  try {
    const answer = await fetchWithAccount(`${address}/health`, {
      headers: installationHeaders(installation),
      signal: AbortSignal.timeout(limits.statusAnswerMs),
    });
    return health.parse(await answer.json()).ready;
  } catch {
    return null;
  }
}

interface FleetCounts {
  readonly vehicles: number;
  readonly ready: number;
  readonly driving: number;
  readonly makerConnected: number;
  readonly unassignedDevices: number;
  /** Records that boxes still hold. */
  readonly backlog: number;
}

function countsOf(vehicles: readonly RunningVehicle[]): FleetCounts {
  const own = vehicles.filter(({ vehicleId, boxId }) => vehicleId !== null && boxId !== null);
  return {
    vehicles: own.length,
    ready: own.filter(({ state }) => state === 'ready').length,
    driving: own.filter(({ speedKph }) => speedKph > 0).length,
    makerConnected: vehicles.filter(({ boxId }) => boxId === null).length,
    unassignedDevices: vehicles.filter(({ vehicleId }) => vehicleId === null).length,
    backlog: own.reduce((sum, { backlog }) => sum + (backlog ?? 0), 0),
  };
}

function statusText(found: Status): string {
  const row = (name: string, value: string): string => `  ${pc.dim(name.padEnd(10))} ${value}\n`;
  const absent = pc.dim('does not run');
  return [
    row('API', found.api ?? absent),
    row('service', found.service === null ? pc.dim('unknown') : serviceText(found.service)),
    row('simulator', found.simulator ?? absent),
    ...(found.console === null ? [] : [row('console', found.console)]),
    ...(found.mqtt === null ? [] : [row('MQTT', found.mqtt)]),
    ...(found.amqp === null ? [] : [row('AMQP', found.amqp)]),
    ...(found.vehicles === null ? [] : [row('fleet', fleetText(countsOf(found.vehicles)))]),
  ].join('');
}

function serviceText({ status: name, checks }: NonNullable<Status['service']>): string {
  const colour = name === 'ready' ? pc.green : name === 'degraded' ? pc.yellow : pc.red;
  const wrong = checks.filter((check) => check.status !== 'ok');
  return [
    colour(name),
    ...wrong.map((check) => `${check.name} ${check.status}${check.reason === '' ? '' : `: ${check.reason}`}`),
  ].join(', ');
}

function fleetText(counts: FleetCounts): string {
  const { vehicles, ready, driving, makerConnected, unassignedDevices, backlog } = counts;
  return [
    `${counted(vehicles, 'vehicle')} (${ready} ready, ${driving} driving, backlog ${backlog})`,
    ...(makerConnected === 0 ? [] : [`${makerConnected} maker-connected`]),
    ...(unassignedDevices === 0 ? [] : [counted(unassignedDevices, 'unassigned device')]),
  ].join(', ');
}

/** The accounts of a broker are for `env` and `up --verbose`. */
function addressOnly(url: unknown): string | null {
  return typeof url === 'string' ? withoutPassword(url) : null;
}

import pc from 'picocolors';
import { SessionRecord } from '../../../console/server/session-record.ts';
import { sessionScenario } from '../../../console/server/session-scenario.ts';
import { addressesOf } from '../../../deployment/directory/running-addresses.ts';
import { controlApiAt } from '../../../deployment/http/control-api.ts';
import { fetchWithAccount } from '../../../deployment/shared/account-url.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { withoutPassword } from '../../../deployment/shared/user-errors.ts';
import { counted } from '../../../judge/wording.ts';
import { durationText } from '../../../scenarios/run/time-text.ts';
import { errorText } from '../../../world/error-text.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { realTime } from '../../../world/time/real-time.ts';
import { dataOption } from '../../shared/data-option.ts';
import { limits } from '../../shared/limits.ts';
import { printable } from '../../shared/output.ts';
import { anySeed } from '../found-report.ts';
import { refuseUnwritable, writeText } from '../scenario/scenario-output-files.ts';
import {
  type DoneDisturbance,
  disturb,
  type NotBack,
  NothingToDisturb,
  type RunningSwarmParts,
  untilBack,
} from './running-swarm.ts';

export interface RunningSwarmOptions {
  readonly minutes?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly data: string;
  /** Where the API and the simulator are; absent: those of `data`. */
  readonly url?: string;
  readonly simulator?: string;
  readonly force: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** These are options of whole scenarios in virtual time, and are refused here. */
  readonly runs?: number;
  readonly focus?: string;
  readonly jobs?: number;
  readonly keepGoing: boolean;
}

/**
 * Disturbs a running fleet for so many minutes, and waits until it has recovered; `--out` is a scenario that repeats
 * the actions. Sets the exit code; throws a `CommandError` where nothing answers.
 */
export async function swarmRunning(options: RunningSwarmOptions): Promise<void> {
  const { seed = anySeed(), minutes = 1, json, out } = options;
  const isQuiet = json || options.quiet;
  refuseOfScenarios(options);
  if (out !== undefined) refuseUnwritable(out);
  const running = await addressesOf(options);
  const addresses = { api: running.api.address, simulator: running.simulator.address };
  const control = controlApiAt(addresses.simulator, running.simulator.installation);
  const time = realTime();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const done: DoneDisturbance[] = [];
  const session = new SessionRecord(time, (path) => control('GET', path));
  const parts: RunningSwarmParts = {
    control,
    session,
    time,
    ended: ending.signal,
    lengthMs: minutes * 60_000,
    source: seededRandom(seed).stream('swarm/running'),
    tell(one) {
      done.push(one);
      if (!isQuiet) process.stdout.write(`${lineOf(one)}\n`);
    },
  };
  if (!isQuiet)
    process.stdout.write(
      `A swarm on the fleet at ${withoutPassword(addresses.simulator)} for ${counted(minutes, 'minute')}, seed ${seed}. Ctrl-C ends it, and removes its faults.\n`,
    );
  try {
    const notBack = await answered(addresses.simulator, async () => {
      const ready = await disturb(parts);
      if (ending.signal.aborted) return undefined;
      if (!isQuiet) process.stdout.write(`${WAITS}\n`);
      return untilBack(parts, ready, () => serviceTrouble(addresses.api));
    });
    const wasEnded = ending.signal.aborted;
    report({
      done,
      seed,
      minutes,
      out,
      json,
      options,
      notBack: wasEnded ? undefined : notBack,
      wasEnded,
    });
    if (wasEnded) process.exitCode = limits.interruptedExitCode;
    else if (notBack !== undefined) process.exitCode = 1;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    // Also where nothing answers any more: then the recorded actions are needed most.
    if (out !== undefined) writeDone(out, seed, session, time.nowMs());
  }
}

const WAITS = `All faults are removed. Waiting for recovery, up to ${limits.backWithinMs / 60_000} minutes.`;

/** Throws a `CommandError` where the file cannot be written. */
function writeDone(out: string, seed: number, { done, met }: SessionRecord, nowMs: number): void {
  const name = `swarm-${seed}-running`;
  const about = `What the swarm of seed ${seed} did to a fleet that ran.`;
  writeText(out, sessionScenario({ name, about, done, met, zones: [], nowMs }, seed).text, 1);
}

function refuseOfScenarios({ runs, focus, jobs, keepGoing }: RunningSwarmOptions): void {
  const given = Object.entries({
    '--runs': runs,
    '--focus': focus,
    '--jobs': jobs,
    '--keep-going': keepGoing,
  });
  const [wrong] = given.find(([, value]) => value !== undefined && value !== false) ?? [];
  if (wrong !== undefined)
    throw new CommandError(
      `${wrong} applies to scenarios in virtual time: omit it, or omit --running. For a running fleet, --minutes limits the run.`,
      2,
    );
}

/** The report where nothing answers any more. */
async function answered<T>(simulatorUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NothingToDisturb) throw new CommandError(error.message, 1);
    if (!(error instanceof TypeError)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new CommandError(
      `The simulator at ${withoutPassword(simulatorUrl)} stopped answering (${cause}). A fault with a "for" ends by itself.`,
      1,
    );
  }
}

/** The status of the service where it is not ready. */
async function serviceTrouble(apiUrl: string): Promise<string | undefined> {
  try {
    const answer = await fetchWithAccount(`${apiUrl}/health`, {});
    const { ready } = (await answer.json()) as {
      readonly ready?: {
        readonly status: string;
        readonly checks: readonly {
          readonly name: string;
          readonly status: string;
          readonly reason: string;
        }[];
      };
    };
    if (ready?.status === 'ready') return undefined;
    const wrong = (ready?.checks ?? []).filter(({ status }) => status !== 'ok');
    return wrong.map(({ name, reason }) => `${name}: ${reason}`).join('; ') || `status ${answer.status}`;
  } catch (error) {
    return errorText(error);
  }
}

function lineOf({ afterMs, disturbance, refusal }: DoneDisturbance): string {
  const what =
    disturbance.kind === 'act'
      ? `${disturbance.action} ${JSON.stringify(disturbance.body)} on ${disturbance.vehicleId}`
      : `${JSON.stringify(disturbance.fault)} on ${disturbance.on?.join(', ') ?? 'all'}`;
  const why = refusal === undefined ? '' : pc.dim(printable(` (refused: ${refusal})`));
  return printable(`  ${durationText(afterMs)}  ${what}`) + why;
}

interface Reported {
  readonly done: readonly DoneDisturbance[];
  readonly seed: number;
  readonly minutes: number;
  readonly notBack: NotBack | undefined;
  readonly wasEnded: boolean;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly options: Pick<RunningSwarmOptions, 'data' | 'url' | 'simulator' | 'force'>;
}

function report({ done, seed, minutes, notBack, wasEnded, out, json, options }: Reported): void {
  const refused = done.filter(({ refusal }) => refusal !== undefined).length;
  const { data, url, simulator, force } = options;
  const given = (name: string, value: string | undefined) => (value === undefined ? '' : ` ${name} ${value}`);
  const ofData = dataOption(data);
  const where = `${ofData}${given('--url', url)}${given('--simulator', simulator && withoutPassword(simulator))}${force ? ' --force' : ''}`;
  const again = `npx boxtwin swarm --running --minutes ${minutes} --seed ${seed}${where}`;
  if (json) {
    const told = { seed, done, refused, ended: wasEnded, not_back: notBack ?? null, out: out ?? null };
    process.stdout.write(`${JSON.stringify(told)}\n`);
    return;
  }
  const counts = `${counted(done.length - refused, 'disturbance')}, ${refused} more refused, seed ${seed}.`;
  const lines = [
    wasEnded
      ? `ENDED  ${counts} All faults are removed.`
      : notBack === undefined
        ? `${pc.green('BACK')}  ${counts} The service is ready, and each box has its session again or sleeps.`
        : `${pc.red('NOT BACK')}  ${counts} ${notBackText(notBack)}`,
    ...(out === undefined
      ? []
      : [`What was done is in ${out}. Again, in virtual time: npx boxtwin scenario run ${out}`]),
    `Again: ${again}`,
    `Whether anything was lost: npx boxtwin ledger${ofData}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function notBackText({ vehicles, service }: NotBack): string {
  return [
    ...(service === undefined ? [] : [`The service is not ready: ${service}.`]),
    ...(vehicles.length === 0
      ? []
      : [`The boxes of these vehicles were ready before, and have no session now: ${vehicles.join(', ')}.`]),
  ].join(' ');
}

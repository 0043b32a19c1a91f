import { z } from 'zod';
import { PROBLEMS } from '../../contract/problems.ts';
import { readReadyFile } from '../../deployment/directory/address-files.ts';
import { type ApiName, addressesOf } from '../../deployment/directory/running-addresses.ts';
import { installationHeaders } from '../../deployment/http/installation.ts';
import { fetchWithAccount } from '../../deployment/shared/account-url.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { bringAbout } from '../../scenarios/causes/bring-about.ts';
import { type ClientTokens, type Credentials, makeCallers } from '../../scenarios/causes/caller-tokens.ts';
import type { CandidateVehicle } from '../../scenarios/causes/cause.ts';
import { readCauseContext } from '../../scenarios/causes/cause-context.ts';
import {
  answered,
  answeredIfThere,
  bodyOf,
  type CausePorts,
  jsonRequest,
  StepRefused,
} from '../../scenarios/causes/cause-ports.ts';
import {
  type ChosenCause,
  choose,
  nearestProblems,
  type ProblemWish,
  problemsNamed,
  rowlessReason,
  rowsOf,
} from '../../scenarios/causes/choose.ts';
import { lastingStatesOf, obstacleOf, type ShownFault } from '../../scenarios/causes/lasting-state.ts';
import { valueAt } from '../../world/json.ts';
import { shellWord } from '../../world/shell-word.ts';
import { realTime } from '../../world/time/real-time.ts';
import { sleep } from '../../world/time/time.ts';
import { dataOption } from '../shared/data-option.ts';
import { simulatorOptions } from '../shared/simulator-client.ts';
import { listJson, listText, type ProvokedProblem, provokedJson, provokedText } from './provoke-text.ts';

/** As commander hands them over. */
export interface ProvokeOptions {
  readonly vehicle?: string;
  readonly endpoint?: string;
  readonly cause?: string;
  /** Where the API and the simulator are; absent: those of `data`. */
  readonly url?: string;
  readonly simulator?: string;
  readonly force: boolean;
  readonly data: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly undo: boolean;
  readonly list: boolean;
  /** No progress on stderr. */
  readonly quiet: boolean;
  readonly json: boolean;
}

/**
 * Causes a problem in a running `up`, shows it, and leaves it in place or undoes it. Throws a `CommandError` where that
 * is not possible, where nothing answers, and where the problem does not occur.
 */
export async function provoke(problem: string | undefined, options: ProvokeOptions): Promise<void> {
  if (options.list) {
    process.stdout.write(`${options.json ? listJson() : listText()}\n`);
    return;
  }
  const wish = wishOf(problem, options);
  const parts = await addressesOf(options);
  const addresses = { api: parts.api.address, simulator: parts.simulator.address };
  const installations = { api: parts.api.installation, simulator: parts.simulator.installation };
  const provoked = await withUserErrors(addresses, () =>
    provokeProblem(socketLine(addresses, installations), wish, options),
  );
  const text = options.json ? provokedJson(provoked, addresses) : provokedText(provoked, addresses);
  await new Promise<void>((written) => process.stdout.write(`${text}\n`, () => written()));
  const { exchange, active } = provoked;
  if (!provoked.hasShown) {
    const { answer } = exchange;
    const detail = valueAt(bodyOf(answer), 'detail');
    const reason = typeof detail === 'string' ? `${answer.status}: ${detail}` : `${answer.status}.`;
    throw new CommandError(
      `The problem did not show, and what was done for it is undone: the service answered ${reason}`,
      1,
    );
  }
  // A command that is left unanswered continues without its sender.
  if (active.isRepeating) process.exit(0);
}

function wishOf(problem: string | undefined, { endpoint, cause, vehicle }: ProvokeOptions): ProblemWish {
  if (problem === undefined)
    throw new CommandError('Which problem? "boxtwin provoke --list" shows all of them with their causes.');
  const kinds = problemsNamed(problem);
  const [kind] = kinds;
  if (kind === undefined)
    throw new CommandError(
      `There is no problem ${JSON.stringify(problem)}. Did you mean ${nearestProblems(problem).join(', ')}? "boxtwin provoke --list" shows all of them.`,
    );
  if (kinds.length > 1)
    throw new CommandError(`${JSON.stringify(problem)} may be ${kinds.join(' or ')}: give one of these.`);
  const wish = { problem: kind, endpoint, cause, vehicleId: vehicle?.toUpperCase() };
  if (rowsOf(wish).length > 0) return wish;
  throw new CommandError(`${rowlessReason(wish)} "boxtwin provoke --list" shows all of them.`);
}

async function provokeProblem(
  ports: CausePorts,
  wish: ProblemWish,
  options: ProvokeOptions,
): Promise<ProvokedProblem> {
  const callers = makeCallers(ports, credentialsOf(options) ?? (await clientOfParts(ports, options)));
  const context = await readCauseContext(ports, (await callers.authorization('owner')) ?? '');
  const choice = await chooseReady(ports, wish, context.vehicles, simulatorOptions(options));
  const { cause, vehicle, row, isPresent } = choice;
  const { type } = PROBLEMS[row.problem];
  const onWait =
    options.quiet || options.json ? () => {} : (text: string) => process.stderr.write(`${text}\n`);
  const parts = { ports, context, callers, onWait, isPresent };
  const active = await bringAbout(parts, cause, vehicle, [row.operation]);
  const exchange = await active.ask(row.operation, type);
  const hasShown = valueAt(bodyOf(exchange.answer), 'type') === type;
  if (options.undo) await active.undo();
  else if (!hasShown) await active.undo('now');
  const isUndone = options.undo || !hasShown;
  return { choice, active, exchange, hasShown, isUndone, tokenCommand: tokenCommands(callers, options) };
}

/**
 * The first vehicle that fits and takes commands, so that the problem shows. Throws a `CommandError` where the named one
 * does not, with the command that changes it, instead of waiting for its box.
 */
async function chooseReady(
  ports: CausePorts,
  wish: ProblemWish,
  vehicles: readonly CandidateVehicle[],
  where: string,
): Promise<ChosenCause & { readonly isPresent: boolean }> {
  const faults = await activeFaults(ports);
  let left = vehicles;
  let first: string | undefined;
  for (;;) {
    const choice = choose(wish, left);
    if ('refusal' in choice) throw new CommandError(first ?? choice.refusal, first === undefined ? 2 : 1);
    const { cause, vehicle } = choice;
    if (vehicle?.boxId === undefined || cause.reserves === 'nothing') return { ...choice, isPresent: false };
    const box = await answered(ports, jsonRequest('simulator', 'GET', `/boxes/${vehicle.boxId}`));
    const obstacle = obstacleOf(vehicle.id, box, faults, cause.name);
    if (obstacle === undefined)
      return { ...choice, isPresent: lastingStatesOf(box).some((state) => state.cause === cause.name) };
    first ??= `${obstacle.says}. "boxtwin do ${obstacle.undoing}${where}" ends that.`;
    left = wish.vehicleId === undefined ? left.filter(({ id }) => id !== vehicle.id) : [];
  }
}

const shownFaults = z.looseObject({
  in_force: z.array(
    z.looseObject({ fault: z.record(z.string(), z.unknown()), boxes: z.array(z.string()).optional() }),
  ),
});

/** None where the simulator takes no faults. */
async function activeFaults(ports: CausePorts): Promise<readonly ShownFault[]> {
  const body = await answeredIfThere(ports, jsonRequest('simulator', 'GET', '/faults'));
  return body === undefined ? [] : shownFaults.parse(body).in_force;
}

/** How a shell gets a token that is as good as that of a header, by `boxtwin token`. */
function tokenCommands({ clientOf }: ClientTokens, { url, data, clientId }: ProvokeOptions) {
  const where = url === undefined ? dataOption(data) : ` --url ${shellWord(url)}`;
  return (authorization: string): string | undefined => {
    const client = clientOf(authorization);
    if (client === undefined) return undefined;
    // A secret of the user stays with the user.
    const secret = client.clientId === clientId ? '"$CLIENT_SECRET"' : shellWord(client.clientSecret);
    return `npx boxtwin token --client-id ${shellWord(client.clientId)} --client-secret ${secret}${where}`;
  };
}

function credentialsOf({ clientId, clientSecret }: ProvokeOptions): Credentials | undefined {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw new CommandError('--client-id and --client-secret belong together. Without both a client is made.');
  return { clientId, clientSecret };
}

/** The client of the data directory, where `fleet` and `backend` run by themselves: only `up` makes clients. */
async function clientOfParts(
  ports: CausePorts,
  { url, data }: ProvokeOptions,
): Promise<Credentials | undefined> {
  if (url !== undefined) return undefined;
  const { status } = await ports.call(jsonRequest('simulator', 'GET', '/service'));
  const ready = status === 404 ? await readReadyFile(data) : undefined;
  return ready && { clientId: ready.client_id, clientSecret: ready.client_secret };
}

async function withUserErrors<T>(
  addresses: { readonly api: string; readonly simulator: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StepRefused) throw new CommandError(error.message, 1);
    // What fetch rejects with where nothing answers.
    if (error instanceof TypeError && error.message === 'fetch failed') {
      const cause = error.cause instanceof Error ? error.cause.message : 'no answer';
      throw new CommandError(
        `There is no answer from ${addresses.api} or ${addresses.simulator} (${cause}). Is "boxtwin up" running? "boxtwin status" shows both addresses; give them with --url and --simulator.`,
      );
    }
    throw error;
  }
}

/**
 * The line to a running service and its simulator, over sockets. `call` rejects where nothing answers. `installations`:
 * which ones may answer; absent: any.
 */
export function socketLine(
  addresses: Readonly<Record<ApiName, string>>,
  installations: Readonly<Partial<Record<ApiName, string | undefined>>> = {},
): CausePorts {
  const time = realTime();
  return {
    nowMs: () => time.nowMs(),
    pause: (delayMs) => sleep(time, delayMs),
    async call({ target: face, method, path, headers, body }) {
      const response = await fetchWithAccount(`${addresses[face]}${path}`, {
        method,
        headers: { ...headers, ...installationHeaders(installations[face]) },
        ...(body === undefined ? {} : { body }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
  };
}

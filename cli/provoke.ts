import { PROBLEMS } from '../backend/http/problem.ts';
import { bodyOf, type Line, NotDone } from '../scenarios/causes/call.ts';
import { type Credentials, makeCallers } from '../scenarios/causes/callers.ts';
import { choose, nearestProblems, problemsNamed, rowsOf, type Wish } from '../scenarios/causes/choose.ts';
import { operationName } from '../scenarios/causes/operations.ts';
import { bring } from '../scenarios/causes/runner.ts';
import { lookAround } from '../scenarios/causes/scene.ts';
import { at } from '../scenarios/causes/steps.ts';
import { Failure } from './failure.ts';
import { listJson, listText, type Provoked, provokedJson, provokedText } from './provoke-text.ts';
import { placeOf } from './running-place.ts';
import { socketLine } from './socket-line.ts';

/** As commander hands them over. */
export interface ProvokeOptions {
  readonly vehicle?: string;
  readonly endpoint?: string;
  readonly cause?: string;
  /** Where the API and the simulator are; absent: that of the running `up` of `data`. */
  readonly url?: string;
  readonly simulator?: string;
  readonly data: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly undo: boolean;
  readonly list: boolean;
  readonly json: boolean;
}

/**
 * Brings a problem about in a running `up`, shows it, and leaves it so or undoes it. Throws a `Failure` where what was
 * asked for cannot be, where nobody answers, and where the problem does not show.
 */
export async function provoke(problem: string | undefined, options: ProvokeOptions): Promise<void> {
  if (options.list) {
    process.stdout.write(`${options.json ? listJson() : listText()}\n`);
    return;
  }
  const wish = wishOf(problem, options);
  const addresses = { api: await placeOf('api', options), simulator: await placeOf('simulator', options) };
  const provoked = await inUsersTerms(addresses, () => bringAbout(socketLine(addresses), wish, options));
  const text = options.json ? provokedJson(provoked, addresses) : provokedText(provoked, addresses);
  await new Promise<void>((written) => process.stdout.write(`${text}\n`, () => written()));
  const { asked, choice, brought } = provoked;
  if (at(bodyOf(asked.answer), 'type') !== PROBLEMS[choice.row.problem].type)
    throw new Failure(`The problem did not show: the service answered ${asked.answer.status}.`, 1);
  // A command that is left unanswered goes on without whoever sent it.
  if (brought.isHolding) process.exit(0);
}

function wishOf(problem: string | undefined, { endpoint, cause, vehicle }: ProvokeOptions): Wish {
  if (problem === undefined)
    throw new Failure('Which problem? "boxtwin provoke --list" shows all of them with their causes.');
  const kinds = problemsNamed(problem);
  const [kind] = kinds;
  if (kind === undefined)
    throw new Failure(
      `There is no problem ${JSON.stringify(problem)}. Did you mean ${nearestProblems(problem).join(', ')}? "boxtwin provoke --list" shows all of them.`,
    );
  if (kinds.length > 1)
    throw new Failure(`${JSON.stringify(problem)} may be ${kinds.join(' or ')}: give one of these.`);
  const wish = { problem: kind, endpoint, cause, vehicleId: vehicle?.toUpperCase() };
  if (rowsOf(wish).length > 0) return wish;
  const rows = rowsOf({ problem: kind, endpoint: undefined, cause: undefined });
  const endpoints = [...new Set(rows.map((row) => operationName(row.operation)))].slice(0, 5).join(', ');
  const causes = [...new Set(rows.map((row) => row.cause))].join(', ');
  throw new Failure(
    `No row of the table has ${kind} with that endpoint and cause. Its causes are ${causes}; endpoints that have it are, among others, ${endpoints}.`,
  );
}

async function bringAbout(line: Line, wish: Wish, options: ProvokeOptions): Promise<Provoked> {
  const callers = makeCallers(line, credentialsOf(options));
  const scene = await lookAround(line, (await callers.authorization('owner')) ?? '');
  const choice = choose(wish, scene.vehicles);
  if ('refusal' in choice) throw new Failure(choice.refusal);
  const { cause, vehicle, row } = choice;
  const brought = await bring({ line, scene, callers }, cause, vehicle, [row.operation]);
  const asked = await brought.ask(row.operation, PROBLEMS[row.problem].type);
  if (options.undo) await brought.undo();
  return { choice, brought, asked, isUndone: options.undo };
}

function credentialsOf({ clientId, clientSecret }: ProvokeOptions): Credentials | undefined {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw new Failure('--client-id and --client-secret belong together. Without both a client is made.');
  return { clientId, clientSecret };
}

async function inUsersTerms<T>(
  addresses: { readonly api: string; readonly simulator: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotDone) throw new Failure(error.message, 1);
    // What fetch rejects with where nobody answers.
    if (error instanceof TypeError && error.message === 'fetch failed') {
      const cause = error.cause instanceof Error ? error.cause.message : 'no answer';
      throw new Failure(
        `Nobody answers at ${addresses.api} or ${addresses.simulator} (${cause}). Is "boxtwin up" running? Its banner shows both addresses; give them with --url and --simulator.`,
      );
    }
    throw error;
  }
}

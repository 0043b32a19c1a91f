import pc from 'picocolors';
import { operationName } from '../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import type { ActiveCause, PerformedStep, RequestAndAnswer } from '../../scenarios/causes/bring-about.ts';
import { bodyOf, type CauseRequest } from '../../scenarios/causes/cause-ports.ts';
import { CAUSES } from '../../scenarios/causes/causes.ts';
import type { ChosenCause } from '../../scenarios/causes/choose.ts';
import { curlLine } from '../../scenarios/causes/curl.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';

export interface Addresses {
  readonly api: string;
  readonly simulator: string;
}

/** The provoked problem, and the result. */
export interface ProvokedProblem {
  readonly choice: ChosenCause;
  readonly active: ActiveCause;
  readonly exchange: RequestAndAnswer;
  /** The answer is the problem. */
  readonly hasShown: boolean;
  readonly isUndone: boolean;
  /** The command that prints a token as good as that of an Authorization header; undefined: no other one is. */
  tokenCommand(authorization: string): string | undefined;
}

/** All problems with their causes, for people. */
export function listText(): string {
  const lines: string[] = [];
  for (const [kind, { status, type }] of Object.entries(PROBLEMS)) {
    const rows = PROBLEM_TABLE.filter((row) => row.problem === (kind as ProblemKind));
    if (rows.length === 0) continue;
    lines.push(`${pc.bold(`${status} ${kind}`)}  ${pc.dim(type)}`);
    for (const name of new Set(rows.map((row) => row.cause))) {
      const places = rows.filter((row) => row.cause === name).length;
      lines.push(
        `  ${name.padEnd(32)} ${CAUSES.get(name)?.about ?? ''} ${pc.dim(`(${places} ${places === 1 ? 'endpoint' : 'endpoints'})`)}`,
      );
    }
  }
  return lines.join('\n');
}

/** Every row of the table, for programs. */
export function listJson(): string {
  const rows = PROBLEM_TABLE.map(({ operation, problem, cause }) => ({
    status: PROBLEMS[problem].status,
    type: PROBLEMS[problem].type,
    problem,
    endpoint: operationName(operation),
    cause,
    says: CAUSES.get(cause)?.about,
  }));
  return JSON.stringify(rows);
}

/** For people: the actions, the request and its answer, and how to undo them. */
export function provokedText(
  { choice, active, exchange, isUndone, tokenCommand }: ProvokedProblem,
  addresses: Addresses,
): string {
  const { status, type } = PROBLEMS[choice.row.problem];
  const shownSteps = [...active.performed, ...active.undoing].filter(({ isWaiting }) => !isWaiting);
  const tokens = tokenVariables([...shownSteps, exchange].map(({ request }) => request));
  const steps = (made: readonly PerformedStep[]): readonly string[] =>
    made.flatMap(({ about: says, request, isWaiting }) => [
      `  ${says}`,
      ...(isWaiting ? [] : [`    ${pc.dim(curlLine(request, addresses, tokens))}`]),
    ]);
  const undoing = active.undoing.filter((step) => !step.isWaiting);
  return [
    `${pc.bold('Problem')}  ${status} ${type}`,
    `${pc.bold('Cause')}    ${choice.cause.name}: ${choice.cause.about}`,
    ...(choice.vehicle === undefined ? [] : [`${pc.bold('Vehicle')}  ${choice.vehicle.id}`]),
    ...tokenLines(tokens, tokenCommand),
    ...(active.performed.length === 0 ? [] : ['', pc.bold('Done'), ...steps(active.performed)]),
    '',
    pc.bold('Request'),
    `  ${curlLine(exchange.request, addresses, tokens)}`,
    '',
    pc.bold('Answer'),
    `  ${exchange.answer.status} ${exchange.answer.headers['content-type'] ?? ''}`,
    ...shown(exchange).map((line) => `  ${line}`),
    ...ending(undoing, isUndone, steps),
  ].join('\n');
}

/** A shorter Authorization header is part of its cause, and is shown. */
const TOKEN_CHARACTERS = 100;

/** A shell variable for each access token of these requests: TOKEN, TOKEN_2. */
function tokenVariables(requests: readonly CauseRequest[]): ReadonlyMap<string, string> {
  const long = requests
    .flatMap(({ headers }) => headers['authorization'] ?? [])
    .filter((header) => header.startsWith(BEARER) && header.length > TOKEN_CHARACTERS);
  return new Map(
    [...new Set(long)].map((header, index) => [header, index === 0 ? 'TOKEN' : `TOKEN_${index + 1}`]),
  );
}

const BEARER = 'Bearer ';

/** How to set these variables; a token that no command prints is given as it is. */
function tokenLines(
  tokens: ReadonlyMap<string, string>,
  tokenCommand: ProvokedProblem['tokenCommand'],
): readonly string[] {
  if (tokens.size === 0) return [];
  const lines = [...tokens].map(([header, variable]) => {
    const command = tokenCommand(header);
    return `  ${variable}=${command === undefined ? `'${header.slice(BEARER.length)}'` : `$(${command})`}`;
  });
  return ['', pc.bold('Token'), ...lines];
}

function ending(
  undoing: readonly PerformedStep[],
  isUndone: boolean,
  steps: (made: readonly PerformedStep[]) => readonly string[],
): readonly string[] {
  if (undoing.length === 0) return ['', 'There is nothing to undo.'];
  return ['', pc.bold(isUndone ? 'Undone' : 'To undo it (--undo does it at once)'), ...steps(undoing)];
}

function shown({ answer }: RequestAndAnswer): readonly string[] {
  const body = bodyOf(answer);
  return (body === undefined ? answer.text : JSON.stringify(body, undefined, 2)).split('\n');
}

/** The same for programs, one JSON object. */
export function provokedJson(
  { choice, active, exchange, isUndone }: ProvokedProblem,
  addresses: Addresses,
): string {
  const { row, cause, vehicle } = choice;
  const step = ({ about: says, request, isWaiting }: PerformedStep) => ({
    says,
    ...(isWaiting ? {} : { curl: curlLine(request, addresses) }),
  });
  const { answer } = exchange;
  return JSON.stringify({
    problem: row.problem,
    type: PROBLEMS[row.problem].type,
    cause: cause.name,
    says: cause.about,
    endpoint: operationName(row.operation),
    vehicle: vehicle?.id ?? null,
    done: active.performed.map(step),
    request: curlLine(exchange.request, addresses),
    answer: { status: answer.status, headers: answer.headers, body: bodyOf(answer) ?? answer.text },
    undo: active.undoing.map(step),
    undone: isUndone,
  });
}

import { PROBLEMS } from '../../backend/http/problem.ts';
import { answerProblems, documentedCalls } from '../language/expectations/answer-bodies.ts';
import { COMMAND_FOLDERS } from '../language/steps/calls.ts';

/**
 * Statuses that say that a request is not well formed: its method, a header, its parameters or its body. The language
 * writes the request of a command itself, without a body, so that none of them can be its answer.
 */
const ILL_FORMED: ReadonlySet<number> = new Set([400, 405, 412, 413, 415]);

let ofCommands: ReadonlyMap<string, ReadonlySet<string>> | undefined;
let ofCalls: readonly string[] | undefined;

/** The problems that a command can be answered with, by their names: those that the document declares for its path. */
export function problemsOfCommand(command: string): ReadonlySet<string> {
  ofCommands ??= new Map(
    [...COMMAND_FOLDERS.keys()].map((settings) => [
      settings,
      new Set(namesOf(answerProblems({ name: 'command', settings }), (status) => !ILL_FORMED.has(status))),
    ]),
  );
  return ofCommands.get(command) ?? new Set();
}

/**
 * The problems that any call of the language can be answered with, in the order of their table: `request` can ask for
 * every path of the document, and with what it likes.
 */
export function problemsOfCalls(): readonly string[] {
  ofCalls ??= namesOf(new Set(documentedCalls().flatMap((call) => [...answerProblems(call)])), () => true);
  return ofCalls;
}

function namesOf(types: ReadonlySet<string>, suits: (status: number) => boolean): readonly string[] {
  return Object.entries(PROBLEMS).flatMap(([name, { type, status }]) =>
    types.has(type) && suits(status) ? [name] : [],
  );
}

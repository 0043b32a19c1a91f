import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { LiveFigures } from '../live/live-figures.ts';
import type { FiguresOfChild } from '../live/live-output.ts';
import { variableOf } from '../settings/settings.ts';
import { CommandError } from '../shared/command-error.ts';
import type { FromChild } from './run-part.ts';

/** A part to run in a process of its own. */
export interface ChildPlan {
  /** The command: `backend`. */
  readonly part: string;
  /** By the names of settings; undefined and empty lists are left to the command. */
  readonly settings: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** What it writes to stderr goes through this process, line by line: there is a line that must stay below it. */
  readonly passesErrors: boolean;
}

/** A part that runs in a process of its own. */
export interface ChildPart {
  /** What it said once it was up. */
  readonly facts: unknown;
  /** Resolves when its process has ended, with how: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** As it has sent them last; empty before that, and once it has ended. */
  figures(): LiveFigures;
  /** Asks it to end, and ends it after `patienceMs`. Resolves once it has. */
  end(patienceMs: number): Promise<void>;
}

/**
 * Starts a part by its command. Settings go by its environment: other users of the machine see what stands on a
 * command line, and there are passwords among them. What it writes to stderr is passed on. Rejects with a
 * `CommandError` where its process ends before it is up; `onSpawned` is told of the process at once.
 */
export async function startChild(
  plan: ChildPlan,
  onSpawned: (child: ChildProcess) => void = () => undefined,
): Promise<ChildPart> {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, plan.part], {
    env: { ...ownEnvironment(), ...variablesOf(plan.settings) },
    // A process group of its own: Ctrl-C reaches this process, which ends the others in their order.
    detached: true,
    // On Windows a detached process would open a window.
    windowsHide: true,
    stdio: ['ignore', 'ignore', plan.passesErrors ? 'pipe' : 'inherit', 'ipc'],
  });
  if (child.stderr !== null)
    createInterface({ input: child.stderr, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
      process.stderr.write(`${line}\n`),
    );
  onSpawned(child);
  const ended = new Promise<{ readonly code: number | null; readonly text: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: 1, text: error.message }));
    // With the last that it wrote.
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({ code, text: signal ?? `exit code ${code ?? 1}` }),
    );
  });
  let figures: LiveFigures = {};
  child.once('exit', () => {
    figures = {};
  });
  const up = new Promise<unknown>((resolve) => {
    child.on('message', (message: FromChild | FiguresOfChild) => {
      if ('figures' in message) figures = message.figures;
      else resolve(message.facts);
    });
  });
  const first = await Promise.race([up.then((facts) => ({ facts })), ended]);
  if ('text' in first)
    throw new CommandError(
      `"boxtwin ${plan.part}" could not be started (${first.text}); its own words are above.`,
      first.code === 2 ? 2 : 1,
    );
  return {
    facts: first.facts,
    ended: ended.then(({ text }) => text),
    figures: () => figures,
    async end(patienceMs) {
      // Windows has no signals, kill would cut it off at once; a part ends in its order also when its channel closes.
      if (process.platform === 'win32' && child.connected) child.disconnect();
      else child.kill('SIGTERM');
      const cutting = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(cutting);
    },
  };
}

/** Without settings: what holds for the whole is handed on by name. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BOXTWIN_')));
}

function variablesOf(settings: ChildPlan['settings']): Record<string, string> {
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [[variableOf(name), Array.isArray(value) ? value.join(',') : String(value)] as const],
  );
  return Object.fromEntries(given);
}

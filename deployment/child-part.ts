import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CommandError } from './shared/command-error.ts';
import type { LiveFigures } from './shared/live-figures.ts';
import { variableOf } from './shared/setting-names.ts';
import type { FiguresOfChild, FromChild } from './shared/started-part.ts';

/** A part to run in a child process. */
export interface ChildPlan {
  /** The command: `backend`. */
  readonly part: string;
  /** By the names of settings; undefined values and empty lists are omitted. */
  readonly settings: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Its stderr passes through this process line by line: the status line has to stay below it. */
  readonly passesErrors: boolean;
}

/** A part that runs in a child process. */
export interface ChildPart {
  /** What it reported once it was ready. */
  readonly facts: unknown;
  /** Resolves when its process has ended, with the reason: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** The latest figures; empty before the first, and once it has ended. */
  figures(): LiveFigures;
  /** Asks it to end, and kills it after `patienceMs`. Resolves once it has ended. */
  end(patienceMs: number): Promise<void>;
}

/**
 * Starts a part by its command. Settings are passed by its environment: other users of the machine can see a command
 * line, and some settings are passwords. Its stderr is passed on. Rejects with a `CommandError` where its process ends
 * before it is ready; `onSpawned` gets the process immediately.
 */
export async function startChild(
  plan: ChildPlan,
  onSpawned: (child: ChildProcess) => void = () => undefined,
): Promise<ChildPart> {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, plan.part], {
    env: { ...ownEnvironment(), ...variablesOf(plan.settings) },
    // A process group of its own: Ctrl-C reaches this process, which ends the others in order.
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
    // With the end of its output.
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
      // Windows has no signals, so kill would end it at once; a part also ends in order when its channel closes.
      if (process.platform === 'win32' && child.connected) child.disconnect();
      else child.kill('SIGTERM');
      const cutting = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(cutting);
    },
  };
}

/** Without settings: those of the whole deployment are passed by name. */
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

import { spawn } from 'node:child_process';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { limits } from './limits.ts';

/** A client process of a run. */
export interface ClientProcess {
  /** Resolves with its exit code, or the signal that has ended it. */
  readonly ended: Promise<number | string>;
  /** Asks it to end, and kills it after a while. Resolves once it has ended. */
  end(): Promise<void>;
}

/**
 * Starts a command with these variables in addition to those of this process. Its output goes to stderr: stdout is for
 * the report. Rejects with a `CommandError` where it cannot be started.
 */
export async function startClient(
  [command = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ClientProcess> {
  const child = spawn(command, args, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.pipe(process.stderr, { end: false });
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(new CommandError(`The client cannot be started: ${error.message}`));
    });
  });
  return {
    ended,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), limits.clientEndMs);
      await ended;
      clearTimeout(impatience);
    },
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a program, and tells it what it needs to know (`messageFromParent`). */
export function forkProgram(program: URL, told: object): ChildProcess {
  const child = fork(fileURLToPath(program));
  child.send(told);
  return child;
}

/** What the process that started this one has told it: its first message. Ends this process when that one has gone. */
export async function messageFromParent<Message>(): Promise<Message> {
  process.once('disconnect', () => process.exit(1));
  const [message] = (await once(process, 'message')) as [Message];
  return message;
}

/** The next message of a process. Rejects where it ends before. */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await beforeItsEnd(child, once(child, 'message'))) as [Message];
  return message;
}

/** The first line that a process prints, as JSON. Rejects where it ends before. */
export async function lineOf<Line>(child: ChildProcess): Promise<Line> {
  if (child.stdout === null) throw new Error('The process has no output.');
  const [line] = (await beforeItsEnd(child, once(createInterface({ input: child.stdout }), 'line'))) as [
    string,
  ];
  return JSON.parse(line) as Line;
}

/** Ends a process with the signal, and resolves once it has. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function beforeItsEnd<T>(child: ChildProcess, wanted: Promise<T>): Promise<T> {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${child.spawnargs.join(' ')} has ended with ${signal ?? code}.`);
  });
  // Its end is no failure any more once it was heard.
  ended.catch(() => undefined);
  return Promise.race([wanted, ended]);
}

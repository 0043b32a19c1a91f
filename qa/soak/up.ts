import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../bench/measure/free-ports.ts';
import { limits } from './limits.ts';

/** The ready line of `up`, as far as the soak needs it. */
export interface UpReady {
  readonly base_url: string;
  readonly simulator_url: string;
  readonly amqp_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** An `up` that runs. */
export interface RunningUp {
  readonly pid: number;
  readonly ready: UpReady;
  /** Resolves with how it ended: `exit code 1`. */
  readonly ended: Promise<string>;
}

const COMMAND = fileURLToPath(new URL('../../bin/boxtwin.js', import.meta.url));
/** For `up` and its parts. Space for new objects grows by itself too, up to 128 MiB, whatever lives. */
const COLLECTED = [
  '--max-semi-space-size=16',
  '--expose-gc',
  '--import',
  new URL('./collect-garbage.ts', import.meta.url).href,
];
const PORT_OPTIONS = ['--port', '--simulator-port', '--mqtt-port', '--amqp-port', '--amqps-port'] as const;

/**
 * Starts `up` in several processes on free ports. `onSpawned` is told of the process at once, for `endUp`. Rejects where
 * it ends, or has no ready line within `limits.upMs`.
 */
export async function startUp(
  data: string,
  vehicles: number,
  onSpawned: (child: ChildProcess) => void,
): Promise<RunningUp> {
  const ports = await freePorts(PORT_OPTIONS.length);
  const options = [
    'up',
    '--json',
    '--processes',
    'several',
    '--vehicles',
    String(vehicles),
    '--radio',
    'road',
    '--drivers',
    'off',
    '--data',
    data,
    '--log-level',
    'error',
    '--rate-limit',
    '1000000',
    ...PORT_OPTIONS.flatMap((name, index) => [name, String(ports[index])]),
  ];
  const child = spawn(process.execPath, [...COLLECTED, COMMAND, ...options], {
    // A process group of its own: Ctrl-C reaches the soak, which ends it in order. The pipe ends it if the soak is gone.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onSpawned(child);
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`));
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, limits.upMs, undefined).unref());
  const first = await Promise.race([line, late, ended.then((how) => new Error(`up has ended with ${how}.`))]);
  if (typeof first !== 'string')
    throw first ?? new Error(`up was not ready within ${limits.upMs / 1_000} s.`);
  return { pid: child.pid ?? 0, ready: JSON.parse(first) as UpReady, ended };
}

/** Has `up` end, and its parts with it; cuts it off after `limits.endMs`. Its parts then end by themselves. */
export async function endUp(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const cutting = setTimeout(() => child.kill('SIGKILL'), limits.endMs);
  await ended;
  clearTimeout(cutting);
}

/** What `boxtwin ledger` says of a data directory. */
export interface LedgerVerdict {
  readonly right: boolean;
  readonly records: number;
  readonly delivered: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly cases: readonly { readonly fate: string; readonly hop: string; readonly count: number }[];
}

/** Resolves with undefined where it was ended. Rejects where it could not be kept. */
export async function ledgerOf(
  data: string,
  messages: string,
  signal: AbortSignal,
): Promise<LedgerVerdict | undefined> {
  const child = spawn(
    process.execPath,
    [COMMAND, 'ledger', '--data', data, '--messages', messages, '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return undefined;
  const text = Buffer.concat(chunks).toString('utf8');
  if (!text.startsWith('{')) throw new Error(`The ledger could not be kept (exit code ${code}).`);
  return JSON.parse(text) as LedgerVerdict;
}

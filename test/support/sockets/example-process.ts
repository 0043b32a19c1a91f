import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../run/external-services.ts';
import type { ReadyLine } from './up-process.ts';

const STARTED_MS = 30_000;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The command of docs/examples.md that runs this example (`python/consumer.py`), as its readers paste it. */
function commandOfPage(example: string): string {
  const page = readFileSync(join(ROOT, 'docs/examples.md'), 'utf8');
  const line = page.split('\n').find((one) => one.endsWith(` examples/${example}`));
  if (line === undefined) throw new Error(`docs/examples.md has no command for ${example}.`);
  return line;
}

/** The variables by which all examples are told of the service. */
export function exampleVariables(ready: ReadyLine): Readonly<Record<string, string>> {
  return {
    API: ready.base_url,
    SIMULATOR: ready.simulator_url,
    CLIENT_ID: ready.client_id,
    CLIENT_SECRET: ready.client_secret,
    AMQP_CA: ready.amqp_ca ?? '',
  };
}

/** An example that runs as its users start it, and can be killed and started again on the same files. */
export class ExampleProcess {
  readonly #command: string;
  readonly #variables: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #output = '';

  /** `program`: the Node, Python or Java that its command finds. */
  constructor(example: string, variables: Readonly<Record<string, string>>, program = process.execPath) {
    this.#command = commandOfPage(example);
    this.#variables = { ...variables, PATH: `${dirname(program)}${delimiter}${process.env['PATH']}` };
  }

  /** All that it has printed, on both streams, in all its lives. */
  get output(): string {
    return this.#output;
  }

  /** Resolves once it has printed `sign`; rejects with what it printed where it ends before. */
  async start(sign: string): Promise<void> {
    // A shell that becomes the program, so that a signal reaches that.
    const line = `exec ${this.#command}`;
    const child = spawn('/bin/sh', ['-c', line], { cwd: ROOT, env: { ...process.env, ...this.#variables } });
    this.#child = child;
    running.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        this.#output += chunk.toString('utf8');
      });
    await waitUntil(() => said.includes(sign) || child.exitCode !== null, STARTED_MS);
    if (child.exitCode !== null) throw new Error(`${this.#command} ended: ${said}`);
  }

  /** Resolves with its exit code; null: a signal ended it. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exited) as [number | null];
    running.delete(child);
    return code;
  }
}

/** A test that fails half-way leaves nothing running behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

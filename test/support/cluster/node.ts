import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../run/external-services.ts';
import { limits } from './limits.ts';

/** A server of the test's own, which it kills and starts again: one of a cluster, a balancer, a backend. */
export interface Node {
  readonly name: string;
  /** Ends it by SIGKILL. Resolves once the process is gone. */
  kill(): Promise<void>;
  /**
   * Starts it again at its place, with what it has kept; where it runs, SIGTERM ends it first. Resolves once it serves;
   * rejects with its log where it does not.
   */
  restart(): Promise<void>;
  /** Ends it by SIGTERM, and by SIGKILL where that takes too long. */
  stop(): Promise<void>;
  /** The end of what it has said, in all of its runs. */
  readonly log: string;
}

export interface NodePlan {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs. */
  readonly folder: string;
  /** Beside the environment of the test. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it serves now; a rejection is a no. Asked again until it does. */
  serves(): Promise<boolean>;
}

/** A test that ends half-way leaves nothing running behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server. Resolves once it serves; rejects with its log where it does not. */
export async function startNode(plan: NodePlan): Promise<Node> {
  const node = new ProcessNode(plan);
  await node.restart();
  return node;
}

/** Each with its own process: it is ended by its identifier, whoever else runs the same program. */
class ProcessNode implements Node {
  readonly name: string;
  readonly #plan: NodePlan;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(plan: NodePlan) {
    this.name = plan.name;
    this.#plan = plan;
  }

  get log(): string {
    return this.#log;
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async restart(): Promise<void> {
    await this.stop();
    const { name, program, args, folder, environment, serves } = this.#plan;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => {
        this.#log = `${this.#log}${chunk.toString('utf8')}`.slice(-limits.logCharacters);
      });
    try {
      await waitUntil(async () => {
        if (hasEnded(child)) throw new Error(`ended with ${child.exitCode ?? child.signalCode}`);
        return Promise.race([serves(), sleep(limits.serveMs).then(() => false)]).catch(() => false);
      }, limits.startMs);
    } catch (error) {
      await this.kill();
      throw new Error(`${name} does not serve: ${this.#log}`, { cause: error });
    }
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), limits.stopMs);
    await exit;
    clearTimeout(late);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Whether a request is answered with 200 within the time. */
export async function isOk(url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const { ok } = await fetch(url, { headers, signal: AbortSignal.timeout(limits.askMs) });
  return ok;
}

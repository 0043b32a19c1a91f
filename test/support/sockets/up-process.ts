import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { freePort } from '../run/free-port.ts';
import { PROGRAM } from '../run/product.ts';

const ready = z.strictObject({
  ready: z.literal(true),
  base_url: z.string(),
  simulator_url: z.string(),
  console_url: z.string().nullable(),
  mqtt_url: z.string(),
  amqp_url: z.string().nullable(),
  amqps_url: z.string().nullable(),
  amqp_ca: z.string().nullable(),
  amqp_username: z.string().nullable(),
  amqp_password: z.string().nullable(),
  queue: z.string().nullable(),
  fleet_id: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  user_name: z.string(),
  user_password: z.string(),
});

export type ReadyLine = z.infer<typeof ready>;

/** `boxtwin up` in a separate process. */
export class UpProcess {
  readonly ready: ReadyLine;
  readonly #child: ChildProcess;
  readonly #errors: () => string;

  private constructor(child: ChildProcess, banner: ReadyLine, errors: () => string) {
    this.#child = child;
    this.ready = banner;
    this.#errors = errors;
  }

  /**
   * Resolves at the ready banner; rejects with the output of the process if it ends before. Its radio is ideal unless
   * the default is requested.
   */
  static async start(options: readonly string[], isUsual = false): Promise<UpProcess> {
    const radio = isUsual ? [] : ['--radio', 'ideal'];
    const { child, output, errors } = run(['up', '--json', ...radio, ...options]);
    for (;;) {
      const line = output().split('\n')[0];
      if (line !== undefined && output().includes('\n'))
        return new UpProcess(child, ready.parse(JSON.parse(line)), errors);
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${errors()}`);
      await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
    }
  }

  /** The command without waiting for anything. */
  static raw(args: readonly string[]) {
    const { child, output, errors } = run(args);
    return {
      output,
      errors,
      /** Nobody reads its stdout any more. Resolves with the exit code once it has ended. */
      readerLeaves: async (): Promise<number | null> => {
        const exited = once(child, 'exit');
        child.stdout.destroy();
        const [code] = (await exited) as [number | null];
        return code;
      },
      end: async (signal: NodeJS.Signals): Promise<number | null> => {
        const exited = once(child, 'exit');
        child.kill(signal);
        const [code] = (await exited) as [number | null];
        return code;
      },
    };
  }

  /** Ports that no other test of this run uses. */
  static async ownPorts(): Promise<string[]> {
    const names = [
      '--port',
      '--simulator-port',
      '--mqtt-port',
      '--amqp-port',
      '--amqps-port',
      '--console-port',
    ];
    const options: string[] = [];
    for (const name of names) options.push(name, `${await freePort()}`);
    return options;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get errors(): string {
    return this.#errors();
  }

  /** Sends the signal and resolves with the exit code. */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<{ readonly code: number | null }> {
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = (await exited) as [number | null];
    return { code };
  }

  async token(): Promise<string> {
    const { base_url, client_id, client_secret } = this.ready;
    const response = await fetch(`${base_url}/auth/oauth/token?grant_type=client_credentials`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
        'content-type': 'application/json',
      },
    });
    return z.looseObject({ access_token: z.string() }).parse(await response.json()).access_token;
  }
}

/** A command that runs until it is ended, such as `fleet`, once its ready line is there. */
export interface PartProcess {
  readonly ready: Readonly<Record<string, unknown>>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Resolves with the first line of its output; rejects with what it said where it ends before. */
export async function startPart(args: readonly string[]): Promise<PartProcess> {
  const { child, output, errors } = run([...args, '--json']);
  const exited = once(child, 'exit');
  while (!output().includes('\n')) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${errors()}`);
    await Promise.race([once(child.stdout, 'data'), exited]);
  }
  return {
    ready: z.looseObject({ ready: z.literal(true) }).parse(JSON.parse(output().split('\n')[0] ?? '')),
    end: async (signal) => {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** Runs the command to its end; `cwd`: the folder that it runs in. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
  const { child, output, errors } = run(args, env, cwd);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output(), errors: errors() };
}

/** A test that fails half-way leaves nothing running behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env, cwd?: string) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, cwd });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  return { child, output: () => output, errors: () => errors };
}

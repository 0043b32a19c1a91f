import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExternalService, waitUntil } from '../run/external-services.ts';
import type { BuiltImage } from './built-image.ts';

/** The namespaces of Linux that a container engine uses too: a user who may make them, and the programs for it. */
export const namespaces: ExternalService<true> = {
  name: "Linux's namespaces",
  find() {
    const tried = spawnSync(
      'unshare',
      [...UNSHARED, 'sh', '-c', 'ip link set lo up && command -v setpriv nsenter'],
      {
        encoding: 'utf8',
      },
    );
    const missing = tried.error?.message ?? tried.stderr;
    return Promise.resolve(tried.status === 0 ? { where: true } : { missing: missing || 'not permitted' });
  },
};

const UNSHARED = ['--net', '--mount', '--pid', '--fork'];

/**
 * As far as a container goes without an engine: a network with nothing but its own loopback, the first process of its own
 * numbers, no file system that can be written but the data folder and the temporary one, another user without rights.
 */
const SCRIPT = `
ip link set lo up
mount --make-rprivate /
mount --bind "$DATA" "$DATA"
mount -t tmpfs -o mode=1777 tmpfs "$TMPDIR"
mount -o remount,ro,bind /
cd "$DATA"
exec setpriv --reuid "$AS" --regid "$(id -g "$AS")" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

/** A command of the image that runs. */
export class Contained {
  readonly #unshared: ChildProcess;
  readonly #image: BuiltImage;
  #output = '';
  #errors = '';
  /** It has ended, and all that it said has come. */
  #isOver = false;

  /** Starts the entry point with these words, those of the image where there are none. */
  constructor(image: BuiltImage, user: string, words: readonly string[] = image.command) {
    this.#image = image;
    const temporary = join(image.root, 'tmp');
    mkdirSync(temporary, { recursive: true });
    const child = spawn('unshare', [...UNSHARED, 'sh', '-euc', SCRIPT, 'sh', ...image.entrypoint, ...words], {
      env: { ...image.env, PATH: pathOf(image), DATA: image.workdir, TMPDIR: temporary, AS: user },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    child.once('close', () => {
      this.#isOver = true;
    });
    process.once('exit', () => this.#kill());
    this.#unshared = child;
  }

  /** On both streams. */
  get log(): string {
    return `${this.#output}${this.#errors}`;
  }

  /** Resolves once its first process is there; whether it does anything yet is another matter. */
  begun(): Promise<void> {
    return waitUntil(() => this.#children() !== '');
  }

  /** Resolves once it has said that; rejects with what it said instead. */
  async says(text: string, deadlineMs = 60_000): Promise<void> {
    const hasSaid = () => this.log.includes(text) || this.#isOver;
    await waitUntil(hasSaid, deadlineMs).catch(() => undefined);
    if (!this.log.includes(text))
      throw new Error(`It has not said ${JSON.stringify(text)}, but: ${this.log}`);
  }

  /** Runs a program beside it, as `docker exec` does. */
  exec(words: readonly string[]): { readonly status: number | null; readonly output: string } {
    const into = ['--target', String(this.#inside()), '--net', '--mount'];
    const { status, stdout, stderr } = spawnSync('nsenter', [...into, ...words], {
      encoding: 'utf8',
      env: { ...this.#image.env, PATH: pathOf(this.#image), TMPDIR: join(this.#image.root, 'tmp') },
    });
    return { status, output: stdout + stderr };
  }

  /** Ends its first process, as `docker stop` does. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    const exited = once(this.#unshared, 'exit');
    process.kill(this.#inside(), 'SIGTERM');
    const [code] = (await exited) as [number | null];
    return code;
  }

  /** The number of its first process outside. Throws where it has ended. */
  #inside(): number {
    const children = this.#children();
    if (children === '') throw new Error(`It has ended: ${this.log}`);
    return Number(children.split(' ')[0]);
  }

  #children(): string {
    const { pid } = this.#unshared;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  }

  #kill(): void {
    if (this.#unshared.exitCode !== null) return;
    try {
      process.kill(this.#inside(), 'SIGKILL');
    } catch {
      // It was ending.
    }
  }
}

function pathOf({ root }: BuiltImage): string {
  return `${root}/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type BuiltImage, buildImage } from '../support/containers/built-image.ts';
import { type ExternalService, waitUntil, withService } from '../support/run/external-services.ts';

/** The namespaces of Linux that a container engine uses too: a user who may make them, and the programs for it. */
const namespaces: ExternalService<true> = {
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
class Contained {
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

const checkout = join(import.meta.dirname, '..', '..');

/** Somebody without rights, as `node` of the image is. */
const USER = 'nobody';
const readyLine = z.looseObject({ base_url: z.string(), simulator_url: z.string(), client_id: z.string() });

test('the container file has nothing that its linter finds', () => {
  const { status, stdout, stderr } = spawnSync(
    join(import.meta.dirname, 'node_modules', '.bin', 'dockerfile-utils'),
    ['lint', join(checkout, 'containers', 'Containerfile')],
    { encoding: 'utf8' },
  );
  expect(stdout + stderr).toBe('');
  expect(status).toBe(0);
});

await withService(namespaces, () => {
  describe('the image, from the steps of the container file', () => {
    const place = mkdtempSync(join(tmpdir(), 'boxtwin-image-'));
    // The other user has to get there.
    chmodSync(place, 0o755);
    let image: BuiltImage;
    let running: Contained;
    beforeAll(() => {
      image = buildImage(place, USER);
      running = new Contained(image, USER, ['up', '--vehicles', '3']);
    }, 300_000);
    afterAll(() => rmSync(place, { recursive: true, force: true }));

    test('runs as another user than root, and listens beyond its loopback', () => {
      expect(image).toMatchObject({ user: 'node', entrypoint: ['boxtwin'], command: ['up'] });
      expect(image.env).toMatchObject({ BOXTWIN_HOST: '0.0.0.0' });
    });

    test('comes up without a file system that it can write but for its data, and says who gets in', async () => {
      await running.says('Paste these:');
      expect(running.log).toContain('other machines reach 0.0.0.0: the API by its clients, the brokers by');
      const { output } = running.exec(['sh', '-c', `touch ${image.root}/opt/written`]);
      expect(output).toContain('Read-only file system');
      expect(running.log).toMatch(/http:\/\/simulator:[^@\s]+@127\.0\.0\.1:8090/);
    });

    test('is healthy by its own check once it is ready', async () => {
      let last = '';
      await expect
        .poll(
          () => {
            const { status, output } = running.exec(image.health);
            last = output;
            return status;
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(0);
      expect(last).toBe('');
    });

    test('lets nobody at its vehicles and its console without the password', () => {
      const status = (url: string) =>
        running.exec(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', url]).output;
      const [, withAccount = ''] = /(http:\/\/simulator:\S+:8090)/.exec(running.log) ?? [];
      expect(status('http://127.0.0.1:8090/boxes')).toBe('401');
      expect(status('http://127.0.0.1:8100/')).toBe('401');
      expect(status(`${withAccount}/boxes`)).toBe('200');
      expect(status('http://127.0.0.1:8080/vehicles')).toBe('401');
    });

    test('ends by SIGTERM with 0, is unhealthy then, and goes on from its data at the next start', async () => {
      const identity = readFileSync(join(image.workdir, '.boxtwin', 'boxtwin.json'), 'utf8');
      expect(await running.stop()).toBe(0);
      const again = new Contained(image, USER, ['up', '--vehicles', '3', '--json']);
      await again.begun();
      expect(again.exec(image.health).status).toBe(1);
      await again.says('"ready":true');
      const ready = readyLine.parse(
        JSON.parse(again.log.split('\n').find((line) => line.startsWith('{')) ?? ''),
      );
      expect(ready.base_url).toBe('http://127.0.0.1:8080');
      expect(identity).toContain(ready.client_id);
      expect(again.exec(image.health).status).toBe(0);
      expect(await again.stop()).toBe(0);
    });

    test('says what is wrong with a word that it does not know, with exit code 2', async () => {
      const wrong = new Contained(image, USER, ['upp']);
      await wrong.says("unknown command 'upp'");
    });
  });
});

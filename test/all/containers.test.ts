import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type BuiltImage, buildImage } from '../support/containers/built-image.ts';
import { Contained, namespaces } from '../support/containers/contained.ts';
import { withService } from '../support/run/external-services.ts';

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

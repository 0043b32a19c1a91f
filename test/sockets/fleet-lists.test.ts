import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/sockets/up-process.ts';

describe.each(['fleet', 'certify'])('the credentials that %s writes', (command) => {
  let place: string;
  let passwords: readonly string[];
  const run = (...words: readonly string[]) =>
    runCommand([command, '--data', join(place, 'data'), '--vehicles', '2', ...words]);
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'boxtwin-credentials-'));
    const file = join(place, 'boxes.csv');
    writeFileSync(file, 'what was there before');
    chmodSync(file, 0o644);
    expect((await run('--write-credentials', file)).code).toBe(0);
    const [head = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(head.split(',').slice(0, 3)).toEqual(['box_id', 'password', 'vehicle_id']);
    passwords = rows.map((row) => row.split(',')[1] ?? '');
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('are those of every box, in a file that only its owner can read', () => {
    expect(passwords.length).toBeGreaterThanOrEqual(2);
    for (const password of passwords) expect(password.length).toBeGreaterThan(10);
    expect(statSync(join(place, 'boxes.csv')).mode & 0o777).toBe(0o600);
  });

  test('go to stdout where - is given', async () => {
    const { output } = await run('--write-credentials', '-');
    expect(output).toBe(readFileSync(join(place, 'boxes.csv'), 'utf8'));
  });

  test('are not in what --list prints', async () => {
    const { code, output, errors } = await run('--list');
    expect(code).toBe(0);
    expect(output.split('\n').length).toBeGreaterThan(2);
    for (const password of passwords) expect(`${output}${errors}`).not.toContain(password);
  });
});

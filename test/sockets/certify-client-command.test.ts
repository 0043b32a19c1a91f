import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { POINT_NAMES } from '../../judge/client/points.ts';
import { runCommand } from '../support/sockets/up-process.ts';

describe('boxtwin certify-client', () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-certify-client-'));
  afterAll(() => rmSync(place, { recursive: true }));

  test('lists every point with what a good client does', async () => {
    const { code, output } = await runCommand(['certify-client', '--list']);
    expect(code).toBe(0);
    expect(output.trimEnd().split('\n')).toHaveLength(POINT_NAMES.length);
    expect(output).toMatch(/^retry-after {2,}After a 429/m);
  });

  test.each([
    {
      what: 'a point that there is not',
      args: ['--only', 'retries'],
      error: /"retries" is in no name.*--list/,
    },
    {
      what: 'a report that cannot be written',
      args: ['--report', 'junit=/dev/null/x.xml'],
      error: /\/dev\/null\/x\.xml/,
    },
    { what: 'no minutes', args: ['--minutes', '0'], error: /--minutes/ },
  ])('refuses $what, and starts nothing', async ({ args, error }) => {
    const { code, output, errors } = await runCommand(['certify-client', ...args, '--', 'true']);
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(errors).toMatch(error);
  });

  test('says that a command cannot be started', async () => {
    const { code, errors } = await runCommand(['certify-client', '--vehicles', '1', '--', 'no-such-client']);
    expect(code).toBe(2);
    expect(errors).toMatch(/The client cannot be started: .*no-such-client/);
  });

  test('gives the command what it needs, and fails one that ends, in every form of the report', async () => {
    const [junit, ready] = [join(place, 'report.xml'), join(place, 'ready.json')];
    const program = `console.log('asked ' + process.env.BOXTWIN_API_URL + ' ' + process.env.BOXTWIN_AMQP_QUEUE); process.exit(3)`;
    const { code, output, errors } = await runCommand([
      ...[
        'certify-client',
        '--vehicles',
        '1',
        '--seed',
        '5',
        '--json',
        '--report',
        `junit=${junit}`,
        '--ready-file',
        ready,
      ],
      ...['--', process.execPath, '-e', program],
    ]);
    expect(code).toBe(1);
    expect(errors).toMatch(/asked http:\/\/127\.0\.0\.1:\d+ VehicleState_v1-demo/);
    const report = JSON.parse(output);
    expect(report).toMatchObject({ passed: 0, failed: 1, not_seen: POINT_NAMES.length - 1, seed: 5 });
    expect(report.points.find(({ verdict }: { verdict: string }) => verdict === 'failed')).toMatchObject({
      name: 'recovers',
      text: 'The command has ended (3) before the run was over.',
    });
    expect(readFileSync(junit, 'utf8')).toContain('skipped="15"');
    // It holds a secret, and what it tells of is gone.
    expect(existsSync(ready)).toBe(false);
  });
});

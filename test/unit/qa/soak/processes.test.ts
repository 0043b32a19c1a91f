import { describe, expect, test } from 'vitest';
import { figuresIn } from '../../../../qa/soak/metrics.ts';
import { fromPs, memoryOf, residentOf } from '../../../../qa/soak/processes.ts';

describe('the memory of processes', () => {
  test('is what /proc calls VmRSS; a process that has ended has none', () => {
    expect(residentOf('Name:\tnode\nVmHWM:\t  900 kB\nVmRSS:\t  512 kB\n')).toBe(512 * 1_024);
    expect(residentOf('Name:\tnode\nState:\tZ (zombie)\n')).toBeUndefined();
    expect(residentOf('')).toBeUndefined();
  });

  test('is read out of what ps prints, of up and its children alone', () => {
    const text = [
      '    1     0   100 /sbin/init',
      '  700     1 50000 node bin/boxtwin.js up --vehicles 9',
      '  701   700 90000 node bin/boxtwin.js backend',
      '  702   701   900 sh',
      'noise',
    ].join('\n');
    expect(fromPs(text, 700)).toEqual([
      { pid: 700, part: 'up', bytes: 51_200_000 },
      { pid: 701, part: 'backend', bytes: 92_160_000 },
    ]);
  });

  test('is that of this process where it is asked for', async () => {
    const [own] = await memoryOf(process.pid);
    expect(own).toMatchObject({ pid: process.pid, part: 'up' });
    expect(own?.bytes).toBeGreaterThan(2 ** 20);
  });
});

test('the figures of the service are read out of its metrics, and are NaN where they are not told', () => {
  const text =
    '# HELP x y\nboxtwin_boxes_connected 1998\nboxtwin_outbox_messages 3\nboxtwin_outbox_bytes 9\n';
  expect(figuresIn(text)).toEqual({ connected: 1_998, outbox: 3, lagS: Number.NaN });
});

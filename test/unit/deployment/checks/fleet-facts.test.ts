import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  heapFacts,
  localPortsFacts,
  memoryFacts,
  openFilesFacts,
  readOpenFiles,
  readPortRange,
} from '../../../../deployment/checks/fleet-facts.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96343                96343                processes
Max open files            1024                 1048576              files
Max locked memory         8388608              unlimited            bytes
`;

test('soft and hard bound are read out of the limits of a process', () => {
  expect(readOpenFiles(LIMITS)).toEqual({ soft: 1_024, hard: 1_048_576 });
  expect(readOpenFiles(LIMITS.replace('1048576', 'unlimited'))).toEqual({
    soft: 1_024,
    hard: Number.POSITIVE_INFINITY,
  });
});

test('the range of local ports is read, both ends counted', () => {
  expect(readPortRange('32768\t60999\n')).toEqual({ ports: 28_232 });
  expect(readPortRange('49152\n65535\n')).toEqual({ ports: 16_384 });
});

test('a text of another form is unknown, and never a wrong number', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/Max open files|^\s*\d+\s+\d+\s*$/.test(text));
      expect(readOpenFiles(text)).toEqual({ soft: undefined, hard: undefined });
      expect(readPortRange(text)).toEqual({ ports: undefined });
    }),
  );
  expect(readPortRange('60999 32768')).toEqual({ ports: undefined });
});

test('this process and this machine have figures of a plausible size', () => {
  const { soft } = openFilesFacts();
  expect(soft === undefined || soft > 3).toBe(true);
  const { ports } = localPortsFacts();
  expect(ports === undefined || (ports > 0 && ports < 65_536)).toBe(true);
  const { boundBytes, freeBytes } = memoryFacts();
  expect(boundBytes).toBeGreaterThan(freeBytes);
  expect(boundBytes).toBeLessThan(2 ** 50);
  expect(heapFacts().boundBytes).toBeGreaterThan(2 ** 24);
});

import { describe, expect, test } from 'vitest';
import { failed, gravest, ok, warning } from '../../../../deployment/checks/check.ts';
import { refuseTooLargeFleet } from '../../../../deployment/checks/fleet-checks.ts';
import { CommandError } from '../../../../deployment/shared/command-error.ts';

const size = { vehicles: 500, hasBothEnds: true, isDriven: false };

describe('before a large fleet starts', () => {
  test('all that cannot work is refused at once, each with its remedy, with exit code 2', () => {
    const refusing = () =>
      refuseTooLargeFleet(size, () => [
        failed('Too few files.', 'Raise it.'),
        failed('No memory.', 'Buy some.'),
      ]);
    expect(refusing).toThrow(new CommandError('Too few files. Raise it.\nNo memory. Buy some.'));
    expect(refusing).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test('what may not work well is told, and what is well is not', () => {
    expect(refuseTooLargeFleet(size, () => [ok('Fine.'), warning('Tight.', 'End others.')])).toEqual([
      'Tight. End others.',
    ]);
  });
});

test('the gravest of several verdicts counts', () => {
  expect(gravest([])).toBe('ok');
  expect(gravest(['ok', 'warning', 'ok'])).toBe('warning');
  expect(gravest(['failed', 'warning'])).toBe('failed');
});

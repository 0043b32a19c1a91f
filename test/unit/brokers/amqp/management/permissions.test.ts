import { describe, expect, test, vi } from 'vitest';
import { exactly } from '../../../../../backend/events/rabbit-accounts.ts';
import { compilePermissions, decisionsOf } from '../../../../../brokers/amqp/management/permissions.ts';
import type { PermissionPatterns } from '../../../../../brokers/amqp/permission-patterns.ts';
import { limits } from '../../../../../brokers/limits.ts';

const patternsOf = (read: string): PermissionPatterns => {
  const compiled = compilePermissions({ configure: '', write: '', read });
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.patterns;
};
const decide = (read: string, name: string) => decisionsOf(patternsOf(read), () => undefined)('read', name);

describe('permissions as expressions', () => {
  test.each([
    ['', 'own', false],
    ['^$', 'own', false],
    ['.*', 'own', true],
    ['own', 'my-own-queue', true],
    ['^own$', 'my-own', false],
    [exactly(['a.b', 'c-d']), 'a.b', true],
    [exactly(['a.b', 'c-d']), 'c-d', true],
    [exactly(['a.b', 'c-d']), 'aXb', false],
    [exactly([]), 'own', false],
  ])('%j for %j: %s', (read, name, isPermitted) => {
    expect(decide(read, name)).toBe(isPermitted);
  });

  test.each([
    ['(', /is not a regular expression: Unterminated group/],
    // PCRE knows them; without an error they would mean something else.
    ['\\Aown\\z', /is not a regular expression: Invalid escape/],
    ['[[:alpha:]]', /is not a regular expression/],
    ['a'.repeat(limits.users.patternCharacters + 1), /is longer than 8192 characters/],
  ])('%.20s is refused with the operation and the reason', (read, reason) => {
    expect(compilePermissions({ configure: '', write: '', read })).toMatchObject({
      ok: false,
      operation: 'read',
      reason: expect.stringMatching(reason),
    });
  });

  test('an expression that backtracks without end is not decided', () => {
    const tooSlow = vi.fn();
    expect(decisionsOf(patternsOf('^(a+)+$'), tooSlow)('read', `${'a'.repeat(60)}!`)).toBe(false);
    expect(tooSlow.mock.calls).toEqual([['read']]);
  });

  test('what is remembered of one operation says nothing of another, and the memory is bounded', () => {
    const decisions = decisionsOf(patternsOf('^q'), () => undefined);
    for (let count = 0; count < limits.users.rememberedMatches + 10; count++)
      expect(decisions('read', `q${count}`)).toBe(true);
    expect(decisions('read', 'q0')).toBe(true);
    expect(decisions('write', 'q0')).toBe(false);
  });
});

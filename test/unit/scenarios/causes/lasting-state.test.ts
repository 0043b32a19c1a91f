import { describe, expect, test } from 'vitest';
import { lastingStatesOf, obstacleOf } from '../../../../scenarios/causes/lasting-state.ts';

const cutOff = box({ hasCoverage: false });

function box(truth: object, belief: object = {}) {
  return {
    boxId: 'b',
    truth: { hasCoverage: true, signalLevelDbm: -75, ignitionOn: false, ...truth },
    belief: { hangsUntilMs: null, fault: null, ...belief },
  };
}

const coverage = (boxes: readonly string[]) => ({ fault: { weather: { coverage: 'none' } }, boxes });

describe('what keeps a cause from being brought about', () => {
  test.each([
    ['nothing', box({}), []],
    ['coverage that was ended', cutOff, ['no-coverage']],
    [
      'a box that hangs and is broken',
      box({}, { hangsUntilMs: 5, fault: 'x' }),
      ['box-is-silent', 'box-fails'],
    ],
    ['no site in reach on the road', box({ hasCoverage: false, signalLevelDbm: -120, ignitionOn: true }), []],
    ['an answer of another form', undefined, []],
  ])('%s is found', (_, shown, causes) => {
    expect(lastingStatesOf(shown).map(({ cause }) => cause)).toEqual(causes);
  });

  test('is ended by the command that is named', () => {
    expect(obstacleOf('V', cutOff, [], 'box-fails')).toEqual({
      says: 'V has no coverage, from an earlier provoke or action',
      undoing: 'V coverage --undo',
    });
    expect(obstacleOf('V', cutOff, [coverage(['b'])], 'box-fails')?.undoing).toBe('V coverage --undo');
    expect(obstacleOf('V', cutOff, [coverage(['a', 'b'])], 'box-fails')?.undoing).toBe('all coverage --undo');
    expect(obstacleOf('V', cutOff, [coverage(['a'])], 'box-fails')?.says).toContain('an earlier provoke');
  });

  test('is not what the cause itself does, unless a fault holds it', () => {
    expect(obstacleOf('V', cutOff, [], 'no-coverage')).toBeUndefined();
    expect(obstacleOf('V', cutOff, [coverage(['b'])], 'no-coverage')?.says).toContain('from an active fault');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../backend/commands/outcomes.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

/** What a box may say of itself: any text but none. */
const errors = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 });

describe('the outcome of a command as an answer', () => {
  test('done is no refusal, whatever the box said with it', () => {
    fc.assert(
      fc.property(fc.option(errors, { nil: '' }), (error) => {
        expect(refusalOf({ outcome: 'done', error })).toBeUndefined();
      }),
    );
  });

  test.each([
    ['expired', 'no-connection', /not carried out/],
    ['open', 'no-connection', /may have been carried out/],
    ['unknown', 'no-connection', /may have been carried out/],
    ['withdrawn', 'no-connection', /not sent/],
    ['unsupported', 'command-not-supported', /does not support/],
    ['not-ready', 'conflicting-resource', /accepts no commands yet/],
  ] as const)('%s is the problem %s with the same text whatever the box said', (outcome, problem, detail) => {
    const refusal = refusalOf({ outcome, error: '' });
    expect(refusal?.problem).toBe(problem);
    expect(refusal?.detail).toMatch(detail);
    expect(refusalOf({ outcome, error: 'the horn hangs' })).toEqual(refusal);
  });

  test.each([
    ['conflicting-state', 'conflicting-state', 'The state of the vehicle does not allow this command'],
    ['failed', 'telematics-unit-error', 'The telematics unit failed'],
  ] as const)('%s is the problem %s and gives the reason of the box', (outcome, problem, begin) => {
    fc.assert(
      fc.property(errors, (error) => {
        expect(refusalOf({ outcome, error })).toEqual({ problem, detail: `${begin}: ${error}.` });
      }),
    );
  });

  test.each([
    ['conflicting-state', 'The state of the vehicle does not allow this command.'],
    ['failed', 'The telematics unit failed and gave no reason.'],
  ] as const)('%s without a reason is a whole sentence', (outcome, detail) => {
    expect(refusalOf({ outcome, error: '' })?.detail).toBe(detail);
  });
});

import { expect, test } from 'vitest';
import { chosenNames } from '../../../../cli/shared/chosen-names.ts';

const NAMES = ['back-off', 'amqp-back-off', 'patience'] as const;

test.each([
  { only: [], chosen: NAMES },
  { only: ['back-off'], chosen: ['back-off'] },
  { only: ['back'], chosen: ['back-off', 'amqp-back-off'] },
  { only: ['AMQP', 'Patience'], chosen: ['amqp-back-off', 'patience'] },
])('--only $only chooses $chosen', ({ only, chosen }) => {
  expect(chosenNames(NAMES, only, 'the list')).toEqual(chosen);
});

test('--only with a text in no name is refused with the nearest name', () => {
  expect(() => chosenNames(NAMES, ['patients'], 'boxtwin certify --list')).toThrow(
    '--only "patients" is in no name. Did you mean patience? "boxtwin certify --list" lists them.',
  );
});

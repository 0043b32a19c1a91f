import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { boundedJudgement } from '../../../../cli/commands/doctor.ts';
import { checkText, takenPortsText, verdictText } from '../../../../cli/commands/doctor-text.ts';
import { check, failed, ok, warning } from '../../../../deployment/checks/check.ts';

test('a check that never ends has failed once its time is over', async () => {
  const never = check('disk', () => new Promise<never>(() => undefined), ok);
  expect(await boundedJudgement(never, 1)).toMatchObject({
    verdict: 'failed',
    text: 'No answer within 1.0 ms.',
  });
});

test('a measure that breaks is a failed check with the reason, and no failed program', async () => {
  const broken = check('disk', () => Promise.reject(new Error('EIO')), ok);
  expect(await boundedJudgement(broken)).toMatchObject({
    verdict: 'failed',
    text: 'It could not be measured: EIO',
  });
});

test('a check is a line with its mark, and its remedy stands indented below', () => {
  const text = (judgement: Parameters<typeof checkText>[0]['judgement']) =>
    stripVTControlCharacters(checkText({ name: 'memory', judgement }));
  expect(text(ok('Enough.'))).toBe(`✓ memory${' '.repeat(17)}Enough.\n`);
  expect(text(warning('Tight.', 'End others.'))).toBe(
    `! memory${' '.repeat(17)}Tight.\n${' '.repeat(25)}End others.\n`,
  );
});

test('the last line counts what is wrong', () => {
  const line = (...judgements: readonly ReturnType<typeof ok>[]) =>
    stripVTControlCharacters(verdictText(judgements.map((judgement) => ({ name: 'one', judgement }))));
  expect(line(ok('a'), ok('b'))).toBe('All is well.\n');
  expect(line(ok('a'), failed('b', 'c'))).toBe('1 check failed.\n');
  expect(line(failed('a', 'b'), failed('c', 'd'), warning('e', 'f'))).toBe('2 checks failed, 1 warning.\n');
});

test('ports that are taken have a line each, and one remedy', () => {
  const taken = (name: string, option: string) => ({
    name: `${name} port`,
    judgement: warning(
      `1 is taken: the ${name} broker would listen on 2.`,
      `Free it, or give one with ${option}.`,
    ),
  });
  const text = takenPortsText([taken('MQTT', '--mqtt-port'), taken('AMQP', '--amqp-port')]);
  expect(stripVTControlCharacters(text).split('\n')).toEqual([
    '! MQTT port              1 is taken: the MQTT broker would listen on 2.',
    '! AMQP port              1 is taken: the AMQP broker would listen on 2.',
    '                         Free them, or give others with --mqtt-port, --amqp-port.',
    '',
  ]);
});

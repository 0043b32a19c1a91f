import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { codeOf, meaningOf, wordsOf } from '../../../../../backend/store/postgres/meaning.ts';

function databaseError(code: string | undefined, routine?: string): DatabaseError {
  const error = new DatabaseError('words of the server', 10, 'error');
  error.code = code;
  error.routine = routine;
  return error;
}

test.each([
  ['40001', 'again'],
  ['40P01', 'again'],
  ['23505', 'taken'],
  ['08006', 'medium'],
  ['25006', 'medium'],
  ['25P03', 'medium'],
  ['28P01', 'medium'],
  ['42501', 'medium'],
  ['53100', 'medium'],
  ['53300', 'medium'],
  ['55P03', 'medium'],
  ['57014', 'medium'],
  ['57P01', 'medium'],
  ['57P02', 'medium'],
  ['57P03', 'medium'],
  ['58030', 'medium'],
  ['XX001', 'medium'],
  ['23502', 'wrong'],
  ['42601', 'wrong'],
  ['0A000', 'wrong'],
  ['XX000', 'wrong'],
])('an error of the server with SQLSTATE %s means: %s', (code, meaning) => {
  expect(meaningOf(databaseError(code))).toBe(meaning);
});

test('a statement that was prepared before its tables changed is outdated', () => {
  expect(meaningOf(databaseError('0A000', 'RevalidateCachedQuery'))).toBe('outdated');
});

test('what the driver says of sockets, certificates and unreadable answers is of the medium', () => {
  expect(meaningOf(new Error('Connection terminated unexpectedly'))).toBe('medium');
  expect(meaningOf(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe('medium');
  expect(meaningOf(Object.assign(new TypeError('port'), { code: 'ERR_SOCKET_BAD_PORT' }))).toBe('medium');
  expect(meaningOf(databaseError(undefined))).toBe('medium');
});

test('a value that cannot be sent is a fault of the program', () => {
  expect(meaningOf(new TypeError('A statement lacks the value id.'))).toBe('wrong');
});

test('of several attempts to connect, the last one is told', () => {
  const [one, other] = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'].map((words) =>
    Object.assign(new Error(words), { code: 'ECONNREFUSED' }),
  );
  const both = Object.assign(new AggregateError([one, other]), { code: 'ECONNREFUSED' });
  expect(codeOf(both)).toBe('ECONNREFUSED');
  expect(wordsOf(both)).toBe('connect ECONNREFUSED 127.0.0.1:5432');
});

import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../../backend/store/port/store.ts';
import type { StoreCall } from '../../../../../backend/store/port/store-calls.ts';
import { BoxTaken } from '../../../../../backend/store/port/vehicle-store.ts';
import {
  type Connection,
  type Connections,
  DatabaseTrouble,
} from '../../../../../backend/store/postgres/connections.ts';
import { executor } from '../../../../../backend/store/postgres/executor.ts';
import { postgresLimits } from '../../../../../backend/store/postgres/limits.ts';
import { statement, type ValueOf } from '../../../../../backend/store/statements/statement.ts';
import {
  first,
  run,
  type Transaction,
  wholly,
  writeMessages,
} from '../../../../../backend/store/statements/transaction.ts';
import { openVirtualWorld } from '../../../../../world/virtual-world.ts';
import { outgoingMessage } from '../../../../support/store/store-rows.ts';

const find = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('fleets').selectAll().where('id', '=', value('id')),
);
const remove = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('fleets').where('id', '=', value('id')),
);

const notify = statement(() => sql`notify boxtwin`);

const READ: StoreCall = { part: 'access', name: 'findFleet', parameters: [] };
const WRITE: StoreCall = { part: 'vehicles', name: 'save', parameters: [] };
const SNAPSHOT: StoreCall = { part: 'subscriptions', name: 'look', parameters: [] };
const TAKE: StoreCall = { part: 'quotas', name: 'take', parameters: [] };
const SENT: StoreCall = { part: 'outbox', name: 'sent', parameters: [] };
const DELETE: StoreCall = { part: 'access', name: 'deleteClient', parameters: [] };
const COMMIT: StoreCall = { part: 'ingest', name: 'commit', parameters: [] };

function refusal(code: string, routine?: string): DatabaseTrouble {
  const error = new DatabaseError('words', 5, 'error');
  error.code = code;
  error.routine = routine;
  return new DatabaseTrouble(error);
}

function lost(): DatabaseTrouble {
  return new DatabaseTrouble(new Error('Connection terminated unexpectedly'));
}

/** A database that writes down what it is told, and fails at what `failing` names, each trouble once. */
function stage(
  transaction: () => Transaction<unknown>,
  failing: readonly (readonly [command: string, trouble: DatabaseTrouble])[] = [],
  tell?: () => Transaction<void>,
) {
  const world = openVirtualWorld({ seed: 1 });
  const { time } = world.instance('backend');
  const said: string[] = [];
  const names: string[] = [];
  const left = [...failing];
  let began = 0;
  function hear(command: string): Promise<void> {
    said.push(command);
    const at = left.findIndex(([named]) => command.startsWith(named));
    const [found] = at < 0 ? [] : left.splice(at, 1);
    return found === undefined ? Promise.resolve() : Promise.reject(found[1]);
  }
  const connections: Connections = {
    use: (work) => {
      let isBroken = false;
      const noted = (error: unknown): never => {
        if (error instanceof DatabaseTrouble && error.meaning === 'medium') isBroken = true;
        throw error;
      };
      const connection: Connection = {
        get isBroken() {
          return isBroken;
        },
        query: async ({ name, text }) => {
          names.push(name);
          await hear(text).catch(noted);
          return { rows: [{ id: 'F', name: 'Fleet' }], changes: 1 };
        },
        command: (sql) => hear(sql).catch(noted),
      };
      return work(connection);
    },
    close: () => Promise.resolve(),
  };
  const carryOut = executor({
    connections,
    begin: () => {
      began += 1;
      return transaction();
    },
    outboxMessages: function* ([message]) {
      yield* run(remove, { id: message?.messageId ?? '' });
      return message === undefined ? [] : [{ position: 7, ...message }];
    },
    ...(tell === undefined ? {} : { tell }),
    time,
    chance: world.random.stream('retries'),
    limits: postgresLimits,
    shown: 'postgres://db.example:5432/fleet',
  });
  async function outcomeOf(call: StoreCall): Promise<unknown> {
    const outcome = carryOut(call).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await world.runFor(60_000);
    return outcome;
  }
  return { outcomeOf, said, names, began: () => began, time };
}

function* one(): Transaction<unknown> {
  return yield* first(find, { id: 'F' });
}
function* two(): Transaction<unknown> {
  const fleet = yield* first(find, { id: 'F' });
  return [fleet?.name, yield* run(remove, { id: 'F' })];
}
const FIND = expect.stringMatching(/^select/) as string;
const REMOVE = expect.stringMatching(/^delete/) as string;

describe('a call', () => {
  test('that is named as one statement is carried out by itself', async () => {
    const { outcomeOf, said } = stage(one);
    expect(await outcomeOf(READ)).toEqual({ value: { id: 'F', name: 'Fleet' } });
    expect(said).toEqual([FIND]);
  });

  test('that is named as one statement and has two is a fault of the program', async () => {
    const { outcomeOf } = stage(two);
    expect(await outcomeOf(READ)).toMatchObject({
      error: { message: 'access.findFleet is named as one statement, and has more.' },
    });
  });

  test('that is named as one statement and writes messages is a fault of the program', async () => {
    const { outcomeOf } = stage(() => writeMessages([outgoingMessage('M1')]));
    expect(await outcomeOf(READ)).toMatchObject({ error: { message: expect.stringContaining('has more') } });
  });

  test('that reads with several statements sees one moment', async () => {
    const { outcomeOf, said } = stage(two);
    await outcomeOf(SNAPSHOT);
    expect(said).toEqual(['begin isolation level repeatable read read only', FIND, REMOVE, 'commit']);
  });

  test('whose statement is the whole transaction is carried out by itself', async () => {
    const { outcomeOf, said } = stage(() => wholly(remove, { id: 'F' }));
    expect(await outcomeOf(COMMIT)).toEqual({ value: [{ id: 'F', name: 'Fleet' }] });
    expect(said).toEqual([REMOVE]);
  });

  test('whose statement is the whole transaction, and has more, is a fault of the program', async () => {
    const { outcomeOf } = stage(function* () {
      yield* wholly(remove, { id: 'F' });
      yield* run(remove, { id: 'F' });
    });
    expect(await outcomeOf(COMMIT)).toMatchObject({
      error: { message: expect.stringContaining('has more') },
    });
  });

  test('that writes is serializable, unless it is named otherwise', async () => {
    const { outcomeOf, said } = stage(two);
    expect(await outcomeOf(WRITE)).toEqual({ value: ['Fleet', 1] });
    expect(said).toEqual(['begin isolation level serializable', FIND, REMOVE, 'commit']);
    said.length = 0;
    await outcomeOf(COMMIT);
    expect(said[0]).toBe('begin isolation level read committed');
  });

  test('that may be committed statement by statement has no transaction', async () => {
    const { outcomeOf, said } = stage(two);
    expect(await outcomeOf(SENT)).toEqual({ value: ['Fleet', 1] });
    expect(said).toEqual([FIND, REMOVE]);
  });

  test('whose loss does no harm does not wait for the medium', async () => {
    const { outcomeOf, said } = stage(two);
    await outcomeOf(TAKE);
    expect(said[0]).toBe('begin isolation level read committed; set local synchronous_commit = off');
  });

  test('gets the rows of its messages from the outbox, in its own transaction', async () => {
    const message = outgoingMessage('M1');
    const { outcomeOf, said } = stage(() => writeMessages([message]));
    expect(await outcomeOf(WRITE)).toEqual({ value: [{ position: 7, ...message }] });
    expect(said).toEqual(['begin isolation level serializable', REMOVE, 'commit']);
  });
});

describe('a call that met another one', () => {
  test.each([
    ['a serialization failure', '40001', 'delete'],
    ['a deadlock', '40P01', 'delete'],
    ['a serialization failure at its commit', '40001', 'commit'],
    ['a key that is there already, since it did not see it yet', '23505', 'delete'],
  ])('by %s is carried out again from its beginning', async (_, code, where) => {
    const { outcomeOf, said, began } = stage(two, [[where, refusal(code)]]);
    expect(await outcomeOf(WRITE)).toEqual({ value: ['Fleet', 1] });
    expect(began()).toBe(2);
    expect(said.filter((command) => command.startsWith('begin'))).toHaveLength(2);
    expect(said.at(-1)).toBe('commit');
  });

  test('is given up after a bounded number of attempts, with waits between them', async () => {
    const { outcomeOf, began, time } = stage(
      two,
      Array.from({ length: 100 }, () => ['delete', refusal('40001')] as const),
    );
    const beginMs = time.nowMs();
    const outcome = await outcomeOf(WRITE);
    expect(outcome).toMatchObject({
      error: {
        message: 'The database postgres://db.example:5432/fleet failed 20 times (40001): words.',
      },
    });
    expect((outcome as { error: unknown }).error).toBeInstanceOf(StoreFailed);
    expect(began()).toBe(postgresLimits.attempts);
    expect(time.nowMs()).toBeGreaterThan(beginMs);
  });

  test('at the same key each time was wrong, and its error passes', async () => {
    const { outcomeOf, began } = stage(
      two,
      Array.from({ length: 100 }, () => ['delete', refusal('23505')] as const),
    );
    expect(await outcomeOf(WRITE)).toMatchObject({ error: { code: '23505' } });
    expect(began()).toBe(postgresLimits.attempts);
  });

  test('at a key, and sees what is committed, is wrong at once', async () => {
    const { outcomeOf, began } = stage(two, [['delete', refusal('23505')]]);
    expect(await outcomeOf(COMMIT)).toMatchObject({ error: { code: '23505' } });
    expect(began()).toBe(1);
  });

  test('that changed the tables has its statements prepared anew', async () => {
    const { outcomeOf, names } = stage(one, [['select', refusal('0A000', 'RevalidateCachedQuery')]]);
    expect(await outcomeOf(READ)).toEqual({ value: { id: 'F', name: 'Fleet' } });
    expect(new Set(names).size).toBe(2);
  });
});

describe('the wake-up of a call', () => {
  const tell = function* (): Transaction<void> {
    yield* run(notify, {});
  };

  test.each(['40P01', '57014'])(
    'that is committed by itself is lost with error %s, and the call neither fails nor is carried out again',
    async (code) => {
      const { outcomeOf, began } = stage(() => run(remove, { id: 'F' }), [['notify', refusal(code)]], tell);
      expect(await outcomeOf(DELETE)).toEqual({ value: 1 });
      expect(began()).toBe(1);
    },
  );

  test('in a transaction is part of it', async () => {
    const { outcomeOf, began } = stage(two, [['notify', refusal('40P01')]], tell);
    expect(await outcomeOf(WRITE)).toEqual({ value: ['Fleet', 1] });
    expect(began()).toBe(2);
  });
});

describe('a call that fails', () => {
  test('with an error of the port is rolled back, and the error passes', async () => {
    const { outcomeOf, said } = stage(function* () {
      yield* run(remove, { id: 'F' });
      throw new BoxTaken('taken');
    });
    expect(await outcomeOf(WRITE)).toEqual({ error: new BoxTaken('taken') });
    expect(said).toEqual(['begin isolation level serializable', REMOVE, 'rollback']);
  });

  test("with a fault of the program has the driver's error, and is not carried out again", async () => {
    const { outcomeOf, said } = stage(two, [['delete', refusal('42601')]]);
    expect(await outcomeOf(WRITE)).toMatchObject({ error: { code: '42601' } });
    expect(said).toEqual(['begin isolation level serializable', FIND, REMOVE, 'rollback']);
  });

  test('because of the medium says so, and is not carried out again', async () => {
    const { outcomeOf, said } = stage(two, [['delete', lost()]]);
    const outcome = await outcomeOf(WRITE);
    expect(outcome).toMatchObject({
      error: {
        name: 'StoreFailed',
        message: 'The database postgres://db.example:5432/fleet failed: Connection terminated unexpectedly.',
      },
    });
    // What is left of a broken connection is closed: it takes no commands.
    expect(said.at(-1)).toEqual(REMOVE);
  });

  test('during a statement that is committed by itself may have been written, and says so', async () => {
    const says = expect.stringContaining('What this call wrote may be there or not.') as string;
    const removes = () => run(remove, { id: 'F' });
    for (const call of [DELETE, COMMIT]) {
      const isWhole = call === COMMIT;
      const { outcomeOf, began } = stage(isWhole ? () => wholly(remove, { id: 'F' }) : removes, [
        ['delete', lost()],
      ]);
      expect(await outcomeOf(call)).toMatchObject({ error: { name: 'StoreFailed', message: says } });
      expect(began()).toBe(1);
    }
    // After the first of several, even what the server has refused.
    const { outcomeOf } = stage(two, [['delete', refusal('57014')]]);
    expect(await outcomeOf(SENT)).toMatchObject({ error: { message: says } });
  });

  test('during a statement that the server has given up, or that reads, has written nothing', async () => {
    const says = expect.not.stringContaining('may be there') as string;
    const given = stage(() => wholly(remove, { id: 'F' }), [['delete', refusal('57014')]]);
    expect(await given.outcomeOf(COMMIT)).toMatchObject({ error: { name: 'StoreFailed', message: says } });
    const reading = stage(one, [['select', lost()]]);
    expect(await reading.outcomeOf(READ)).toMatchObject({ error: { name: 'StoreFailed', message: says } });
    const ending = stage(one, [['commit', lost()]]);
    expect(await ending.outcomeOf(SNAPSHOT)).toMatchObject({ error: { name: 'StoreFailed', message: says } });
  });

  test('while it committed may have been written, and says so', async () => {
    const { outcomeOf, began } = stage(two, [['commit', lost()]]);
    expect(await outcomeOf(WRITE)).toMatchObject({
      error: { name: 'StoreFailed', message: expect.stringContaining('while it committed') },
    });
    expect(began()).toBe(1);
  });
});

import type { OutboxRow, OutgoingMessage } from '../port/outbox-store.ts';
import type { SqlValue, Statement } from './statement.ts';

/**
 * A transaction as a generator: it yields statements, and is resumed with what they have found or changed. It decides,
 * and carries nothing out. SQLite runs it to its end at once; PostgreSQL awaits each statement, and may retry it from
 * its beginning after a conflict with another transaction. So before its end it keeps no state that a second run would
 * count twice.
 */
export type Transaction<Result> = Generator<Step, Result, Answer>;

export type Step =
  | {
      readonly kind: 'statement';
      readonly statement: Statement<unknown, unknown>;
      readonly values: Readonly<Record<string, SqlValue>>;
      /** Nothing follows it in its transaction. */
      readonly isWhole?: true;
    }
  /** Messages that are written in the same transaction: each database has its own outbox. */
  | { readonly kind: 'messages'; readonly messages: readonly OutgoingMessage[] };

export interface Answer {
  /** Of a statement that returns rows. For messages: their rows of the outbox, none if some were dropped. */
  readonly rows: readonly unknown[];
  /** How many rows it has inserted, updated or deleted. */
  readonly changes: number;
}

/** The calls of a part of the port as transactions. */
export type Calls<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...parameters: infer Parameters) => Promise<infer Result>
    ? (...parameters: Parameters) => Transaction<Result>
    : never;
};

/** What a statement is given; one without values `{}`. */
type Given<Values> = unknown extends Values
  ? Readonly<Record<string, never>>
  : Values extends Readonly<Record<string, SqlValue>>
    ? Values
    : never;

function stepOf<Values, Row>(
  statement: Statement<Values, Row>,
  values: Given<Values>,
): Extract<Step, { readonly kind: 'statement' }> {
  // Only the types of values and rows are lost: a step is for any statement.
  return { kind: 'statement', statement: statement as Statement<unknown, unknown>, values };
}

/** All rows that a statement finds or returns. */
export function* all<Values, Row>(
  statement: Statement<Values, Row>,
  values: Given<Values>,
): Transaction<readonly Row[]> {
  const { rows } = yield stepOf(statement, values);
  // The builder of the statement knows the types of its columns.
  return rows as readonly Row[];
}

/** The same of a statement that is a whole transaction: PostgreSQL carries it out without BEGIN and COMMIT. */
export function* wholly<Values, Row>(
  statement: Statement<Values, Row>,
  values: Given<Values>,
): Transaction<readonly Row[]> {
  const { rows } = yield { ...stepOf(statement, values), isWhole: true };
  return rows as readonly Row[];
}

/** The first of them. */
export function* first<Values, Row>(
  statement: Statement<Values, Row>,
  values: Given<Values>,
): Transaction<Row | undefined> {
  return (yield* all(statement, values))[0];
}

/** How many rows a statement has changed. */
export function* run<Values, Row>(
  statement: Statement<Values, Row>,
  values: Given<Values>,
): Transaction<number> {
  return (yield stepOf(statement, values)).changes;
}

/** Writes messages after all others of their vehicles. Their rows; none if any were dropped. */
export function* writeMessages(messages: readonly OutgoingMessage[]): Transaction<readonly OutboxRow[]> {
  if (messages.length === 0) return [];
  return (yield { kind: 'messages', messages }).rows as readonly OutboxRow[];
}

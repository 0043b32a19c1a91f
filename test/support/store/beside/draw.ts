import type { Parts } from '../../../../backend/store/port/store.ts';
import type { StoreCall } from '../../../../backend/store/port/store-calls.ts';
import type { Stream } from '../../../../world/random/random.ts';
import type { Contents, Row, TableName } from './contents.ts';

/** The position that a store has given to a message; 0: none. */
export type PositionOf = (messageId: string) => number;

/** A call whose positions in the outbox are those of the store that carries it out. */
export interface DrawnCall extends Pick<StoreCall, 'part' | 'name'> {
  readonly parameters: (positionOf: PositionOf) => readonly unknown[];
}

type Given<Call> = Call extends (...parameters: infer Parameters) => unknown ? Parameters : never;

/** A call, with the parameters that the port has. */
export function callOf<Part extends keyof Parts, Name extends keyof Parts[Part] & string>(
  part: Part,
  name: Name,
  ...parameters: Given<Parts[Part][Name]>
): DrawnCall {
  return { part, name, parameters: () => parameters };
}

/** The same for parameters that have positions in the outbox. */
export function callWithPositions<Part extends keyof Parts, Name extends keyof Parts[Part] & string>(
  part: Part,
  name: Name,
  parameters: (positionOf: PositionOf) => Readonly<Given<Parts[Part][Name]>>,
): DrawnCall {
  return { part, name, parameters };
}

export const FLEETS = ['FLEET1', 'FLEET2'] as const;
export const VEHICLES = ['VEH01', 'VEH02', 'VEH03', 'VEH04', 'VEH05'] as const;
export const BOXES = [
  '00000000000000a1',
  '00000000000000b2',
  '00000000000000c3',
  '00000000000000d4',
] as const;
export const MAKERS = ['northwind', 'southwind'] as const;
export const BACKENDS = ['backend-1', 'backend-2', 'backend-3'] as const;
export const USERS = ['user-1', 'user-2', 'user-3'] as const;
export const CLIENTS = ['client-1', 'client-2'] as const;

/** Chance, and what there is to draw from. */
export class Draw {
  readonly nowMs: number;
  readonly #stream: Stream;
  readonly #contents: Contents;
  readonly #newId: () => number;

  /** `contents`: of the store before the call. `newId`: a number that no other call has. */
  constructor(stream: Stream, contents: Contents, nowMs: number, newId: () => number) {
    this.#stream = stream;
    this.#contents = contents;
    this.nowMs = nowMs;
    this.#newId = newId;
  }

  whole(min: number, max: number): number {
    return this.#stream.whole(min, max);
  }

  pick<T>(items: readonly T[]): T {
    return this.#stream.pick(items);
  }

  /** True once in that many times. */
  once(times: number): boolean {
    return this.#stream.whole(1, times) === 1;
  }

  /** Some of them, at least one if there is any, in the order of chance. */
  some<T>(items: readonly T[]): readonly T[] {
    const left = [...items];
    const wanted = Math.min(left.length, this.whole(1, 3));
    return Array.from({ length: wanted }, () => left.splice(this.whole(0, left.length - 1), 1)).flat();
  }

  /** An id that was never used: ids rise. */
  id(prefix: string): string {
    return `${prefix}-${String(this.#newId()).padStart(6, '0')}`;
  }

  rows(table: TableName): readonly Row[] {
    return this.#contents[table];
  }

  /** A row of the table that meets the condition; undefined: there is none. */
  row(table: TableName, condition: (row: Row) => boolean = () => true): Row | undefined {
    const rows = this.rows(table).filter(condition);
    return rows.length === 0 ? undefined : this.pick(rows);
  }

  /** A value in a column, or now and then one that nobody has. */
  value(table: TableName, column: string): string {
    const row = this.once(10) ? undefined : this.row(table);
    return row === undefined ? 'nobody' : String(row[column]);
  }

  /** A number in a column, or now and then another one. */
  number(row: Row | undefined, column: string): number {
    const value = Number(row?.[column] ?? 0);
    return this.once(8) ? value + this.pick([-1, 1]) : value;
  }

  /** A time in what is to come. */
  later(): number {
    return this.nowMs + this.pick([1_000, 7_000, 30_000, 10 * 60_000, 3_600_000]);
  }
}

/** Draws a call of one kind; undefined: the store has nothing that it could be about. */
export type Drawer = (draw: Draw) => DrawnCall | undefined;

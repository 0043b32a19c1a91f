import type { Place, SqlValue, Statement } from '../statements/statement.ts';
import { type DriverValue, toDriver } from './values.ts';

/** A statement as the driver takes it. Under the same name, a connection prepares it once. */
export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: DriverValue[];
}

interface Named {
  readonly name: string;
  readonly text: string;
  readonly places: readonly Place[];
}

/** Gives each statement a name, the same on every connection of the store. */
export interface PreparedStatements {
  query(statement: Statement<unknown, unknown>, values: Readonly<Record<string, SqlValue>>): PreparedQuery;
  /** The tables have changed: all statements get new names from here on, and are prepared again. */
  renew(): void;
}

export function preparedStatements(): PreparedStatements {
  let named = new Map<Statement<unknown, unknown>, Named>();
  let last = 0;

  function nameOf(statement: Statement<unknown, unknown>): Named {
    const there = named.get(statement);
    if (there !== undefined) return there;
    const { sql, places } = statement.compiledFor('postgres');
    last += 1;
    const made = { name: `boxtwin_${last}`, text: sql, places };
    named.set(statement, made);
    return made;
  }

  return {
    query(statement, values) {
      const { name, text, places } = nameOf(statement);
      return { name, text, values: places.map((place) => toDriver(given(values[place.name], place.name))) };
    },
    renew() {
      named = new Map();
    },
  };
}

function given(value: SqlValue | undefined, name: string): SqlValue {
  if (value === undefined) throw new TypeError(`A statement lacks the value ${name}.`);
  return value;
}

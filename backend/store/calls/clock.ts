import type { ClockStore } from '../port/store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first } from '../statements/transaction.ts';

const look = statement(({ query, nowMs }, _: ValueOf<Record<string, never>>) =>
  query.selectNoFrom(nowMs.as('now_ms')),
);

/** The store's own clock. */
export function clockCalls(): Calls<ClockStore> {
  return {
    *nowMs() {
      return (yield* first(look, {}))?.now_ms ?? 0;
    },
  };
}

import { sql } from 'kysely';
import type { ThirdPartyStore } from '../../port/third-party-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { type Calls, first, run, writeMessages } from '../../statements/transaction.ts';
import { beginPolling, pollCalls } from './third-party-polls.ts';
import { selectVehicles, toVehicle } from './vehicle-rows.ts';

const findVehicle = statement((dialect, value: ValueOf<{ maker: string; makerVehicleId: string }>) =>
  selectVehicles(dialect)
    .where('v.maker', '=', dialect.fixed(value('maker')))
    .where('v.maker_vehicle_id', '=', dialect.fixed(value('makerVehicleId'))),
);
const progress = statement(({ query }, value: ValueOf<{ vehicleId: string }>) =>
  query
    .selectFrom('third_party')
    .select(['version', 'taken_ms'])
    .where('vehicle_id', '=', value('vehicleId')),
);

const UNSETTLED = [sql.lit('open'), sql.lit('unknown')];
const openCommand = statement(({ query }, value: ValueOf<{ vehicleId: string; atMs: number }>) =>
  query
    .selectFrom('commands')
    .select('request_id')
    .where('vehicle_id', '=', value('vehicleId'))
    .where('outcome', '=', sql.lit('open'))
    .where('expires_ms', '>', value('atMs')),
);
const settle = statement(({ query }, value: ValueOf<{ requestId: string; atMs: number }>) =>
  query
    .updateTable('commands')
    .set({ outcome: sql.lit('done'), settled_ms: value('atMs') })
    .where('request_id', '=', value('requestId'))
    .where('outcome', 'in', UNSETTLED),
);
const refuse = statement(
  ({ query }, value: ValueOf<{ requestId: string; outcome: string; error: string; atMs: number }>) =>
    query
      .updateTable('commands')
      .set({ outcome: value('outcome'), error: value('error'), settled_ms: value('atMs') })
      .where('request_id', '=', value('requestId'))
      .where('outcome', 'in', UNSETTLED),
);

/** A vehicle that was not polled yet has no row, and counts as of version 1. */
const begin = statement((dialect, value: ValueOf<{ vehicleId: string }>) =>
  beginPolling(dialect, value('vehicleId')),
);
const step = statement(
  ({ query }, value: ValueOf<{ vehicleId: string; version: number; takenMs: number | null }>) =>
    query
      .updateTable('third_party')
      .set((row) => ({
        version: row('version', '+', sql.lit(1)),
        taken_ms: row.fn.coalesce(value('takenMs'), 'taken_ms'),
      }))
      .where('vehicle_id', '=', value('vehicleId'))
      .where('version', '=', value('version')),
);
const save = statement(
  (
    { query, larger },
    value: ValueOf<{
      vehicleId: string;
      state: string | null;
      lastContactMs: number | null;
      life: string | null;
      lifeSinceMs: number | null;
    }>,
  ) =>
    query
      .updateTable('vehicles')
      .set((row) => ({
        maker_state: row.fn.coalesce(value('state'), 'maker_state'),
        maker_contact_ms: larger(
          row.fn.coalesce(value('lastContactMs'), 'maker_contact_ms', sql.lit(0)),
          row.fn.coalesce('maker_contact_ms', sql.lit(0)),
        ),
        maker_life: row.fn.coalesce(value('life'), 'maker_life'),
        maker_life_since_ms: row.fn.coalesce(value('lifeSinceMs'), 'maker_life_since_ms'),
      }))
      .where('id', '=', value('vehicleId'))
      .where('maker', 'is not', null),
);

/** Vehicles behind makers' clouds. */
export function thirdPartyCalls(): Calls<ThirdPartyStore> {
  return {
    ...pollCalls(),
    *findLinked(maker, makerVehicleId) {
      const row = yield* first(findVehicle, { maker, makerVehicleId });
      if (row === undefined) return undefined;
      const found = yield* first(progress, { vehicleId: row.id });
      return { vehicle: toVehicle(row), version: found?.version ?? 1, takenMs: found?.taken_ms ?? undefined };
    },
    *commit({ vehicleId, version, atMs, takenMs, lastContactMs, life, state, message, requestId }) {
      const open = yield* first(openCommand, { vehicleId, atMs });
      if (open !== undefined && open.request_id !== requestId) return 'busy';
      yield* run(begin, { vehicleId });
      if ((yield* run(step, { vehicleId, version, takenMs: takenMs ?? null })) === 0) return 'stale';
      const saved = yield* run(save, {
        vehicleId,
        state: state === undefined ? null : JSON.stringify(state),
        lastContactMs: lastContactMs ?? null,
        life: life?.value ?? null,
        lifeSinceMs: life?.sinceMs ?? null,
      });
      if (saved === 0) return 'stale';
      if (requestId !== undefined) yield* run(settle, { requestId, atMs });
      if (message !== undefined) yield* writeMessages([message]);
      return 'written';
    },
    *refuse(requestId, outcome, error, atMs) {
      yield* run(refuse, { requestId, outcome, error, atMs });
    },
  };
}

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { selectListedVehicles } from './vehicle-rows.ts';

type ListValues = {
  readonly fleetId: string;
  readonly afterId: string;
  readonly search: string | null;
  readonly tag: string | null;
  readonly operationStatus: string | null;
  readonly limit: number;
};

/**
 * A page of the fleet's own vehicles and those shared with it, by id. Each of the two comes in order from its own index,
 * so that no page sorts a whole fleet.
 */
export const listVehicles = statement((dialect, value: ValueOf<ListValues>) => {
  const { query, most } = dialect;
  const own = pageOf(dialect, value, 'fleet_id', sql.ref('search_text')).where(
    wherePresent(value('tag'), dialect.hasText(sql.ref('tags'), value('tag'))),
  );
  // A partner sees no tags.
  const shared = pageOf(dialect, value, 'shared_with', sharedText(dialect)).where(isAbsent(value('tag')));
  return selectListedVehicles(dialect)
    .where(
      'v.id',
      'in',
      query
        .selectFrom(own.as('own'))
        .select('id')
        .union(query.selectFrom(shared.as('shared')).select('id')),
    )
    .orderBy('v.id')
    .limit(most(value('limit')));
});

/** The ids of vehicles whose `owner` is the fleet, under the conditions that do not depend on it; `text` is searched. */
function pageOf(
  { query, most, holds }: Dialect,
  value: ValueOf<ListValues>,
  owner: 'fleet_id' | 'shared_with',
  text: RawBuilder<unknown>,
) {
  return query
    .selectFrom('vehicles')
    .select('id')
    .where(owner, '=', value('fleetId'))
    .where('id', '>', value('afterId'))
    .where(wherePresent(value('search'), holds(text, value('search'))))
    .where(wherePresent(value('operationStatus'), sql`operation_status = ${value('operationStatus')}`))
    .orderBy('id')
    .limit(most(value('limit')));
}

/** The text that a partner's search covers: what it can see of the vehicle. */
function sharedText({ member, lowerAscii }: Dialect): RawBuilder<string> {
  const line = sql.lit('\n');
  const masterData = sql.ref('master_data');
  return lowerAscii(sql`id || ${line} || coalesce(box_id, '') || ${line} ||
    coalesce(${member(masterData, 'vin')}, '') || ${line} || coalesce(${member(masterData, 'license_plate')}, '')`);
}

/** A condition that applies only if its value is given. The type of a bare parameter is not known to PostgreSQL. */
function wherePresent(value: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${isAbsent(value)} or ${condition})`;
}

function isAbsent(value: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`cast(${value} as text) is null`;
}

import type { JsonObject } from '../../../world/json.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { Span } from './run-times.ts';

/** A request to change properties of a vehicle's record. */
interface RecordWrite {
  readonly call: AnsweredCall;
  /** It was answered with success; otherwise its effect is unknown. */
  readonly isCertain: boolean;
  /** JSON texts by property; undefined: any value may have come of it. */
  readonly values: ReadonlyMap<string, string | undefined>;
}

/** A property that an answer reported with an impossible value. */
export interface RecordDisagreement {
  readonly property: string;
  readonly told: string;
  readonly possible: readonly string[];
}

/** Groups of which a PATCH names single properties. */
const GROUPS = ['custom_fields', 'master_data'] as const;
/** Of which it names the value. */
const SINCE = ['operation_status', 'rental_status'] as const;

/**
 * The record of one vehicle by its changes, property by property: a read returns the value of a change that may have
 * had an effect by then, and that no later successful one has replaced.
 */
export class RecordRegister {
  readonly #writes: readonly RecordWrite[];

  /** `calls`: all calls of the path of the vehicle, and below it. */
  constructor(calls: readonly AnsweredCall[]) {
    this.#writes = calls.flatMap((call) => {
      const values = valuesOf(call);
      const isRefused = call.status >= 400 && call.status < 500;
      return values === undefined || isRefused
        ? []
        : [{ call, isCertain: call.status === 200 || call.status === 204, values }];
    });
  }

  /** The impossible values of the record in a body. `own`: it is the answer to this change. */
  disagreements(body: JsonObject, span: Span, own?: AnsweredCall): readonly RecordDisagreement[] {
    const properties = new Set(this.#writes.flatMap(({ values }) => [...values.keys()]));
    return [...properties].flatMap((property) => {
      const possible = own === undefined ? this.#possible(property, span) : this.#during(property, own);
      const told = toldIn(body, property);
      return possible === undefined || possible.includes(told) ? [] : [{ property, told, possible }];
    });
  }

  /** Undefined: the value before all changes is unknown, and may still apply. */
  #possible(property: string, { fromMs, toMs }: Span): readonly string[] | undefined {
    const writes = this.#writes.filter(({ values, call }) => values.has(property) && call.askedMs <= toMs);
    const over = writes.filter(({ isCertain, call }) => isCertain && call.answeredMs < fromMs);
    if (over.length === 0) return undefined;
    const left = writes.filter(
      ({ call }) => !over.some((later) => later.call !== call && later.call.askedMs > call.answeredMs),
    );
    return known(left, property);
  }

  /** What the answer to a change may report: its value, or that of a concurrent change. */
  #during(property: string, own: AnsweredCall): readonly string[] | undefined {
    const writes = this.#writes.filter(({ values }) => values.has(property));
    if (!writes.some(({ call }) => call === own)) return undefined;
    const together = writes.filter(
      ({ call }) => call.askedMs <= own.answeredMs && call.answeredMs >= own.askedMs,
    );
    return known(together, property);
  }
}

function known(writes: readonly RecordWrite[], property: string): readonly string[] | undefined {
  const values = writes.map(({ values: own }) => own.get(property));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** What a call changes, if it changes something. */
function valuesOf({ method, path, sent }: AnsweredCall): ReadonlyMap<string, string | undefined> | undefined {
  if (path.endsWith('/sharing') && method === 'PUT')
    return new Map([['shared_with', textOf((sent as JsonObject | undefined)?.['partner_fleet_id'])]]);
  if (path.endsWith('/sharing') && method === 'DELETE') return new Map([['shared_with', textOf(undefined)]]);
  if (method !== 'PATCH' || !/^\/vehicles\/[^/]+$/.test(path)) return undefined;
  const body = objectOf(sent);
  const values = new Map<string, string | undefined>();
  if ('tags' in body) values.set('tags', textOf(body['tags']));
  for (const name of SINCE) if (name in body) values.set(name, textOf(objectOf(body[name])['value']));
  // Removed master data falls back to that of the model.
  for (const group of GROUPS)
    for (const [name, value] of Object.entries(objectOf(body[group])))
      values.set(`${group}.${name}`, group === 'master_data' && value === null ? undefined : textOf(value));
  return values;
}

function toldIn(body: JsonObject, property: string): string {
  const [group = '', ...rest] = property.split('.');
  if (rest.length > 0) return textOf(objectOf(body[group])[rest.join('.')]);
  const isSince = (SINCE as readonly string[]).includes(group);
  return textOf(isSince ? objectOf(body[group])['value'] : body[group]);
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

/** Absent and null are the same. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

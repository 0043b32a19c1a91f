import { AmqpReader, type AmqpTable, AmqpWriter } from './fields.ts';
import { type FieldKind, METHODS, type MethodName } from './methods.ts';

interface Values {
  readonly bit: boolean;
  readonly octet: number;
  readonly short: number;
  readonly long: number;
  readonly longlong: bigint;
  readonly shortstr: string;
  readonly longstr: Uint8Array;
  readonly table: AmqpTable;
}

type FieldsOf<Name extends MethodName> = (typeof METHODS)[Name]['fields'];

/** The arguments of a method by name, e.g. `{ queue: 'a', ifUnused: false, ... }`. */
export type MethodArguments<Name extends MethodName> = {
  readonly [Key in keyof FieldsOf<Name>]: FieldsOf<Name>[Key] extends keyof Values
    ? Values[FieldsOf<Name>[Key]]
    : never;
};

export type AmqpMethod = {
  readonly [Name in MethodName]: { readonly name: Name; readonly args: MethodArguments<Name> };
}[MethodName];

/** `unknown`: no method has these ids. `malformed`: the method is known, but its arguments cannot be read. */
export type DecodedMethod =
  | { readonly kind: 'method'; readonly method: AmqpMethod }
  | { readonly kind: 'unknown'; readonly classId: number; readonly methodId: number }
  | {
      readonly kind: 'malformed';
      /** Present if the ids are those of a method. */
      readonly name: MethodName | undefined;
      readonly classId: number;
      readonly methodId: number;
      readonly reason: string;
    };

const BY_ID = new Map<number, MethodName>();
for (const name of Object.keys(METHODS)) {
  if (!isMethodName(name)) continue;
  const [classId, methodId] = METHODS[name].id;
  BY_ID.set(classId * 0x10000 + methodId, name);
}

function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}

/** Reads the payload of a method frame. */
export function decodeMethod(payload: Uint8Array): DecodedMethod {
  const reader = new AmqpReader(payload);
  const [classId, methodId] = [reader.short(), reader.short()];
  if (reader.fault !== undefined)
    return { kind: 'malformed', name: undefined, classId, methodId, reason: reader.fault };
  const name = BY_ID.get(classId * 0x10000 + methodId);
  if (name === undefined) return { kind: 'unknown', classId, methodId };
  const args: Record<string, unknown> = {};
  let bits = 0;
  let bit = 8;
  for (const [field, kind] of fieldsOf(name)) {
    if (kind !== 'bit') {
      bit = 8;
      args[field] = reader[kind]();
      continue;
    }
    if (bit === 8) {
      bits = reader.octet();
      bit = 0;
    }
    args[field] = ((bits >>> bit) & 1) === 1;
    bit++;
  }
  if (reader.left > 0)
    return { kind: 'malformed', name, classId, methodId, reason: 'bytes follow the arguments' };
  if (reader.fault !== undefined) return { kind: 'malformed', name, classId, methodId, reason: reader.fault };
  // The loop above stored each argument of the row with the type that the row names.
  return { kind: 'method', method: { name, args } as AmqpMethod };
}

/** The payload of a method frame. */
export function encodeMethod<Name extends MethodName>(name: Name, args: MethodArguments<Name>): Uint8Array {
  const writer = new AmqpWriter();
  for (const id of METHODS[name].id) writer.short(id);
  const values: Readonly<Record<string, unknown>> = args;
  let bits = 0;
  let bit = 0;
  const flush = () => {
    if (bit > 0) writer.octet(bits);
    bits = 0;
    bit = 0;
  };
  for (const [field, kind] of fieldsOf(name)) {
    if (kind === 'bit') {
      if (bit === 8) flush();
      if (values[field] === true) bits |= 1 << bit;
      bit++;
      continue;
    }
    flush();
    write(writer, kind, values[field]);
  }
  flush();
  return writer.done();
}

/** The types of `encodeMethod` ensure the type of each value. */
function write(writer: AmqpWriter, kind: Exclude<FieldKind, 'bit'>, value: unknown): void {
  const put: Readonly<Record<string, (value: never) => void>> = {
    octet: (v: number) => writer.octet(v),
    short: (v: number) => writer.short(v),
    long: (v: number) => writer.long(v),
    longlong: (v: bigint) => writer.longlong(v),
    shortstr: (v: string) => writer.shortstr(v),
    longstr: (v: Uint8Array) => writer.longstr(v),
    table: (v: AmqpTable) => writer.table(v),
  };
  put[kind]?.(value as never);
}

const ROWS = new Map(
  [...BY_ID.values()].map((name): [MethodName, readonly (readonly [string, FieldKind])[]] => [
    name,
    Object.entries(METHODS[name].fields),
  ]),
);

function fieldsOf(name: MethodName): readonly (readonly [string, FieldKind])[] {
  return ROWS.get(name) ?? [];
}

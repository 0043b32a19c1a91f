import { expect, test } from 'vitest';
import {
  type ByteSpan,
  type FieldData,
  type LayoutRow,
  type NumberField,
  type RecordField,
  type Room,
  spanOf,
} from '../../../../protocol/layouts/layout.ts';
import { LAYOUTS } from '../../../../protocol/layouts/layouts.ts';
import { MESSAGE_KINDS } from '../../../../protocol/message-kinds.ts';
import { SETTINGS } from '../../../../protocol/settings.ts';

/** The page docs/wire-layouts.md, drawn from the tables that encode and decode. */
function wireLayoutsPage(): string {
  return [
    '# Payload layouts',
    '',
    'Drawn from the tables in `protocol/layouts/packed/` and `protocol/layouts/tagged/` by `test/unit/protocol/layouts/layout-tables.test.ts`, which',
    'fails when the two differ; `npx vitest run test/unit/protocol/layouts/layout-tables.test.ts -u` draws it anew. Read',
    '[wire.md](wire.md) first. `u16` is an unsigned, `i16` a signed number of 16 bits, big-endian; bounds are those of the',
    'number on the wire. Offsets count from the beginning of the payload (or of the part that the table is about).',
    '',
    '## Kinds',
    '',
    table(
      ['code', 'kind', 'direction', 'in the journal'],
      MESSAGE_KINDS.map((kind) => [hex(kind.code), kind.name, kind.direction, kind.kept ? 'yes' : 'no']),
    ),
    '## Settings',
    '',
    table(
      ['code', 'setting', 'range', 'where it is not named'],
      SETTINGS.map((row) => [
        hex(row.code, 4),
        row.name,
        `${row.minimum} to ${row.maximum}`,
        String(row.standard),
      ]),
    ),
    ...([1, 2] as const).flatMap((generation) => [
      `## Generation ${generation}`,
      '',
      ...sections(MESSAGE_KINDS.map(({ name }) => ({ title: name, record: LAYOUTS[generation][name] }))),
    ]),
  ].join('\n');
}

interface Section {
  readonly title: string;
  readonly record: RecordField;
}

/** One section for each record, and behind them those of the records in them, each once. */
function sections(first: readonly Section[]): string[] {
  const all = [...first];
  const seen = new Set(first.map((section) => section.record));
  const drawn: string[] = [];
  for (const { title, record } of all) {
    drawn.push(`### ${title}`, '');
    if (record.rows.length === 0) drawn.push('No fields.', '');
    else drawn.push(`${STYLES[record.style]}, ${spanText(spanOf(record))}.`, '', recordTable(record));
    for (const row of record.rows) {
      const inner = row.field.type === 'list' ? row.field.element : row.field;
      if (inner.type !== 'record' || seen.has(inner)) continue;
      seen.add(inner);
      all.push({ title: innerTitle(row), record: inner });
    }
  }
  return drawn;
}

const STYLES = {
  packed: 'One field behind the other',
  bitmap: 'Validity bits, then every field in its place',
  tagged: 'Tag, length and value for each field',
} as const;

function innerTitle(row: LayoutRow): string {
  return row.field.type === 'list' ? `${row.name}, each` : row.name;
}

function recordTable(record: RecordField): string {
  if (record.style === 'tagged') {
    const rows = record.rows.map((row) => [
      hex(row.tag),
      nameText(row),
      spanText(row.span),
      meaning(row.field, row),
    ]);
    return table(['tag', 'field', 'value', 'meaning'], rows);
  }
  let offset = 0;
  let bit = 0;
  const rows: string[][] = [];
  if (record.optionalRows > 0) {
    rows.push(['0', 'validity', '1 byte', 'bit n: the field marked n is valid; unset, its bytes are 0']);
    offset = 1;
  }
  for (const row of record.rows) {
    const mark = record.style === 'packed' ? 'where the payload goes on' : String(bit);
    const name = row.optional ? `${row.name} (${mark})` : row.name;
    if (row.optional) bit += 1;
    rows.push([String(offset), name, spanText(row.span), meaning(row.field, row)]);
    offset += row.span.most;
  }
  return table(['at', 'field', 'length', 'meaning'], rows);
}

function nameText(row: LayoutRow): string {
  return row.optional ? `${row.name} (optional)` : row.name;
}

function spanText({ least, most }: ByteSpan): string {
  if (least === most) return most === 1 ? '1 byte' : `${most} bytes`;
  return `${least} to ${most} bytes`;
}

function meaning(field: FieldData, row: LayoutRow): string {
  const text = fieldText(field, row);
  return row.notBelow === undefined ? text : `${text}; not below ${row.notBelow}`;
}

function fieldText(field: FieldData, row: LayoutRow): string {
  switch (field.type) {
    case 'number':
      return numberText(field);
    case 'boolean':
      return '0 or 1';
    case 'choice':
      return `one of ${field.values.join(', ')}`;
    case 'names':
      return [...field.nameOf].map(([code, name]) => `${hex(code)} ${name}`).join(', ');
    case 'text':
      return `up to ${field.most} printable ASCII characters${roomText(field.room)}`;
    case 'bytes':
      return `${field.least} to ${field.most} bytes${roomText(field.room)}`;
    case 'ulid':
      return 'a ULID';
    case 'setting':
      return 'u16 code, then u32 value';
    case 'tuple':
      return field.rising
        ? 'first and last, u32 each, both included'
        : field.items.map(numberText).join('; ');
    case 'list':
      return `up to ${field.most} × ${elementText(field.element, row)}${roomText(field.room)}${
        field.rising === undefined ? '' : `; rising by ${field.rising.name}`
      }`;
    case 'record':
      return `see ${row.name} below`;
    default:
      return field satisfies never;
  }
}

function elementText(element: FieldData, row: LayoutRow): string {
  return element.type === 'record' ? `\`${row.name}, each\`` : `(${fieldText(element, row)})`;
}

function roomText(room: Room): string {
  if (room === 'rest') return '';
  return room === 'slots' ? ', behind a count byte; unused room is 0' : ', behind a count byte';
}

function numberText(field: NumberField): string {
  const kind = `${field.signed ? 'i' : 'u'}${field.bytes * 8}`;
  const bounds = `${field.minimum} to ${field.maximum}`;
  const special = field.special === undefined ? '' : ` or ${field.special}`;
  const isPlain = field.multiplier === 1 && field.divisor === 1;
  const times = field.multiplier === 1 ? '' : ` × ${field.multiplier}`;
  const scale = isPlain ? '' : `; value = raw${times} ÷ ${field.divisor}`;
  return `${kind}, ${bounds}${special}${scale}${field.unit === '' ? '' : `; ${field.unit}`}`;
}

function hex(code: number, digits = 2): string {
  return `\`${code.toString(16).toUpperCase().padStart(digits, '0')}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

test('the page of layouts matches the tables', async () => {
  await expect(wireLayoutsPage()).toMatchFileSnapshot('../../../../docs/wire-layouts.md');
});

test('every kind has its section in both generations', () => {
  const page = wireLayoutsPage();
  for (const { name } of MESSAGE_KINDS) expect(page.split(`\n### ${name}\n`)).toHaveLength(3);
});

import { describe, expect, test } from 'vitest';
import { COMMANDS, REPLY_OUTCOMES } from '../../../protocol/commands.ts';
import type { FieldData } from '../../../protocol/layouts/layout.ts';
import { LAYOUTS } from '../../../protocol/layouts/layouts.ts';
import { kindOf, kindOfCode, MESSAGE_KINDS, type MessageKindRow } from '../../../protocol/message-kinds.ts';
import { PARTITIONS, partitionOf } from '../../../protocol/partitions.ts';
import { SETTINGS } from '../../../protocol/settings.ts';
import { parseTopic, topics } from '../../../protocol/topics.ts';

describe.each([
  { table: 'COMMANDS', rows: COMMANDS, most: 0xff },
  { table: 'OUTCOMES', rows: REPLY_OUTCOMES, most: 0xff },
  { table: 'KINDS', rows: MESSAGE_KINDS, most: 0xff },
  { table: 'SETTINGS', rows: SETTINGS, most: 0xffff },
])('$table', ({ rows, most }) => {
  test('names and codes are unique, and codes fit their bytes', () => {
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.code)).size).toBe(rows.length);
    for (const { code } of rows) expect(Number.isInteger(code) && code >= 0 && code <= most).toBe(true);
  });
});

test('the default of a setting is within its range, and its range within four bytes', () => {
  for (const { minimum, maximum, standard } of SETTINGS) {
    expect(standard).toBeGreaterThanOrEqual(minimum);
    expect(standard).toBeLessThanOrEqual(maximum);
    expect(minimum).toBeGreaterThanOrEqual(0);
    expect(maximum).toBeLessThanOrEqual(0xffff_ffff);
  }
});

test('bit 7 of a kind shows its direction, and only kinds to the backend are kept', () => {
  const rows: readonly MessageKindRow[] = MESSAGE_KINDS;
  for (const row of rows) {
    expect((row.code & 0x80) !== 0).toBe(row.direction === 'down');
    expect(row.kept && row.direction === 'down').toBe(false);
    expect(kindOfCode(row.code)).toBe(row);
  }
  expect(kindOfCode(0)).toBeUndefined();
});

test('the kind of a message determines its row', () => {
  const heartbeat = { kind: 'heartbeat' } as const;
  const ready = { kind: 'ready' } as const;
  const receipt = { kind: 'receipt', contiguous: 1, ranges: [] } as const;
  expect([heartbeat, ready, receipt].map((one) => kindOf(one).kept)).toEqual([true, false, false]);
  expect([heartbeat, ready, receipt].map((one) => kindOf(one).direction)).toEqual(['up', 'up', 'down']);
  expect(kindOf(receipt).code).toBe(0x80);
});

test('blank objects have no names, or those of the rows in their order', () => {
  const filled: string[] = [];
  const look = (field: FieldData): void => {
    if (field.type === 'list') look(field.element);
    if (field.type !== 'record') return;
    const names = Object.keys(field.blank());
    if (names.length > 0) {
      expect(names).toEqual(field.rows.map(({ name }) => name));
      expect(field.rows.some(({ optional }) => optional)).toBe(false);
      filled.push(...names);
    }
    for (const row of field.rows) look(row.field);
  };
  for (const layouts of Object.values(LAYOUTS)) for (const layout of Object.values(layouts)) look(layout);
  expect(filled).toContain('latitude');
});

describe('topics', () => {
  const boxId = '0123456789abcdef';

  test('are read as they were made', () => {
    for (const channel of ['up', 'down', 'presence'] as const) {
      expect(parseTopic(topics[channel](boxId))).toEqual({ boxId, channel });
    }
  });

  test.each([
    'boxes/49/0123456789abcdef',
    'boxes/49/0123456789abcdef/',
    'boxes/49/0123456789abcdef/up/more',
    'boxes/49/0123456789abcdef/sideways',
    'boxes/49/0123456789ABCDEF/up',
    'boxes/49/0123/up',
    'boxes/49/+/up',
    'boxes/+/0123456789abcdef/up',
    'boxes/0123456789abcdef/up',
    '/boxes/49/0123456789abcdef/up',
    'cars/OWN/0123456789abcdef/up',
    '',
  ])('%j is none of ours', (topic) => {
    expect(parseTopic(topic)).toBeUndefined();
  });

  test('of a box name its own partition, and none that names another one is read', () => {
    const own = partitionOf(boxId);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const topic = `boxes/${String(partition).padStart(2, '0')}/${boxId}/up`;
      expect(parseTopic(topic)).toEqual(partition === own ? { boxId, channel: 'up' } : undefined);
    }
  });
});

describe('partitions', () => {
  // FNV-1a of '' and of 'a' is 811c9dc5 and e40c292c (draft-eastlake-fnv, appendix C); folded by hand.
  test.each([
    ['', ((0x811c9dc5 >>> 6) & 63) ^ (0x811c9dc5 & 63)],
    ['a', ((0xe40c292c >>> 6) & 63) ^ (0xe40c292c & 63)],
  ])('of %j is that of its hash', (id, partition) => {
    expect(partitionOf(id)).toBe(partition);
  });

  test('are evenly full of boxes, also of those whose ids only count up', () => {
    const boxes = new Array<number>(PARTITIONS).fill(0);
    for (let index = 0; index < 6_400; index += 1) {
      const partition = partitionOf(index.toString(16).padStart(16, '0'));
      boxes[partition] = (boxes[partition] ?? 0) + 1;
    }
    expect(Math.min(...boxes)).toBeGreaterThan(70);
    expect(Math.max(...boxes)).toBeLessThan(130);
  });
});

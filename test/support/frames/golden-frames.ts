import { readFileSync } from 'node:fs';
import type { Signals } from '../../../protocol/signals.ts';

/** Bytes of which some bits are given: `mask` has a 1 for each of them, `data` their values. */
export interface GivenBits {
  readonly mask: Uint8Array;
  readonly data: Uint8Array;
}

/** One line of test/vectors/signals: what the vehicle is, the raw signals of it, and what the service tells. */
export interface GoldenFrame {
  readonly label: string;
  /** By quantity; dates as days since 1970-01-01. */
  readonly physical: Readonly<Record<string, unknown>>;
  /** By source as the file names it: `can 0 1a0`, `obd 0c`, `mode 03`, `digital 3`, `analog 0`. */
  readonly raw: ReadonlyMap<string, string>;
  /** By property; null: it has no value. */
  readonly state: Readonly<Record<string, unknown>>;
}

const FOLDER = new URL('../../vectors/signals/', import.meta.url);

/** The lines of a file, each split at its semicolons. */
export function goldenLines(name: string): readonly (readonly string[])[] {
  return readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(';').map((column) => column.trim()));
}

/** The golden frames of a model. */
export function goldenFrames(model: string): readonly GoldenFrame[] {
  return goldenLines(model).map(([definition = '', physical = '', raw = '', state = '']) => ({
    label: `${model}: ${definition}: ${physical}`,
    physical: withDays(JSON.parse(physical) as Readonly<Record<string, unknown>>),
    raw: new Map(
      raw.split('&').map((one) => {
        const colon = one.indexOf(':');
        return [one.slice(0, colon).trim(), one.slice(colon + 1).trim()] as const;
      }),
    ),
    state: JSON.parse(state) as Readonly<Record<string, unknown>>,
  }));
}

const DAY_MS = 86_400_000;

function withDays(physical: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(physical).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) / DAY_MS : value,
    ]),
  );
}

/** `.. 4b 00......`: bytes in hexadecimal or as eight bits; a dot is not given. */
export function givenBits(text: string): GivenBits {
  const bytes = text.split(' ').filter((byte) => byte !== '');
  const wide = bytes.map((byte) => (byte.length === 8 ? byte : bitsOfHex(byte)));
  const read = (of: (bit: string) => string) =>
    Uint8Array.from(wide, (bits) => Number.parseInt([...bits].map(of).join(''), 2));
  return {
    mask: read((bit) => (bit === '.' ? '0' : '1')),
    data: read((bit) => (bit === '1' ? '1' : '0')),
  };
}

function bitsOfHex(byte: string): string {
  return byte === '..' ? '........' : Number.parseInt(byte, 16).toString(2).padStart(8, '0');
}

/** `0301 c100`: two bytes each. */
export function givenCodes(text: string): readonly number[] {
  return text
    .split(' ')
    .filter((code) => code !== '')
    .map((code) => Number.parseInt(code, 16));
}

/** The signals that these raw values are, with `others` (0 or 1) in all bits that are not given. */
export function signalsOf(raw: GoldenFrame['raw'], others: 0 | 1): Signals {
  const signals: { -readonly [Name in keyof Signals]: Signals[Name] } = {};
  for (const [source, text] of raw) {
    const [from, first = '', second = ''] = source.split(' ');
    if (from === 'obd') signals.obd = [{ pid: Number.parseInt(first, 16), data: filled(text, others) }];
    else if (from === 'can')
      signals.can = [
        ...(signals.can ?? []),
        { bus: first === '0' ? 0 : 1, id: Number.parseInt(second, 16), data: filled(text, others) },
      ];
    else if (from === 'mode') signals.troubleCodes = givenCodes(text);
    else if (from === 'digital')
      signals.digital = (others === 1 ? 0xffff & ~(1 << Number(first)) : 0) | (Number(text) << Number(first));
    else if (from === 'analog') signals.analog = [{ port: Number(first), millivolts: Number(text) }];
    else throw new Error(`${source} is no source of a golden frame`);
  }
  return signals;
}

function filled(text: string, others: 0 | 1): Uint8Array {
  const { mask, data } = givenBits(text);
  return data.map((byte, at) => (others === 1 ? byte | (~(mask[at] ?? 0) & 0xff) : byte));
}

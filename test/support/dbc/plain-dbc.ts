/**
 * A reader of CAN databases that shares nothing with the product's: quoted texts are taken out of the file first, what is left
 * is cut at its keywords, and one pattern matches each statement. It knows sound files only.
 */

export interface PlainSignal {
  readonly name: string;
  readonly startBit: number;
  readonly bits: number;
  readonly isBig: boolean;
  readonly isSigned: boolean;
  readonly factor: number;
  readonly offset: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
  readonly line: number;
  /** As the file writes it: `M`, `m3`, `m3M`; empty: it is in every frame. */
  readonly page: string;
  ranges: readonly (readonly [number, number])[] | undefined;
  valueType: number;
  comment: string;
  longName: string | undefined;
  values: readonly (readonly [number, string])[];
}

export interface PlainMessage {
  /** As the file writes it, bit 31 included. */
  readonly number: number;
  readonly name: string;
  readonly bytes: number;
  readonly transmitter: string;
  readonly line: number;
  comment: string;
  longName: string | undefined;
  readonly signals: PlainSignal[];
}

const KEYWORD = /^[ \t]*(BO_|SG_|CM_|VAL_|SIG_VALTYPE_|SG_MUL_VAL_|BA_|[A-Z][A-Z_]*_|VERSION)(?=\s)/;
const NUMBER = '[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?';
const SIGNAL = new RegExp(
  `^SG_ (\\w+)\\s*(M|m\\d*M?)?\\s*:\\s*(\\d+)\\|(\\d+)@([01])([-+])\\s*\\((${NUMBER}),(${NUMBER})\\)\\s*\\[(${NUMBER})\\|(${NUMBER})\\]\\s*"(\\d+)"`,
);

/** The messages of a sound file. */
export function plainDbc(text: string): readonly PlainMessage[] {
  const messages: PlainMessage[] = [];
  const texts: string[] = [];
  const quoted = (index: string | undefined): string => texts[Number(index)] ?? '';
  const signalOf = (number: string | undefined, name: string | undefined): PlainSignal => {
    const found = messages
      .find((one) => one.number === Number(number))
      ?.signals.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no signal ${name} in ${number}`);
    return found;
  };
  const messageOf = (number: string | undefined): PlainMessage => {
    const found = messages.find((one) => one.number === Number(number));
    if (found === undefined) throw new Error(`no message ${number}`);
    return found;
  };
  for (const { line, words } of statementsOf(text, texts)) {
    const [, ...bo] = /^BO_ (\d+) (\w+)\s*:\s*(\d+) (\w+)/.exec(words) ?? [];
    if (bo.length > 0)
      messages.push({
        number: Number(bo[0]),
        name: bo[1] ?? '',
        bytes: Number(bo[2]),
        transmitter: bo[3] ?? '',
        line,
        comment: '',
        longName: undefined,
        signals: [],
      });
    const [, ...sg] = SIGNAL.exec(words) ?? [];
    if (sg.length > 0) messages.at(-1)?.signals.push(signalFrom(sg, quoted, line));
    const [, ...mul] = /^SG_MUL_VAL_ (\d+) (\w+) \w+ (.*);/.exec(words) ?? [];
    if (mul.length > 0)
      signalOf(mul[0], mul[1]).ranges = (mul[2] ?? '').split(',').map((range) => {
        const [from = '', to = ''] = range.split('-');
        return [Number(from), Number(to)] as const;
      });
    const [, ...type] = /^SIG_VALTYPE_ (\d+) (\w+)\s*:?\s*([0-3])\s*;/.exec(words) ?? [];
    if (type.length > 0) signalOf(type[0], type[1]).valueType = Number(type[2]);
    const [, ...ofSignal] = /^CM_ SG_ (\d+) (\w+)\s+"(\d+)"/.exec(words) ?? [];
    if (ofSignal.length > 0) signalOf(ofSignal[0], ofSignal[1]).comment = quoted(ofSignal[2]);
    const [, ...ofMessage] = /^CM_ BO_ (\d+)\s+"(\d+)"/.exec(words) ?? [];
    if (ofMessage.length > 0) messageOf(ofMessage[0]).comment = quoted(ofMessage[1]);
    const [, ...long] = /^BA_ "(\d+)" (SG_|BO_) (\d+) (\w*)\s*"(\d+)"/.exec(words) ?? [];
    if (long.length > 0 && quoted(long[0]) === 'SystemSignalLongSymbol')
      signalOf(long[2], long[3]).longName = quoted(long[4]);
    if (long.length > 0 && quoted(long[0]) === 'SystemMessageLongSymbol')
      messageOf(long[2]).longName = quoted(long[4]);
    const [, ...values] = /^VAL_ (\d+) (\w+)\s(.*);/.exec(words) ?? [];
    if (values.length > 0)
      signalOf(values[0], values[1]).values = [...(values[2] ?? '').matchAll(/(-?\d+)\s*"(\d+)"/g)].map(
        ([, raw, label]) => [Number(raw), quoted(label)] as const,
      );
  }
  return messages;
}

function signalFrom(sg: readonly string[], quoted: (index: string) => string, line: number): PlainSignal {
  const number = (index: number): number => Number(sg[index]);
  return {
    name: sg[0] ?? '',
    page: sg[1] ?? '',
    startBit: number(2),
    bits: number(3),
    isBig: sg[4] === '0',
    isSigned: sg[5] === '-',
    factor: number(6),
    offset: number(7),
    minimum: number(8),
    maximum: number(9),
    unit: quoted(sg[10] ?? ''),
    line,
    ranges: undefined,
    valueType: 0,
    comment: '',
    longName: undefined,
    values: [],
  };
}

/** The statements in one line each, with the number of a text in place of the text. */
function statementsOf(
  text: string,
  texts: string[],
): readonly { readonly line: number; readonly words: string }[] {
  const statements: { line: number; words: string }[] = [];
  let bare = '';
  let isText = false;
  let content = '';
  for (const character of text) {
    if (character === '"') {
      if (isText) bare += `"${texts.push(content) - 1}"`;
      // The lines of a text count, too.
      if (isText) bare += '¶'.repeat(content.split('\n').length - 1);
      isText = !isText;
      content = '';
    } else if (isText) content += character;
    else bare += character;
  }
  let line = 1;
  for (const row of bare.split('\n')) {
    const words = row.replace(/\/\/.*$/, '').replaceAll('¶', '');
    if (KEYWORD.test(words)) statements.push({ line, words: words.trim() });
    else if (words.trim() !== '') {
      const last = statements.at(-1);
      if (last !== undefined) last.words += ` ${words.trim()}`;
    }
    line += 1 + (row.match(/¶/g)?.length ?? 0);
  }
  return statements;
}

/**
 * The places of a signal's bits in a frame, the most significant one first, as index from the first byte's least significant
 * bit. Intel counts up from the least significant bit; Motorola goes down within a byte, and on to the top of the next one.
 */
export function bitPlaces({
  startBit,
  bits,
  isBig,
}: Pick<PlainSignal, 'startBit' | 'bits' | 'isBig'>): readonly number[] {
  const places: number[] = [];
  if (!isBig) {
    for (let bit = bits - 1; bit >= 0; bit -= 1) places.push(startBit + bit);
    return places;
  }
  let byte = Math.floor(startBit / 8);
  let inByte = startBit % 8;
  for (let count = 0; count < bits; count += 1) {
    places.push(byte * 8 + inByte);
    inByte -= 1;
    if (inByte < 0) {
      inByte = 7;
      byte += 1;
    }
  }
  return places;
}

/** The raw number of a signal in a frame, exact; undefined: the frame is too short. */
export function plainRaw(signal: PlainBits, data: Uint8Array): bigint | undefined {
  let raw = 0n;
  for (const place of bitPlaces(signal)) {
    const byte = data[Math.floor(place / 8)];
    if (byte === undefined) return undefined;
    raw = (raw << 1n) | BigInt((byte >> (place % 8)) & 1);
  }
  const isNegative = signal.isSigned && raw >> BigInt(signal.bits - 1) === 1n;
  return isNegative ? raw - (1n << BigInt(signal.bits)) : raw;
}

/** Where a signal's bits are, and whether they are two's complement. */
export type PlainBits = Pick<PlainSignal, 'startBit' | 'bits' | 'isBig' | 'isSigned'>;

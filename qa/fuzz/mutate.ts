import type { Stream } from '../../world/random/random.ts';

/** Bytes that parsers have stumbled over: bounds of lengths, signs, ends of texts. */
const NASTY: readonly number[] = [
  0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, 0x0a, 0x0d, 0x22, 0x27, 0x3c, 0x5b, 0x7b,
];
/** Texts that have a meaning to somebody. */
const NASTY_TEXTS = [
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  'true',
  '\u0000',
  '\u202e',
  '\ud83d\ude97',
  '%00',
  '../..',
  '&a;',
  '<![CDATA[',
  '*a',
  '&a [*a]',
  '!!js/function',
  '---',
  '{',
  '[',
  '"',
  '999999999999999999999',
  '-1',
  '1..0',
  'all',
  ':',
  '\t',
  '   ',
] as const;

/** One of the corpus with some bytes changed, left out, repeated, cut off, or spliced with another one. */
export function mutatedBytes(random: Stream, corpus: readonly Uint8Array[]): Uint8Array {
  let bytes = Uint8Array.from(oneOf(random, corpus));
  for (let changes = random.whole(0, 6); changes > 0; changes -= 1) {
    const at = random.whole(0, bytes.length);
    switch (random.whole(0, 6)) {
      case 0:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7));
        break;
      case 1:
        if (at < bytes.length) bytes[at] = oneOf(random, NASTY);
        break;
      case 2:
        bytes = joined(bytes.subarray(0, at), Uint8Array.of(oneOf(random, NASTY)), bytes.subarray(at));
        break;
      case 3:
        bytes = joined(
          bytes.subarray(0, at),
          bytes.subarray(Math.min(bytes.length, at + random.whole(1, 8))),
        );
        break;
      case 4:
        bytes = bytes.slice(0, at);
        break;
      case 5: {
        const from = random.whole(0, bytes.length);
        bytes = joined(bytes, bytes.subarray(from, Math.min(bytes.length, from + random.whole(1, 64))));
        break;
      }
      default: {
        const other = oneOf(random, corpus);
        bytes = joined(bytes.subarray(0, at), other.subarray(random.whole(0, other.length)));
      }
    }
  }
  return bytes;
}

/** The same of texts: besides, words that mean something to somebody are put in, and lines change places. */
export function mutatedText(random: Stream, corpus: readonly string[]): string {
  let text = oneOf(random, corpus);
  for (let changes = random.whole(0, 5); changes > 0; changes -= 1) {
    const at = random.whole(0, text.length);
    switch (random.whole(0, 4)) {
      case 0:
        text = text.slice(0, at) + oneOf(random, NASTY_TEXTS) + text.slice(at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(at + random.whole(1, 20));
        break;
      case 2: {
        const lines = text.split('\n');
        const [line = ''] = lines.splice(random.whole(0, lines.length - 1), 1);
        lines.splice(random.whole(0, lines.length), 0, line, ...(random.whole(0, 2) === 0 ? [line] : []));
        text = lines.join('\n');
        break;
      }
      case 3: {
        const numbers = [...text.matchAll(/\d+(?:\.\d+)?/g)];
        const number = numbers[random.whole(0, Math.max(0, numbers.length - 1))];
        if (number === undefined) break;
        text =
          text.slice(0, number.index) +
          oneOf(random, NASTY_TEXTS) +
          text.slice(number.index + number[0].length);
        break;
      }
      default: {
        const other = oneOf(random, corpus);
        text = text.slice(0, at) + other.slice(random.whole(0, other.length));
      }
    }
  }
  return text;
}

/** One of them. Throws where there is none. */
export function oneOf<T>(random: Stream, items: readonly T[]): T {
  const item = items[random.whole(0, items.length - 1)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}

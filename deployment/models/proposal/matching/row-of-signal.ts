import type { DbcMessage, DbcSignal } from '../../../../protocol/dbc/database.ts';
import type { SignalRow } from '../../../../protocol/models/model.ts';
import { quantityRow } from '../../../../protocol/models/quantities.ts';
import { scaled } from '../../../../protocol/models/rows.ts';
import { withArticle } from '../../../../world/article.ts';
import type { Candidate } from './candidates.ts';
import { codeOf, meaningOf, wordOf } from './labels.ts';
import type { MatchRule } from './rules.ts';

/** A row that reads a signal as a quantity, with its assumptions; or why there is none. */
export type RowOfSignal =
  | { readonly row: SignalRow; readonly notes: readonly string[] }
  | { readonly refusal: string };

/** The most bytes that a box reads of a frame. */
const CLASSIC_BYTES = 8;

/** Why a box cannot read a signal at all, whatever its meaning; undefined: it can. */
export function unreadableReason(message: DbcMessage, signal: DbcSignal): string | undefined {
  if (message.bytes > CLASSIC_BYTES)
    return `its frame is one of CAN FD with ${message.bytes} bytes, and a box takes 8`;
  if (signal.multiplexing?.under !== undefined)
    return `it is multiplexed${underText(signal.multiplexing.under)}, and a box keeps the newest frame of an identifier whatever its selector says`;
  if (signal.isFloat) return 'its raw number is a floating-point number, and a box reads whole ones';
  if (signal.factor < 0) return `its factor ${signal.factor} is below 0`;
  return undefined;
}

function underText(under: readonly (readonly [number, number])[]): string {
  const numbers = under.slice(0, 4).map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
  return numbers.length === 0 ? '' : ` under ${numbers.join(', ')}${under.length > 4 ? ' and more' : ''}`;
}

/** The row that reads a signal on that bus as the quantity of the rule. The checks of models follow later. */
export function rowOfSignal({ rule, message, signal, words }: Candidate, bus: 0 | 1): RowOfSignal {
  const refusal = unreadableReason(message, signal);
  if (refusal !== undefined) return { refusal };
  const { startBit, bits, order, isSigned } = signal;
  const at = { from: 'can', bus, id: message.id, startBit, bits, order } as const;
  const source: SignalRow['source'] = isSigned ? { ...at, signed: true } : at;
  const kind = quantityRow(rule.quantity)?.kind;
  if (kind === 'measure') return measureRow(rule, signal, source);
  if (signal.factor !== 1 || signal.offset !== 0)
    return {
      refusal: `its factor ${signal.factor} and offset ${signal.offset} do not fit ${withArticle(String(kind))}`,
    };
  return kind === 'choice' ? choiceRow(rule, signal, source) : switchRow({ rule, signal, words }, source);
}

function measureRow(rule: MatchRule, signal: DbcSignal, source: SignalRow['source']): RowOfSignal {
  const unit = signal.unit.trim().toLowerCase();
  if (unit === '') return { refusal: 'its unit is not given' };
  const scale = Object.hasOwn(rule.units ?? {}, unit) ? rule.units?.[unit] : undefined;
  if (scale === undefined)
    return { refusal: `its unit ${JSON.stringify(signal.unit)} is none of ${rule.quantity}` };
  const { factor, offset } = typeof scale === 'number' ? { factor: scale, offset: 0 } : scale;
  const maximum = maximumOf(signal);
  if (rule.most !== undefined && maximum * factor + offset > rule.most)
    return { refusal: `its range reaches up to ${plain(maximum)} ${signal.unit.trim()}` };
  const codes = codesOf(signal, (label) => codeOf(label));
  return {
    row: {
      ...scaled(source, rule.quantity, plain(signal.factor * factor), plain(signal.offset * factor + offset)),
      ...codes,
    },
    notes: [`its unit is ${signal.unit.trim()}`],
  };
}

/**
 * The highest value of a signal, in its unit: `[0|0]` means that no range is given, so it is the highest value of its
 * bits.
 */
function maximumOf({ minimum, maximum, bits, isSigned, factor, offset }: DbcSignal): number {
  if (minimum !== 0 || maximum !== 0) return maximum;
  return (2 ** (isSigned ? bits - 1 : bits) - 1) * factor + offset;
}

/** Without the last digits, which come from the arithmetic and not from the file. */
function plain(value: number): number {
  return Number(value.toPrecision(12));
}

function choiceRow(rule: MatchRule, signal: DbcSignal, source: SignalRow['source']): RowOfSignal {
  const words: Record<number, string> = {};
  for (const [raw, label] of signal.values) {
    const word = raw < 0 ? undefined : wordOf(label, rule.words ?? {});
    if (word !== undefined) words[raw] = word;
  }
  if (new Set(Object.values(words)).size < 2) return { refusal: 'its value table has none of its words' };
  const codes = codesOf(signal, (label, raw) => (raw in words ? undefined : codeOf(label)));
  const without = [...signal.values.keys()].filter(
    (raw) => !(raw in words) && !Object.values(codes).includes(raw),
  );
  return {
    row: { ...scaled(source, rule.quantity), words, ...codes },
    notes: [
      'its value table has the words',
      ...(without.length === 0 ? [] : [`${without.length} of its values have none`]),
    ],
  };
}

function switchRow(
  { rule, signal, words }: Pick<Candidate, 'rule' | 'signal' | 'words'>,
  source: SignalRow['source'],
): RowOfSignal {
  const row = scaled(source, rule.quantity);
  const no = [...words].find((word) => (rule.no ?? '').split(' ').includes(word));
  if (signal.values.size === 0) {
    if (signal.bits > 2) return { refusal: `it has ${signal.bits} bits and no value table` };
    return no === undefined
      ? { row, notes: ['it has no value table, and 1 is taken for yes'] }
      : { row: { ...row, inverted: true }, notes: [`it has no value table, and its name says ${no} for 1`] };
  }
  const said = new Map([...signal.values].map(([raw, label]) => [raw, meaningOf(label, rule)] as const));
  const [zero, one] = [said.get(0), said.get(1)];
  const isStraight = one === 'yes' && zero !== 'yes';
  const isInverted = zero === 'yes' && one !== 'yes';
  if (!isStraight && !isInverted) return { refusal: 'its value table does not say which of 0 and 1 is yes' };
  const codes = codesOf(signal, (label, raw) => (raw < 2 ? undefined : codeOf(label)));
  // Yes and no refer to the name, so a name that negates the quantity inverts them.
  const isDenied =
    no !== undefined &&
    [0, 1].every((raw) => {
      const label = signal.values.get(raw);
      return label === undefined || meaningOf(label) === said.get(raw);
    });
  return {
    row: { ...row, ...(isInverted !== isDenied ? { inverted: true } : {}), ...codes },
    notes: [
      ...(isDenied ? [`its name says ${no}`] : []),
      `its value table says ${JSON.stringify(signal.values.get(isInverted ? 0 : 1))} for ${isInverted ? 0 : 1}`,
    ],
  };
}

/** The first matching label of each kind; further ones with the same meaning are ignored. */
function codesOf(
  signal: DbcSignal,
  say: (label: string, raw: number) => 'unavailable' | 'failure' | undefined,
): Pick<SignalRow, 'unavailable' | 'failure'> {
  const found: { unavailable?: number; failure?: number } = {};
  for (const [raw, label] of [...signal.values].sort(([one], [other]) => other - one)) {
    const kind = say(label, raw);
    if (kind !== undefined) found[kind] ??= raw;
  }
  return found;
}

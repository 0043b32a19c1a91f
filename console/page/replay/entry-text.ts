import { decodePayload } from '../../../protocol/codec/frame.ts';
import { describeFault, describeFrame } from '../../../protocol/codec/frame-description.ts';
import type { Entry } from './entry-of.ts';

/** A longer line is cut here. */
const MOST_CHARACTERS = 240;

/** An event as text: a frame by its title and fields, or as its bytes if it is none. Total. */
export function entryText({ text, hex }: Entry): string {
  return hex === undefined ? text : `${text} ${frameText(hex)}`;
}

function frameText(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/[\da-f]{2}/gi) ?? [], (byte) => Number.parseInt(byte, 16));
  const { frames, faults } = decodePayload(bytes);
  const told = [...frames.map(describeFrame), ...faults.map(describeFault)].map(
    ({ title, fields }) => `${title}: ${fields.map(([name, value]) => `${name} ${value}`).join(', ')}`,
  );
  return (told.join('; ') || hex).slice(0, MOST_CHARACTERS);
}

import { expect } from 'vitest';
import { dateTime } from '../../../backend/base/date-time.ts';
import type { Translated } from '../../../backend/vehicles/translation/translate.ts';
import { LAPSING, valueRow } from '../../../contract/properties.ts';
import type { SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { SensedValue } from '../../../protocol/models/raw.ts';
import { troubleCodeText } from '../../../protocol/obd.ts';

/** The value at `property` or `property.part.part`; undefined: it was not reported. */
export function reportedAt(said: Translated, path: string): unknown {
  const [name = '', ...parts] = path.split('.');
  let here: unknown = said[name]?.value;
  for (const part of parts) here = (here as Readonly<Record<string, unknown>> | undefined)?.[part];
  return here;
}

/** Whether a source is silent without ignition. */
export function isSilentWithoutIgnition({ source }: SignalRow, model: VehicleModel): boolean {
  if (source.from === 'obd' || source.from === 'trouble-codes') return true;
  if (source.from !== 'can') return false;
  return !model.frames.some((frame) => frame.id === source.id && frame.bus === source.bus && frame.always);
}

/**
 * Expects that what was told at a path is what the sensor had to say: a number within half a step of the signal and
 * half a last digit of the property, all else exactly.
 */
export function expectReported(
  said: Translated,
  path: string,
  row: SignalRow,
  sensed: SensedValue,
  atMs: number,
): void {
  const property = valueRow(path);
  const value = reportedAt(said, path);
  if (property === undefined || !('of' in property)) throw new Error(`no property ${path}`);
  // Of what lapses it is told that there is none any more.
  const nothing = LAPSING.has(path) ? null : undefined;
  if (sensed === 'unavailable') expect(value, path).toBe(nothing);
  else if (sensed === 'failed')
    expect(value, path).toBe(property.shape === 'word' ? property.failed : nothing);
  else if (property.shape === 'number')
    expect(Math.abs(Number(value) - Number(sensed)), path).toBeLessThanOrEqual(
      row.factor / 2 + lastDigit(property.decimals) / 2 + 1e-6,
    );
  else if (property.shape === 'moment') {
    const minutes = (Date.parse(String(value)) - Date.parse(dateTime(atMs))) / 60_000;
    expect(Math.abs(minutes - Number(sensed)), path).toBeLessThanOrEqual(row.factor / 2 + 1 / 30);
  } else expect(value, path).toEqual(exactly(path, sensed));
}

function lastDigit(decimals: number): number {
  let digit = 1;
  for (let left = decimals; left > 0; left -= 1) digit /= 10;
  return digit;
}

function exactly(path: string, sensed: SensedValue): unknown {
  const property = valueRow(path);
  switch (property?.shape) {
    case 'word':
      return sensed === true ? property.yes : property.no;
    case 'choice':
      return property.words.includes(String(sensed)) ? sensed : property.other;
    case 'date':
      return new Date(Number(sensed) * 86_400_000).toISOString().slice(0, 10);
    case 'codes':
      return (sensed as readonly number[]).map(troubleCodeText);
    case 'serial':
      return Number(sensed).toString(16).toUpperCase().padStart(8, '0');
    default:
      return sensed;
  }
}

import type { Message } from '../message.ts';
import { decodeObd, obdRow, troubleCodeText } from '../obd.ts';
import type { GnssFix, Signals } from '../signals.ts';
import type { DecodedFrame, InvalidBytes } from './frame.ts';
import { isObject } from './value.ts';

/** A frame for people: a title and its fields. */
export interface FrameDescription {
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Describes a decoded frame. Raw signals are shown with their values by SAE J1979 and J2012. */
export function describeFrame(placed: Pick<DecodedFrame, 'frame'>): FrameDescription {
  const { generation, epoch, boot, sequence, clockMs, message } = placed.frame;
  const title = [
    sequence === 0 ? message.kind : `${message.kind} #${sequence}`,
    `generation ${generation}`,
    `epoch ${epoch}`,
    ...(boot === 0 ? [] : [`boot ${boot}`]),
    clockMs === 0 ? 'clock not known' : timeText(clockMs),
  ].join(', ');
  return { title, fields: messageFields(message) };
}

/** Describes bytes that are not a frame. */
export function describeFault(misplaced: Omit<InvalidBytes, 'start' | 'end'>): FrameDescription {
  const { fault, key } = misplaced;
  const record = key === undefined ? '' : `, of record #${key.sequence} of epoch ${key.epoch}`;
  return { title: `${fault.fault} at byte ${fault.offset}${record}`, fields: [['detail', fault.detail]] };
}

type Field = readonly [name: string, value: string];

function messageFields(message: Message): Field[] {
  return Object.entries(message).flatMap(([name, value]): Field[] => {
    if (name === 'kind') return [];
    if (name === 'signals') return signalFields(value as Signals);
    if (name === 'status' && isObject(value)) {
      return Object.entries(value).map(([key, inner]) => [`status.${key}`, plainText(key, inner)]);
    }
    if (name === 'measured' && isObject(value)) return measuredFields(value);
    if (name === 'settings' && Array.isArray(value)) {
      return value.map((setting: { name: string; value: number }) => [setting.name, String(setting.value)]);
    }
    return [[name, plainText(name, value)]];
  });
}

function measuredFields(measured: Readonly<Record<string, unknown>>): Field[] {
  return Object.entries(measured).flatMap(([part, value]): Field[] => {
    if (!isObject(value)) return [[`measured.${part}`, String(value)]];
    return Object.entries(value).map(([name, inner]) => [`${part}.${name}`, measuredText(inner)]);
  });
}

function measuredText(value: unknown): string {
  if (typeof value === 'number') return String(rounded(value, 2));
  if (!Array.isArray(value)) return String(value);
  return (
    value.map((pair: unknown) => (Array.isArray(pair) ? pair.join('/') : String(pair))).join(' ') || 'none'
  );
}

function signalFields(signals: Signals): Field[] {
  const { obd, troubleCodes, can, digital, analog, gnss, modem, power } = signals;
  return [
    ...(obd ?? []).map(({ pid, data }): Field => [`obd ${hexNumber(pid, 2)}`, obdText(pid, data)]),
    ...field('trouble codes', troubleCodes, (codes) => codes.map(troubleCodeText).join(' ') || 'none'),
    ...(can ?? []).map(({ bus, id, data }): Field => [`can ${bus} ${hexNumber(id, 3)}`, hexText(data)]),
    ...field('digital', digital, (levels) => levels.toString(2).padStart(16, '0')),
    ...(analog ?? []).map(({ port, millivolts }): Field => [`analog ${port}`, `${millivolts} mV`]),
    ...field('gnss', gnss, gnssText),
    ...field('modem', modem, ({ csq, network }) => `CSQ ${csq}, network ${network}`),
    ...field(
      'power',
      power,
      (reading) =>
        `${reading.supplyMillivolts} mV, backup ${reading.backupMillivolts} mV ${reading.backupPercent} %` +
        (reading.backupCharging ? ' charging' : ''),
    ),
  ];
}

function field<V>(name: string, value: V | undefined, draw: (value: V) => string): Field[] {
  return value === undefined ? [] : [[name, draw(value)]];
}

const FIX_NAMES = { 0: 'no fix', 1: 'autonomous', 2: 'differential', 6: 'dead reckoning' } as const;

function gnssText(fix: GnssFix): string {
  const place = `${rounded(fix.latitude, 7)} ${rounded(fix.longitude, 7)} ${rounded(fix.altitudeM, 1)} m`;
  const motion = `${rounded(fix.speedKph, 2)} km/h ${rounded(fix.headingDegrees, 2)}°`;
  return `${FIX_NAMES[fix.quality]}, ${place}, ${motion}, ${fix.satellites} satellites, HDOP ${rounded(fix.hdop, 2)}`;
}

function obdText(pid: number, data: Uint8Array): string {
  const row = obdRow(pid);
  const physical = decodeObd(pid, data);
  if (row === undefined || physical === undefined) return hexText(data);
  return `${hexText(data)} (${row.name} ${rounded(physical, 3)} ${row.unit})`;
}

function plainText(name: string, value: unknown): string {
  if (typeof value === 'number') return name.endsWith('Ms') && value > 0 ? timeText(value) : String(value);
  if (!Array.isArray(value)) return String(value);
  if (name === 'firmware') return value.join('.');
  return value.map((part: unknown) => (Array.isArray(part) ? part.join('-') : String(part))).join(' ');
}

/** A 48-bit number of milliseconds is always a valid date. */
function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

function rounded(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}

function hexNumber(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/**
 * OBD-II mode 01 values as scaled in SAE J1979, and trouble codes as packed in SAE J2012. The data bytes A to
 * D of an answer form one unsigned big-endian number `raw`; `physical = raw × factor + offset`.
 */
export interface ObdRow {
  readonly pid: number;
  /** Length of the answer's data. */
  readonly bytes: 1 | 2 | 3 | 4;
  readonly name: string;
  readonly unit: '%' | '°C' | 'kPa' | 'rpm' | 'km/h' | 's' | 'km' | 'V' | 'L/h' | '';
  readonly factor: number;
  readonly offset: number;
}

/** The PIDs of SAE J1979 mode 01 that are used here, with the standard's formulas as comments. */
export const OBD_ROWS = [
  { pid: 0x04, bytes: 1, name: 'calculatedLoad', unit: '%', factor: 100 / 255, offset: 0 }, // 100A/255
  { pid: 0x05, bytes: 1, name: 'coolantTemperature', unit: '°C', factor: 1, offset: -40 },
  { pid: 0x0b, bytes: 1, name: 'manifoldPressure', unit: 'kPa', factor: 1, offset: 0 }, // A
  { pid: 0x0c, bytes: 2, name: 'engineSpeed', unit: 'rpm', factor: 1 / 4, offset: 0 }, // (256A+B)/4
  { pid: 0x0d, bytes: 1, name: 'vehicleSpeed', unit: 'km/h', factor: 1, offset: 0 }, // A
  { pid: 0x0f, bytes: 1, name: 'intakeTemperature', unit: '°C', factor: 1, offset: -40 },
  { pid: 0x11, bytes: 1, name: 'throttlePosition', unit: '%', factor: 100 / 255, offset: 0 }, // 100A/255
  { pid: 0x1f, bytes: 2, name: 'runTimeSinceStart', unit: 's', factor: 1, offset: 0 }, // 256A+B
  { pid: 0x21, bytes: 2, name: 'distanceWithIndicatorOn', unit: 'km', factor: 1, offset: 0 }, // 256A+B
  { pid: 0x2f, bytes: 1, name: 'fuelLevel', unit: '%', factor: 100 / 255, offset: 0 }, // 100A/255
  { pid: 0x31, bytes: 2, name: 'distanceSinceCodesCleared', unit: 'km', factor: 1, offset: 0 }, // 256A+B
  { pid: 0x33, bytes: 1, name: 'barometricPressure', unit: 'kPa', factor: 1, offset: 0 }, // A
  { pid: 0x42, bytes: 2, name: 'controlModuleVoltage', unit: 'V', factor: 1 / 1000, offset: 0 }, // (256A+B)/1000
  { pid: 0x46, bytes: 1, name: 'ambientTemperature', unit: '°C', factor: 1, offset: -40 },
  { pid: 0x5b, bytes: 1, name: 'hybridBatteryLife', unit: '%', factor: 100 / 255, offset: 0 }, // 100A/255
  { pid: 0x5c, bytes: 1, name: 'oilTemperature', unit: '°C', factor: 1, offset: -40 },
  { pid: 0x5e, bytes: 2, name: 'fuelRate', unit: 'L/h', factor: 1 / 20, offset: 0 }, // (256A+B)/20
  { pid: 0xa6, bytes: 4, name: 'odometer', unit: 'km', factor: 1 / 10, offset: 0 }, // (A·2^24+B·2^16+C·2^8+D)/10
] as const satisfies readonly ObdRow[];

export type ObdName = (typeof OBD_ROWS)[number]['name'];

/** A part of an answer's data bytes, as a Motorola signal in a DBC file: A7 is bit 7, B0 is bit 8, D7 is bit 31. */
export interface ObdPart extends ObdRow {
  readonly startBit: number;
  readonly bits: number;
  /** The bit that shows whether the control unit supports this part; absent: it always does. */
  readonly present?: number;
}

/** Parts of SAE J1979 mode 01 answers. Other parts of the same answers are not read. */
export const OBD_PARTS = [
  // A7: the malfunction indicator lamp is lit.
  part(0x01, 4, 'malfunctionIndicator', 7, 1),
  // D: 100D/255, level in the tank of diesel exhaust fluid; A2: it is supported.
  { ...part(0x9b, 4, 'exhaustFluidLevel', 31, 8), unit: '%', factor: 100 / 255, present: 2 },
  // B0: the switch with which a rider turns the anti-lock brakes off is on; A0: it is supported.
  { ...part(0xa9, 4, 'antiLockOffSwitch', 8, 1), present: 0 },
] as const satisfies readonly ObdPart[];

export type ObdPartName = (typeof OBD_PARTS)[number]['name'];

function part<Name extends string>(pid: number, bytes: 4, name: Name, startBit: number, bits: number) {
  return { pid, bytes, name, unit: '', factor: 1, offset: 0, startBit, bits } as const;
}

const byPid: ReadonlyMap<number, ObdRow> = new Map(OBD_ROWS.map((row) => [row.pid, row]));

/** The row of a PID, or undefined if the table has none. */
export function obdRow(pid: number): ObdRow | undefined {
  return byPid.get(pid);
}

/** The unsigned big-endian number that up to 6 data bytes form; 0 for none. */
export function rawNumber(data: Uint8Array): number {
  let raw = 0;
  for (const byte of data) raw = raw * 256 + byte;
  return raw;
}

/** The physical value of an answer, in the row's unit; undefined for an unknown PID or a wrong number of bytes. */
export function decodeObd(pid: number, data: Uint8Array): number | undefined {
  const row = byPid.get(pid);
  if (row === undefined || data.length !== row.bytes) return undefined;
  return rawNumber(data) * row.factor + row.offset;
}

const SYSTEMS = 'PCBU';

/**
 * A trouble code as people write it, from its two bytes (SAE J2012): bits 15-14 the system (powertrain, chassis,
 * body, network), 13-12 the first digit, then three hexadecimal digits. 0x0301 is `P0301`. Higher bits are ignored.
 */
export function troubleCodeText(code: number): string {
  const system = SYSTEMS.charAt((code >> 14) & 3);
  const digits = (code & 0x3fff).toString(16).toUpperCase().padStart(4, '0');
  return system + digits;
}

/** The two bytes of a trouble code such as `P0301` or `u3fff`, or undefined if the text is not one. */
export function parseTroubleCode(text: string): number | undefined {
  if (!/^[PCBU][0-3][0-9A-F]{3}$/i.test(text)) return undefined;
  const system = SYSTEMS.indexOf(text.charAt(0).toUpperCase());
  return (system << 14) | Number.parseInt(text.slice(1), 16);
}

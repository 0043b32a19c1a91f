/** Units by the end of a name; of ends that overlap the longer one first. */
const UNITS = [
  ['_in_degrees_celsius', '°C'],
  ['_in_degrees', '°'],
  ['_in_kilometers', 'km'],
  ['_in_meters', 'm'],
  ['_in_kph', 'km/h'],
  ['_in_liters', 'l'],
  ['_in_percent', '%'],
  ['_in_volts', 'V'],
  ['_in_milliseconds', 'ms'],
  ['_in_seconds', 's'],
  ['_in_bytes', 'B'],
  // Thousandths of standard gravity.
  ['_in_mg', 'mg'],
  ['_in_micrograms_per_cubic_meter', 'µg/m³'],
] as const;

/**
 * The symbol of the unit that a name of the interface ends with: km for `mileage_in_kilometers`; undefined:
 * none.
 */
export function unitOf(name: string): string | undefined {
  return UNITS.find(([end]) => name.endsWith(end))?.[1];
}

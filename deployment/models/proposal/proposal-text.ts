import { stringify } from 'yaml';
import type { SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import { quantityRow } from '../../../protocol/models/quantities.ts';
import { limits } from '../../shared/limits.ts';
import type { Proposal } from './propose-model.ts';

/** The model file of a proposal, with a comment for each part: its source, and what was omitted. */
export function proposalText(
  { model, matches, wires, unmatched, assumptions }: Proposal,
  source: string,
): string {
  const reasons = [
    ...matches.map(
      ({ message, signal, reason }) => `${message.name}.${signal.name}, line ${signal.line}: ${reason}`,
    ),
    ...wires.map(({ reason }) => reason),
  ];
  return [
    `# Proposed from ${source} by "boxtwin model from-dbc". Look through it, and put in what the file could not say.`,
    '#',
    ...assumptions.map((assumption) => `# Assumed: ${assumption}`),
    '',
    headOf(model),
    'frames:',
    ...model.frames.map(
      ({ bus, id, bytes, always }) =>
        `  - ${flow([`bus: ${bus}`, `id: ${hex(id)}`, `bytes: ${bytes}`, `always: ${always}`])}`,
    ),
    ...(model.frames.length === 0 ? ['  []'] : []),
    'rows:',
    ...model.rows.flatMap((row, index) => [`  # ${oneLine(reasons[index] ?? '')}`, `  - ${rowText(row)}`]),
    bodyOf(model),
    ...unmatchedLines(unmatched),
  ].join('\n');
}

function headOf(model: VehicleModel): string {
  return stringify({
    name: model.name,
    brand: model.brand,
    series: model.series,
    fuel_type: model.fuelType,
    vehicle_type: model.vehicleType,
    installation: model.installation,
    transmission: model.transmission,
    year_of_production: model.yearOfProduction,
    vehicle_commands: model.vehicleCommands,
  }).trimEnd();
}

function bodyOf({ body }: VehicleModel): string {
  const { adblue, chargeKw } = body;
  return stringify({
    body: {
      mass_kg: body.massKg,
      doors: body.doors,
      energy_capacity: body.energyCapacity,
      consumption_per_100_km: body.consumptionPer100Km,
      top_speed_kph: body.topSpeedKph,
      maximum_acceleration_mps2: body.maximumAccelerationMps2,
      ...(chargeKw === undefined ? {} : { charge_kw: chargeKw }),
      ...(adblue === undefined
        ? {}
        : { adblue: { litres: adblue.litres, litres_per_1000_km: adblue.litresPer1000Km } }),
    },
  });
}

function rowText(row: SignalRow): string {
  const { source, quantity } = row;
  const parts = [`quantity: ${quantity}`];
  if (source.from === 'can') {
    const { bus, id, startBit, bits, order, signed } = source;
    const where = [
      `bus: ${bus}`,
      `id: ${hex(id)}`,
      `start_bit: ${startBit}`,
      `bits: ${bits}`,
      `order: ${order}`,
    ];
    parts.push(`can: ${flow([...where, ...(signed === true ? ['signed: true'] : [])])}`);
  } else if (source.from === 'digital') parts.push(`digital: ${source.port}`);
  if (quantityRow(quantity)?.kind === 'measure') parts.push(`factor: ${row.factor}`, `offset: ${row.offset}`);
  if (row.inverted === true) parts.push('inverted: true');
  if (row.words !== undefined)
    parts.push(`words: ${flow(Object.entries(row.words).map(([raw, word]) => `${raw}: ${word}`))}`);
  if (row.unavailable !== undefined) parts.push(`unavailable: ${row.unavailable}`);
  if (row.failure !== undefined) parts.push(`failure: ${row.failure}`);
  return flow(parts);
}

function unmatchedLines(unmatched: Proposal['unmatched']): readonly string[] {
  if (unmatched.length === 0) return ['# Every signal is in the model.', ''];
  const shown = unmatched
    .slice(0, limits.listedSignals)
    .map(({ message, signal, reason }) => oneLine(`#   ${message.name}.${signal.name}: ${reason}`));
  const more = unmatched.length - shown.length;
  return [
    `# Not in the model, ${unmatched.length} of its signals:`,
    ...shown,
    ...(more === 0 ? [] : [`#   and ${more} more; --json has all of them`]),
    '',
  ];
}

function flow(parts: readonly string[]): string {
  return `{ ${parts.join(', ')} }`;
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(3, '0')}`;
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

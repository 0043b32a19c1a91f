import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { vehicleState } from '../../../../backend/events/vehicle-state.ts';
import { modelKnowledge } from '../../../../backend/model-knowledge.ts';
import { MAKERS } from '../../../../backend/third-party/makers.ts';
import { BOX_PROPERTIES } from '../../../../backend/vehicles/capabilities.ts';
import { capabilityName } from '../../../../contract/operation.ts';
import { MAINTENANCE, PROPERTIES } from '../../../../contract/properties.ts';
import { COMMANDS } from '../../../../protocol/commands.ts';
import { MAKER_MODELS } from '../../../../protocol/models/maker-models.ts';
import type { SignalRow, SignalSource, VehicleModel } from '../../../../protocol/models/model.ts';
import { MODELS } from '../../../../protocol/models/models.ts';

const HEAD = `# Capabilities

Drawn from \`protocol/models/\`, \`contract/properties.ts\` and the makers' tables in \`backend/third-party/\` by
\`test/unit/backend/vehicles/capability-tables.test.ts\`, which fails when the two differ;
\`npx vitest run test/unit/backend/vehicles/capability-tables.test.ts -u\` draws it anew. How a model is written:
[vehicle-models.md](vehicle-models.md).

Where a value comes from: **OBD** a PID of SAE J1979 mode 01, **03** its trouble codes, **CAN** a signal of a frame,
**port** a digital input, **volts** an analogue one, **box** the telematics unit's own receiver, modem or supply, **maker**
the cloud of the vehicle's maker. An empty cell: the model lacks the capability.
`;

/** The whole page. */
function capabilitiesPage(): string {
  const names = Object.keys(PROPERTIES).sort(byLetters);
  const basic = names.filter((name) => !MAINTENANCE.has(name));
  const booked = names.filter((name) => MAINTENANCE.has(name));
  return [
    HEAD,
    '## Basic set\n',
    matrix(basic),
    '\n## Maintenance set, booked per vehicle\n',
    matrix(booked),
    '\n## What they hold\n',
    HOLDS,
    holdings(names),
    '\n## Commands\n',
    COMMAND_HEAD,
    commandMatrix(),
    ...[...MODELS.values()].map(section),
    '',
  ].join('\n');
}

const HOLDS = `The property of a capability is its name in lower case. Each is \`{"timestamp": …, "value": …}\`. Words may come to be
more: take those that you don't know ([0018](decisions/0018-open-words.md)). Behind a dot stands a part of a value that
is an object.
`;

const COMMAND_HEAD = `Vehicle commands by model. Every box has the box commands besides; connectivity commands are a matter of its SIM card.
`;

/** Each property and part with its type, unit, words and meaning, as in the documents. */
function holdings(names: readonly string[]): string {
  const { properties = {} } = z.toJSONSchema(vehicleState) as Holding;
  return table(
    ['property', 'value', 'unit', 'meaning'],
    names.flatMap((name) => held(name, properties[name]?.properties?.['value'] ?? {})),
  );
}

interface Holding {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Holding>>;
  readonly 'x-unit'?: string;
  readonly 'x-extensible-enum'?: readonly string[];
}

function held(path: string, value: Holding): (readonly string[])[] {
  const words = value['x-extensible-enum'];
  const kind =
    words === undefined
      ? [value.type, value.format].filter((one) => one !== undefined).join(', ')
      : words.map((word) => `\`${word}\``).join(', ');
  // Words and unit have their own columns.
  const says = (value.description ?? '').replace(/ (One of |In [^ ]+\.$).*/, '');
  const row = [`\`${path}\``, kind, value['x-unit'] ?? '', says];
  const parts = Object.entries(value.properties ?? {});
  return [row, ...parts.flatMap(([name, part]) => held(`${path}.${name}`, part))];
}

function commandMatrix(): string {
  const models = [...MODELS.keys(), ...MAKER_MODELS.keys()];
  const names = COMMANDS.filter(({ family }) => family === 'vehicle').map(({ name }) => name);
  return table(
    ['command', ...models],
    names.map((name) => [
      `\`${name}\``,
      ...models.map((model) =>
        modelKnowledge.commandCapabilitiesOf(model).includes(capabilityName(name)) ? 'yes' : '',
      ),
    ]),
  );
}

function matrix(names: readonly string[]): string {
  const models = [...MODELS.keys(), ...MAKER_MODELS.keys()];
  return table(
    ['capability', ...models],
    names.map((name) => [`\`${capabilityName(name)}\``, ...models.map((model) => origin(model, name))]),
  );
}

/** Short words for the source of a model's property; empty: it has none. */
function origin(modelName: string, property: string): string {
  if (!modelKnowledge.capabilitiesOf(modelName).includes(capabilityName(property))) return '';
  if (MAKERS.some((maker) => Object.hasOwn(maker.models, modelName))) return 'maker';
  if ((BOX_PROPERTIES as readonly string[]).includes(property)) return 'box';
  const rows = rowsOf(MODELS.get(modelName), property);
  return [...new Set(rows.map(({ source }) => KINDS[source.from]))].join(', ');
}

const KINDS: Readonly<Record<SignalSource['from'], string>> = {
  obd: 'OBD',
  'trouble-codes': '03',
  can: 'CAN',
  digital: 'port',
  analog: 'volts',
};

function rowsOf(model: VehicleModel | undefined, property: string): readonly SignalRow[] {
  const feeds = (path: string) => path === property || path.startsWith(`${property}.`);
  return model?.rows.filter((row) => row.feeds.some(feeds)) ?? [];
}

function section(model: VehicleModel): string {
  const { brand, series, fuelType, vehicleType, installation } = model;
  const rows = model.rows.map((row) => [
    `\`${row.quantity}\``,
    place(row.source),
    meaning(row),
    codes(row),
    row.feeds.map((path) => `\`${path}\``).join(', '),
  ]);
  return [
    `\n## ${model.name}\n`,
    `${brand} ${series}: ${vehicleType}, ${fuelType}, box ${installation === 'OBD' ? 'on the diagnostic port' : 'wired in'}.\n`,
    table(['quantity', 'source', 'raw number', 'codes', 'feeds'], rows),
  ].join('\n');
}

function place(source: SignalSource): string {
  switch (source.from) {
    case 'obd': {
      const pid = `PID ${hex(source.pid)}`;
      return source.startBit === undefined ? pid : `${pid}, ${source.bits} bits from ${source.startBit}`;
    }
    case 'can': {
      const order = source.order === 'little' ? 'Intel' : 'Motorola';
      return `CAN ${source.bus}, ${hex(source.id)}, ${source.bits} bits from ${source.startBit}, ${order}`;
    }
    case 'trouble-codes':
      return 'mode 03';
    default:
      return `${source.from === 'digital' ? 'digital' : 'analogue'} port ${source.port}`;
  }
}

function meaning(row: SignalRow): string {
  if (row.words !== undefined)
    return Object.entries(row.words)
      .map(([raw, word]) => `${raw} ${word}`)
      .join(', ');
  if (row.part !== undefined) return row.part;
  if (row.inverted === true) return '0 is true';
  const offset = row.offset === 0 ? '' : ` ${row.offset < 0 ? '−' : '+'} ${Math.abs(row.offset)}`;
  return row.factor === 1 && row.offset === 0 ? '' : `× ${Number(row.factor.toPrecision(6))}${offset}`;
}

function codes({ unavailable, failure }: SignalRow): string {
  return [
    ...(unavailable === undefined ? [] : [`${hex(unavailable)} not available`]),
    ...(failure === undefined ? [] : [`${hex(failure)} failed`]),
  ].join(', ');
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function byLetters(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** The two sets as the contract lists them; beside them stands fuel_level_in_percent, of its message table. */
const BASIC = `
  ABS_STATUS ADBLUE_LEVEL_IN_LITERS ADBLUE_LEVEL_IN_PERCENT ALTITUDE_IN_METERS CELLULAR_SIGNAL_QUALITY
  CENTER_STAND_POSITION CENTRAL_LOCK CHARGING_ADAPTER_STATUS CHARGING_STATUS CHARGING_UNTIL BOX_CARDHOLDER_CARDS
  CONVERTIBLE_TOP_STATUS DOORS_STATUS DRIVE_BATTERIES DRIVING_ENABLED ESP_STATUS FUEL_LEVEL_IN_LITERS
  GEARSHIFT_POSITION GNSS_HDOP GNSS_POSITION_FIX_QUALITY GNSS_SATELLITES_IN_USE GNSS_SPEED_OVER_GROUND_IN_KPH
  HEADING_IN_DEGREES HEADLIGHTS IGNITION MILEAGE_IN_KILOMETERS ONBOARD_VOLTAGE_IN_VOLTS PARKING_BRAKE_ENGAGED POSITION
  REMAINING_RANGE_IN_KILOMETERS SEATBELTS_STATUS SPEED_IN_KPH STATE_OF_CHARGE_OR_FUEL_LEVEL_IN_PERCENT
  STATE_OF_CHARGE_OR_FUEL_LEVEL_LOW_INDICATOR SUNROOF_STATUS TELEMATICS_UNIT_BACKUP_BATTERY
  TELEMATICS_UNIT_SUPPLY_VOLTAGE_IN_VOLTS TOP_CASE_LID TOP_CASE_LOCK VEHICLE_KEY WINDOWS_STATUS`;
const BOOKED = `
  ABS_WARNING_INDICATOR ADBLUE_LEVEL_LOW_INDICATOR BRAKE_FLUID_DUE_DATE BRAKE_FLUID_LEVEL_LOW_INDICATOR
  BRAKE_LINING_WEAR_INDICATOR BRAKE_WARNING_INDICATOR CHECK_ENGINE_INDICATOR COOLANT_LEVEL_LOW_INDICATOR
  COOLANT_TEMPERATURE_HIGH_INDICATOR DIAGNOSTIC_TROUBLE_CODES ENGINE_OIL_DUE_DATE ENGINE_OIL_DUE_IN_KILOMETERS
  ENGINE_OIL_PRESSURE_LOW_INDICATOR EPC_WARNING_INDICATOR ESP_WARNING_INDICATOR POWER_STEERING_FAILURE_INDICATOR
  SERVICE_DUE_DATE SERVICE_DUE_IN_KILOMETERS STARTER_BATTERY_WARNING_INDICATOR TIRE_PRESSURE_INDICATOR
  WASHER_FLUID_LEVEL_LOW_INDICATOR`;
const listed = (text: string) => new Set(text.trim().split(/\s+/));

describe('the capabilities', () => {
  test('are those that the contract lists, basic and of maintenance, and fuel_level_in_percent', () => {
    const names = Object.keys(PROPERTIES);
    const basic = names.filter((name) => !MAINTENANCE.has(name) && name !== 'fuel_level_in_percent');
    expect(new Set(basic.map(capabilityName))).toEqual(listed(BASIC));
    expect(new Set([...MAINTENANCE].map(capabilityName))).toEqual(listed(BOOKED));
    expect(names).toContain('fuel_level_in_percent');
  });

  test('each occur in two models with a box at least, but for drive batteries', () => {
    // Batteries that are swapped: one model with a box has ports for them; the makers' vehicles tell of theirs too.
    const alone = new Map([['drive_batteries', 1]]);
    for (const name of Object.keys(PROPERTIES)) {
      const has = (model: string) => modelKnowledge.capabilitiesOf(model).includes(capabilityName(name));
      const withBox = [...MODELS.keys()].filter(has).length;
      expect(withBox, name).toBeGreaterThanOrEqual(alone.get(name) ?? 2);
      const all = withBox + [...MAKER_MODELS.keys()].filter(has).length;
      expect(all, name).toBeGreaterThanOrEqual(2);
    }
  });

  test('stand in the page as the tables have them', async () => {
    await expect(capabilitiesPage()).toMatchFileSnapshot('../../../../docs/capabilities.md');
  });
});

import { faultsOfModel } from '../../backend/vehicles/check-models.ts';
import { CAR_COMMANDS, SCOOTER_COMMANDS } from '../../protocol/models/command-sets.ts';
import type { BodyFacts, SignalRow, SignalSource, VehicleModel } from '../../protocol/models/model.ts';
import { type OBD_QUANTITIES, obd, scaled, troubleCodes } from '../../protocol/models/rows.ts';
import { type DocumentSubject, explainIssues } from '../../scenarios/language/document/explain.ts';
import type { ScenarioProblem } from '../../scenarios/language/document/problem.ts';
import { readSource } from '../../scenarios/language/document/yaml-source.ts';
import type { DocumentPlace } from '../../scenarios/language/vary/vary.ts';
import { limits } from '../shared/limits.ts';
import { type ModelFile, type ModelFileRow, modelFileSchema, modelJsonSchema } from './model-schema.ts';

/** A model of a file, or all of its mistakes. */
export type ModelReading =
  | { readonly ok: true; readonly model: VehicleModel }
  | { readonly ok: false; readonly problems: readonly ScenarioProblem[] };

const MODEL: DocumentSubject = {
  whole: 'The model',
  within: 'a model',
  hint: 'A model begins with `name: ...`, and has `rows:`, a list of maps, and `body:`. "boxtwin model schema" prints its schema.',
};

let schema: ReturnType<typeof modelJsonSchema> | undefined;

/**
 * Reads a model from the text of its file (YAML, or JSON), and applies the checks of all models; problems name `file`.
 * Never throws.
 */
export function readModel(text: string, file: string): ModelReading {
  const source = readSource(text, file);
  if (!source.ok) return source;
  const problemAt = (place: DocumentPlace, of: 'value' | 'name', message: string, hint?: string) => ({
    file,
    ...source.positionOf(place, of),
    message,
    ...(hint === undefined ? {} : { hint }),
  });
  const parsed = modelFileSchema.safeParse(source.value);
  if (!parsed.success) {
    schema ??= modelJsonSchema();
    return refused(
      explainIssues(parsed.error.issues, source.value, schema, { subject: MODEL }).map(
        ({ place, of, message, hint }) => problemAt(place, of, message, hint),
      ),
    );
  }
  const unclear = parsed.data.rows.flatMap((row, index) => {
    const fault = formFault(row);
    return fault === undefined ? [] : [problemAt(['rows', index], 'value', `rows[${index}]: ${fault}`)];
  });
  if (unclear.length > 0) return refused(unclear);
  const model = modelOf(parsed.data);
  const faults = faultsOfModel(model);
  if (faults.length === 0) return { ok: true, model };
  return refused(
    faults.map((fault) => {
      const index = /\brows\[(\d+)\]/.exec(fault)?.[1];
      const place = index === undefined ? ['name'] : ['rows', Number(index)];
      return problemAt(place, 'value', `${fault}.`);
    }),
  );
}

function refused(problems: readonly ScenarioProblem[]): ModelReading {
  const sorted = problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
  return { ok: false, problems: sorted.slice(0, limits.shownModelFaults) };
}

/** The ways to say where a row is found; exactly one of them applies. */
const SOURCES = ['obd', 'trouble_codes', 'can', 'digital', 'analog'] as const;

function formFault(row: ModelFileRow): string | undefined {
  const given = SOURCES.filter((name) => row[name] !== undefined);
  const [source] = given;
  if (source === undefined || given.length > 1)
    return `it needs exactly one of ${SOURCES.join(', ')}, and has ${given.join(' and ') || 'none'}.`;
  const knowsItself = source === 'obd' || source === 'trouble_codes';
  if (!knowsItself && row.quantity === undefined) return 'it needs a quantity.';
  if (!knowsItself) return undefined;
  const own = (['quantity', 'factor', 'offset', 'words', 'part'] as const).filter(
    (name) => row[name] !== undefined,
  );
  return own.length === 0 ? undefined : `${source} knows its ${own.join(' and ')} itself. Omit it.`;
}

/** The model of a file whose rows have one source each. */
function modelOf(file: ModelFile): VehicleModel {
  return {
    name: file.name,
    brand: file.brand,
    series: file.series,
    fuelType: file.fuel_type,
    vehicleType: file.vehicle_type,
    installation: file.installation,
    vehicleCommands:
      file.vehicle_commands ?? (file.vehicle_type === 'MOPED' ? SCOOTER_COMMANDS : CAR_COMMANDS),
    transmission: file.transmission,
    yearOfProduction: file.year_of_production,
    frames: file.frames,
    rows: file.rows.map(rowOf),
    body: bodyOf(file.body),
  };
}

function rowOf(row: ModelFileRow): SignalRow {
  const { unavailable, failure, feeds, inverted, words, part } = row;
  const more = {
    ...(unavailable === undefined ? {} : { unavailable }),
    ...(failure === undefined ? {} : { failure }),
    ...(feeds === undefined ? {} : { feeds }),
    ...(inverted === undefined ? {} : { inverted }),
  };
  if (row.trouble_codes !== undefined) return { ...troubleCodes, ...more };
  if (row.obd !== undefined) return obd(row.obd as keyof typeof OBD_QUANTITIES, more);
  const quantity = row.quantity ?? 'ignitionOn';
  return {
    ...scaled(sourceOf(row), quantity, row.factor, row.offset, more),
    ...(inverted === undefined ? {} : { inverted }),
    ...(words === undefined ? {} : { words }),
    ...(part === undefined ? {} : { part }),
  };
}

function sourceOf({ can, digital, analog }: ModelFileRow): SignalSource {
  if (can !== undefined) {
    const { bus, id, start_bit: startBit, bits, order, signed } = can;
    return { from: 'can', bus, id, startBit, bits, order, ...(signed === true ? { signed } : {}) };
  }
  return digital === undefined ? { from: 'analog', port: analog ?? 0 } : { from: 'digital', port: digital };
}

function bodyOf(body: ModelFile['body']): BodyFacts {
  const { charge_kw: chargeKw, hybrid, adblue, battery_ports: batteryPorts } = body;
  return {
    massKg: body.mass_kg,
    doors: body.doors,
    energyCapacity: body.energy_capacity,
    consumptionPer100Km: body.consumption_per_100_km,
    topSpeedKph: body.top_speed_kph,
    maximumAccelerationMps2: body.maximum_acceleration_mps2,
    ...(chargeKw === undefined ? {} : { chargeKw }),
    ...(hybrid === undefined
      ? {}
      : {
          hybrid: { capacityKwh: hybrid.capacity_kwh, consumptionPer100Km: hybrid.consumption_per_100_km },
        }),
    ...(adblue === undefined
      ? {}
      : { adblue: { litres: adblue.litres, litresPer1000Km: adblue.litres_per_1000_km } }),
    ...(batteryPorts === undefined ? {} : { batteryPorts }),
  };
}

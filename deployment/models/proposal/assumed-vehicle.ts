import type { DbcDatabase } from '../../../protocol/dbc/database.ts';
import { CAR_COMMANDS } from '../../../protocol/models/command-sets.ts';
import type { BodyFacts, VehicleModel } from '../../../protocol/models/model.ts';
import type { Candidate } from './matching/candidates.ts';
import { wordsOf } from './matching/name-words.ts';

type Assumed = Omit<VehicleModel, 'frames' | 'rows'> & { readonly assumptions: readonly string[] };

/** Average vehicles of each drive: a DBC file does not contain masses and tanks. */
const BODIES = {
  PETROL: {
    massKg: 1_300,
    doors: 5,
    energyCapacity: 50,
    consumptionPer100Km: 6,
    topSpeedKph: 180,
    maximumAccelerationMps2: 2.8,
  },
  DIESEL: {
    massKg: 1_500,
    doors: 5,
    energyCapacity: 55,
    consumptionPer100Km: 5.5,
    topSpeedKph: 190,
    maximumAccelerationMps2: 2.6,
    adblue: { litres: 14, litresPer1000Km: 1.2 },
  },
  ELECTRIC: {
    massKg: 1_700,
    doors: 5,
    energyCapacity: 60,
    consumptionPer100Km: 16,
    topSpeedKph: 160,
    maximumAccelerationMps2: 3.5,
    chargeKw: 50,
  },
} as const satisfies Readonly<Record<string, BodyFacts>>;

/** The vehicle around the signals: the drive and gearbox that they suggest, and assumptions. */
export function assumedVehicle(
  { messages }: DbcDatabase,
  candidates: readonly Candidate[],
  name: string,
): Assumed {
  const signals = messages.flatMap((message) => message.signals);
  const hasWord = (word: string) => signals.some((signal) => wordsOf(signal.name).includes(word));
  const isNamed = (...words: readonly string[]) =>
    candidates.some(({ because }) => words.some((word) => because.includes(word)));
  const burns = isNamed('fuel', 'engine', 'coolant', 'rpm');
  const fuelType =
    hasWord('adblue') || hasWord('diesel')
      ? 'DIESEL'
      : burns || !isNamed('soc', 'charge', 'charging')
        ? 'PETROL'
        : 'ELECTRIC';
  const hasSelector = candidates.some(
    ({ rule, signal }) => rule.quantity === 'gear' && signal.values.size > 1,
  );
  const transmission = hasSelector || fuelType === 'ELECTRIC' ? 'AUTOMATIC' : 'MANUAL';
  return {
    name,
    brand: 'Unknown',
    series: name,
    fuelType,
    vehicleType: 'CAR',
    installation: 'HARDWIRED',
    transmission,
    yearOfProduction: 2024,
    vehicleCommands: CAR_COMMANDS,
    body: BODIES[fuelType],
    assumptions: [
      `fuel_type ${fuelType}: by the names of the signals.`,
      `transmission ${transmission}: ${hasSelector ? 'there is a selector with a value table' : fuelType === 'ELECTRIC' ? 'electric cars have no other' : 'there is no selector with a value table'}.`,
      'brand, series, vehicle_type, year_of_production, vehicle_commands and body: a middling car; put yours there.',
    ],
  };
}

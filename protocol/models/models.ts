import { cargoVan } from './cargo-van.ts';
import { convertible } from './convertible.ts';
import { dieselVan } from './diesel-van.ts';
import { electricCityCar } from './electric-city-car.ts';
import { electricHatchback } from './electric-hatchback.ts';
import { electricMoped } from './electric-moped.ts';
import { estate } from './estate.ts';
import type { VehicleModel } from './model.ts';
import { petrolCompact } from './petrol-compact.ts';
import { plugInHybrid } from './plug-in-hybrid.ts';
import { scooter } from './scooter.ts';

/** All vehicle models by name. A new model is a new file of rows and a line here. */
export const MODELS: ReadonlyMap<string, VehicleModel> = new Map(
  [
    petrolCompact,
    electricHatchback,
    electricMoped,
    dieselVan,
    plugInHybrid,
    electricCityCar,
    convertible,
    estate,
    scooter,
    cargoVan,
  ].map((model) => [model.name, model]),
);

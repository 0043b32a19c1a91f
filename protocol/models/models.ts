import { electricHatchback } from './electric-hatchback.ts';
import type { VehicleModel } from './model.ts';
import { petrolCompact } from './petrol-compact.ts';

/** All vehicle models by name. A new one is a new file of rows and a line here. */
export const MODELS: ReadonlyMap<string, VehicleModel> = new Map(
  [petrolCompact, electricHatchback].map((model) => [model.name, model]),
);

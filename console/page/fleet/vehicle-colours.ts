import type { FleetVehicle } from '../../stream/fleet-changes.ts';
import { CONNECTIVITY_LOOKS } from './connectivity.ts';

/** One entry of the legend, and the vehicles that it stands for. */
export interface VehicleLook {
  readonly name: string;
  readonly colour: string;
  readonly sign: string;
  readonly meaning: string;
  readonly isOf: (vehicle: FleetVehicle) => boolean;
}

/** By what vehicles are coloured. Each vehicle is of the first look that fits. */
export const VEHICLE_COLOURS: Readonly<Record<'connection' | 'journal', readonly VehicleLook[]>> = {
  connection: Object.entries(CONNECTIVITY_LOOKS).map(([name, look]) => ({
    ...{ name, ...look },
    isOf: ({ connectivity }) => connectivity === name,
  })),
  // Colours that are told apart without colour vision (Okabe and Ito), from pale to strong.
  journal: [
    depth('empty', '#8a8a8a', '○', 0),
    depth('1 to 9', '#56b4e9', '◔', 9),
    depth('10 to 99', '#e69f00', '◑', 99),
    depth('100 or more', '#d55e00', '●', Number.POSITIVE_INFINITY),
  ],
};

export type ColouredBy = keyof typeof VEHICLE_COLOURS;

/** What an address says, or the usual one. */
export function colouredBy(text: string | undefined): ColouredBy {
  return text === 'journal' ? text : 'connection';
}

function depth(name: string, colour: string, sign: string, most: number): VehicleLook {
  const meaning = most === 0 ? 'no record waits in its journal' : `${name} records wait in its journal`;
  return { name, colour, sign, meaning, isOf: ({ heldRecords }) => heldRecords <= most };
}

import type { Connectivity, FleetVehicle } from '../../stream/fleet-changes.ts';

/** One entry of the legend, and the vehicles that it covers. */
export interface VehicleLook {
  readonly name: string;
  readonly colour: string;
  readonly sign: string;
  readonly meaning: string;
  readonly isOf: (vehicle: FleetVehicle) => boolean;
}

/** The marker of a state: a colour that is distinct without colour vision (Okabe and Ito), and a sign. */
export const CONNECTIVITY_LOOKS: Readonly<Record<Connectivity, Omit<VehicleLook, 'isOf'>>> = {
  ready: { name: 'Ready', colour: '#009e73', sign: '●', meaning: 'takes commands' },
  connected: {
    name: 'Connected',
    colour: '#56b4e9',
    sign: '◕',
    meaning: 'has a session, and does not take commands yet',
  },
  connecting: { name: 'Connecting', colour: '#e69f00', sign: '◐', meaning: 'is opening a session' },
  offline: { name: 'Offline', colour: '#d55e00', sign: '○', meaning: 'has power and no session' },
  off: { name: 'Off', colour: '#8a8a8a', sign: '×', meaning: 'has no power' },
};

/** The choices of colouring. Each vehicle has the first look that fits. */
export const VEHICLE_COLOURS: Readonly<Record<'connection' | 'journal', readonly VehicleLook[]>> = {
  connection: Object.entries(CONNECTIVITY_LOOKS).map(([state, look]) => ({
    ...look,
    isOf: ({ connectivity }) => connectivity === state,
  })),
  // Colours that are distinct without colour vision (Okabe and Ito), from pale to strong.
  journal: [
    depth('Empty', '#8a8a8a', '○', 0),
    depth('1 to 9', '#56b4e9', '◔', 9),
    depth('10 to 99', '#e69f00', '◑', 99),
    depth('100 or more', '#d55e00', '●', Number.POSITIVE_INFINITY),
  ],
};

export type ColouredBy = keyof typeof VEHICLE_COLOURS;

/** The choices of colouring as the page names them; addresses have the keys. */
export const COLOURED_BY_NAMES: Readonly<Record<ColouredBy, string>> = {
  connection: 'Connection',
  journal: 'Backlog',
};

/** The choice in an address, or the default. */
export function colouredBy(text: string | undefined): ColouredBy {
  return text === 'journal' ? text : 'connection';
}

function depth(name: string, colour: string, sign: string, most: number): VehicleLook {
  const meaning =
    most === 0 ? 'no record in its backlog (journal)' : `${name} records in its backlog (journal)`;
  return { name, colour, sign, meaning, isOf: ({ heldRecords }) => heldRecords <= most };
}

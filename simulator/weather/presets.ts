/** A recurring event of a vehicle's link. */
export interface WeatherEvent {
  readonly what: 'no-coverage' | 'weak-signal' | 'cut';
  /** How often one vehicle has it in an hour, on average. */
  readonly perHour: number;
  /** How long it lasts, in seconds; a cut has no length. */
  readonly lastsS: readonly [least: number, most: number];
}

export const WEATHER_PRESET_NAMES = ['none', 'calm', 'city', 'rural', 'storm'] as const;
export type WeatherPresetName = (typeof WEATHER_PRESET_NAMES)[number];

/** The conditions of mobile networks in some surroundings. */
export interface WeatherPreset {
  readonly name: WeatherPresetName;
  readonly does: string;
  readonly events: readonly WeatherEvent[];
}

/** The presets of `--weather`, of the control API and of the console. */
export const WEATHER_PRESETS: readonly WeatherPreset[] = [
  { name: 'none', does: 'Nothing befalls the links but what the radio itself does.', events: [] },
  {
    name: 'calm',
    does: 'A good network: a short gap every few hours.',
    events: [
      { what: 'no-coverage', perHour: 0.3, lastsS: [5, 20] },
      { what: 'cut', perHour: 0.2, lastsS: [0, 0] },
    ],
  },
  {
    name: 'city',
    does: 'Tunnels and garages: gaps of up to two minutes, weak signals between houses.',
    events: [
      { what: 'no-coverage', perHour: 2, lastsS: [15, 120] },
      { what: 'weak-signal', perHour: 4, lastsS: [20, 180] },
      { what: 'cut', perHour: 0.5, lastsS: [0, 0] },
    ],
  },
  {
    name: 'rural',
    does: 'Valleys and forests: gaps of minutes, and weak signals most of the time.',
    events: [
      { what: 'no-coverage', perHour: 4, lastsS: [60, 600] },
      { what: 'weak-signal', perHour: 8, lastsS: [60, 420] },
      { what: 'cut', perHour: 1, lastsS: [0, 0] },
    ],
  },
  {
    name: 'storm',
    does: 'A network that falls apart: gaps, weak signals and severed connections every few minutes.',
    events: [
      { what: 'no-coverage', perHour: 12, lastsS: [10, 240] },
      { what: 'weak-signal', perHour: 12, lastsS: [30, 180] },
      { what: 'cut', perHour: 20, lastsS: [0, 0] },
    ],
  },
];

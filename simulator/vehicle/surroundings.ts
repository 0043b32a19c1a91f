import { PI, sin } from '../arithmetic.ts';
import type { Sky } from '../routes/route.ts';
import type { MobileNetwork } from './senses.ts';

const DAY_MS = 86_400_000;

/** Networks in the cities of the built-in routes, and across the border; MCC and MNC as one number. */
export const NETWORKS: Readonly<Record<'home' | 'abroad', readonly MobileNetwork[]>> = {
  home: [
    { code: 26_201, name: 'Telekom.de' },
    { code: 26_202, name: 'Vodafone.de' },
    { code: 26_203, name: 'o2 - de' },
  ],
  abroad: [
    { code: 20_801, name: 'Orange F' },
    { code: 20_810, name: 'F SFR' },
    { code: 20_820, name: 'F-Bouygues Telecom' },
  ],
};

/** The air at a time of day, in UTC: 6 degrees around 12, warmest at 15:00. */
export function ambientTemperatureC(atMs: number): number {
  const day = (atMs - Math.floor(atMs / DAY_MS) * DAY_MS) / DAY_MS;
  return 12 + 6 * sin(2 * PI * (day - 9 / 24));
}

/** What a GNSS receiver finds without its antenna. */
export const NO_RECEPTION = { quality: 0, satellites: 0, hdop: 25 } as const;

/** What a GNSS receiver finds below such a sky: GGA quality, satellites in use, dilution of precision. */
export const RECEPTION: Readonly<Record<Sky, { quality: 0 | 1 | 2 | 6; satellites: number; hdop: number }>> =
  {
    open: { quality: 2, satellites: 12, hdop: 0.8 },
    canyon: { quality: 1, satellites: 7, hdop: 1.6 },
    covered: { quality: 6, satellites: 2, hdop: 3.5 },
  };

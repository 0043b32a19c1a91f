import { PI, sin } from '../arithmetic.ts';
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

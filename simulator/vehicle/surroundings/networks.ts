import type { MobileNetwork } from '../sensing/vehicle-ports.ts';

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

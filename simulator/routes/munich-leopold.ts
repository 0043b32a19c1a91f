import type { RouteTable } from './route.ts';

/** Odeonsplatz – Ludwigstraße – Siegestor – Leopoldstraße – Münchner Freiheit and back. Corners to about 30 m. */
export const munichLeopold: RouteTable = {
  name: 'munich-leopold',
  city: 'München',
  shape: 'there-and-back',
  limitKph: 50,
  rows: [
    { at: [48.14334, 11.57804], altitudeM: 516 }, // Odeonsplatz
    { at: [48.14512, 11.57884], altitudeM: 515, light: true }, // Von-der-Tann-Straße
    { at: [48.14772, 11.58], altitudeM: 514, light: true }, // Schellingstraße
    { at: [48.15035, 11.58114], altitudeM: 513, light: true }, // Universität
    { at: [48.1523, 11.58205], altitudeM: 512, light: true, limitKph: 30 }, // Siegestor
    { at: [48.15656, 11.58405], altitudeM: 510, light: true }, // Giselastraße
    { at: [48.15925, 11.5853], altitudeM: 508, light: true }, // Franz-Joseph-Straße
    { at: [48.16199, 11.58653], altitudeM: 507 }, // Münchner Freiheit
  ],
};

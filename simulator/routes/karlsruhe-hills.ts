import type { RouteTable } from './route.ts';

/**
 * Durlach – Bergwald – Hohenwettersbach and back: from the Rhine plain 120 m up and down the other side. Its
 * corners are the stops of the bus line; between two of them the road winds where this route is straight.
 */
export const karlsruheHills: RouteTable = {
  name: 'karlsruhe-hills',
  city: 'Karlsruhe',
  shape: 'there-and-back',
  limitKph: 50,
  rows: [
    { at: [49.00003, 8.47823], altitudeM: 120, sky: 'canyon' }, // Durlach, Turmberg
    { at: [48.99861, 8.47678], altitudeM: 119, light: true, sky: 'canyon' }, // Karl-Weysser-Straße
    { at: [48.99531, 8.47526], altitudeM: 119, light: true }, // Parkschlößle
    { at: [48.9941, 8.46985], altitudeM: 118 },
    { at: [48.99291, 8.46513], altitudeM: 118, light: true, limitKph: 30 }, // Blattwiesenstraße
    { at: [48.98834, 8.4612], altitudeM: 118, limitKph: 30 }, // Brühlstraße
    { at: [48.98299, 8.46007], altitudeM: 121, light: true }, // Zündhütle
    { at: [48.97935, 8.46105], altitudeM: 150 },
    { at: [48.9762, 8.46295], altitudeM: 182, sky: 'canyon' },
    { at: [48.97358, 8.46576], altitudeM: 214, limitKph: 30 }, // Bergwald, Hooverstraße
    { at: [48.97152, 8.46843], altitudeM: 238, light: true, limitKph: 30 }, // Bergwald
    { at: [48.97154, 8.47426], altitudeM: 216 }, // Dürrenwettersbacher Straße
    { at: [48.97047, 8.47646], altitudeM: 205 }, // Medersbach
    { at: [48.96862, 8.4781], altitudeM: 195, light: true, limitKph: 30 }, // Hohenwettersbach
    { at: [48.96559, 8.47715], altitudeM: 190 }, // Rathaus
  ],
};

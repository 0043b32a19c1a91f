import type { RouteTable } from './route.ts';

/**
 * Around the Außenalster, clockwise: Kennedybrücke – Alsterufer – Harvestehuder Weg – Fernsicht – Bellevue –
 * Mühlenkamp – Hofweg – Mundsburger Brücke – Schwanenwik – An der Alster. Corners to about 60 m.
 */
export const hamburgAlster: RouteTable = {
  name: 'hamburg-alster',
  city: 'Hamburg',
  shape: 'loop',
  limitKph: 50,
  rows: [
    { at: [53.55777, 9.99788], altitudeM: 7 }, // Kennedybrücke
    { at: [53.5583, 9.9954], altitudeM: 8, light: true }, // into Alsterglacis and Alsterufer
    { at: [53.5592, 9.9958], altitudeM: 6, limitKph: 30 }, // Alsterterrasse
    { at: [53.5622, 9.9971], altitudeM: 5, limitKph: 30 },
    { at: [53.5651, 9.9995], altitudeM: 5, light: true }, // Alsterufer
    { at: [53.56745, 10.00107], altitudeM: 6 }, // Alte Rabenstraße, into Harvestehuder Weg
    { at: [53.5705, 10.0013], altitudeM: 7 },
    { at: [53.57368, 10.00226], altitudeM: 6, light: true }, // Fährdamm
    { at: [53.5766, 10.0008], altitudeM: 7 },
    { at: [53.5789, 9.9991], altitudeM: 7, light: true, limitKph: 30 }, // Krugkoppelbrücke
    { at: [53.58051, 10.00039], altitudeM: 7, limitKph: 30 }, // Fernsicht
    { at: [53.5803, 10.0042], altitudeM: 6, light: true, limitKph: 30 }, // Bellevue, Sierichstraße
    { at: [53.5806, 10.0081], altitudeM: 6, sky: 'canyon' }, // Poelchaukamp
    { at: [53.58135, 10.01189], altitudeM: 6, light: true, sky: 'canyon' }, // Mühlenkamp at Gertigstraße
    { at: [53.5789, 10.0141], altitudeM: 6, sky: 'canyon' }, // Hofweg
    { at: [53.5757, 10.0163], altitudeM: 7, light: true, sky: 'canyon' },
    { at: [53.572, 10.0186], altitudeM: 7, sky: 'canyon' },
    { at: [53.5689, 10.0204], altitudeM: 7, light: true }, // Mundsburger Brücke
    { at: [53.5669, 10.0194], altitudeM: 6 }, // Schwanenwik
    { at: [53.56323, 10.01555], altitudeM: 6, light: true }, // Schwanenwikbrücke
    { at: [53.5609, 10.0116], altitudeM: 6 }, // An der Alster
    { at: [53.5583, 10.0065], altitudeM: 7, light: true },
    { at: [53.557, 10.0027], altitudeM: 8, light: true }, // into Kennedybrücke
  ],
};

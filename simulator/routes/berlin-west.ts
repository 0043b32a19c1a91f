import type { RouteTable } from './route.ts';

/**
 * Brandenburger Tor – Straße des 17. Juni – Großer Stern – Ernst-Reuter-Platz – Hardenbergstraße – Zoo –
 * Tauentzienstraße – Nollendorfplatz – Potsdamer Straße – Potsdamer Platz – Ebertstraße. Corners to about 30 m;
 * both roundabouts are driven counter-clockwise.
 */
export const berlinWest: RouteTable = {
  name: 'berlin-west',
  city: 'Berlin',
  shape: 'loop',
  limitKph: 50,
  rows: [
    { at: [52.51622, 13.3769], altitudeM: 35, light: true }, // Straße des 17. Juni at Ebertstraße
    { at: [52.5159, 13.3714], altitudeM: 35 },
    { at: [52.5157, 13.3682], altitudeM: 35, light: true }, // Yitzhak-Rabin-Straße
    { at: [52.51545, 13.3642], altitudeM: 34 },
    { at: [52.5151, 13.3588], altitudeM: 34 },
    { at: [52.51462, 13.35175], altitudeM: 35, light: true, limitKph: 30 }, // into Großer Stern
    { at: [52.51504, 13.351], altitudeM: 35, limitKph: 30 },
    { at: [52.51526, 13.35011], altitudeM: 35, limitKph: 30 },
    { at: [52.51504, 13.34922], altitudeM: 35, limitKph: 30 },
    { at: [52.5144, 13.3485], altitudeM: 35 },
    { at: [52.51395, 13.343], altitudeM: 34 },
    { at: [52.51355, 13.3374], altitudeM: 34, light: true }, // Klopstockstraße
    { at: [52.51349, 13.3366], altitudeM: 34, sky: 'covered' }, // S-Bahn bridge at Tiergarten
    { at: [52.51345, 13.33595], altitudeM: 34 },
    { at: [52.51312, 13.3325], altitudeM: 33 }, // Charlottenburger Tor
    { at: [52.51285, 13.3288], altitudeM: 33 },
    { at: [52.51255, 13.32335], altitudeM: 33, light: true, limitKph: 30 }, // into Ernst-Reuter-Platz
    { at: [52.51297, 13.32288], altitudeM: 33, limitKph: 30 },
    { at: [52.51317, 13.3221], altitudeM: 33, limitKph: 30 },
    { at: [52.51297, 13.32132], altitudeM: 33, limitKph: 30 },
    { at: [52.5125, 13.321], altitudeM: 33, limitKph: 30 },
    { at: [52.51203, 13.32132], altitudeM: 33, limitKph: 30 },
    { at: [52.51183, 13.3221], altitudeM: 33, limitKph: 30 },
    { at: [52.5115, 13.323], altitudeM: 33, sky: 'canyon' }, // Hardenbergstraße
    { at: [52.50904, 13.3262], altitudeM: 33, light: true, sky: 'canyon' }, // Steinplatz
    { at: [52.5077, 13.3293], altitudeM: 33, sky: 'canyon' },
    { at: [52.50662, 13.3319], altitudeM: 33, light: true, sky: 'covered' }, // railway bridge at Zoo
    { at: [52.50638, 13.33245], altitudeM: 33, sky: 'canyon' },
    { at: [52.5057, 13.334], altitudeM: 33, sky: 'canyon' },
    { at: [52.50535, 13.335], altitudeM: 33, limitKph: 30, sky: 'canyon' }, // Breitscheidplatz
    { at: [52.50515, 13.3372], altitudeM: 33, sky: 'canyon' }, // Budapester Straße
    { at: [52.5052, 13.3396], altitudeM: 33, light: true, limitKph: 30, sky: 'canyon' }, // Nürnberger Straße
    { at: [52.50318, 13.33962], altitudeM: 34, light: true, sky: 'canyon' }, // Tauentzienstraße
    { at: [52.50235, 13.34195], altitudeM: 34, light: true }, // Wittenbergplatz
    { at: [52.5016, 13.345], altitudeM: 34, sky: 'canyon' }, // Kleiststraße
    { at: [52.50107, 13.3468], altitudeM: 34, light: true }, // An der Urania
    { at: [52.5004, 13.35], altitudeM: 34, sky: 'canyon' },
    { at: [52.4996, 13.3533], altitudeM: 34, light: true }, // Nollendorfplatz
    { at: [52.49915, 13.3547], altitudeM: 34, sky: 'canyon' }, // Bülowstraße
    { at: [52.4988, 13.3572], altitudeM: 34, sky: 'canyon' },
    { at: [52.49835, 13.3595], altitudeM: 34, sky: 'canyon' },
    { at: [52.498, 13.3611], altitudeM: 34, light: true, limitKph: 30, sky: 'canyon' }, // Potsdamer Straße
    { at: [52.49985, 13.3626], altitudeM: 34, light: true, limitKph: 30, sky: 'canyon' }, // Kurfürstenstraße
    { at: [52.50342, 13.366], altitudeM: 33, light: true, limitKph: 30, sky: 'canyon' }, // Lützowstraße
    { at: [52.50595, 13.36831], altitudeM: 34 }, // Potsdamer Brücke
    { at: [52.50756, 13.36918], altitudeM: 34, light: true }, // Kulturforum
    { at: [52.50862, 13.37075], altitudeM: 34 },
    { at: [52.5091, 13.3735], altitudeM: 34, sky: 'canyon' },
    { at: [52.5096, 13.3761], altitudeM: 34, light: true }, // Potsdamer Platz
    { at: [52.51015, 13.37655], altitudeM: 34 }, // Ebertstraße
    { at: [52.5113, 13.3769], altitudeM: 34 },
    { at: [52.5133, 13.3773], altitudeM: 35, light: true }, // Hannah-Arendt-Straße
    { at: [52.5147, 13.3774], altitudeM: 35 },
    { at: [52.51575, 13.3773], altitudeM: 35, limitKph: 30 }, // Brandenburger Tor
  ],
};

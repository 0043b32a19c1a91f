import { measuredRoute, type Route, type RouteTable } from './route.ts';

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

/**
 * Alexanderplatz – Karl-Marx-Allee – Strausberger Platz – Frankfurter Tor – Warschauer Straße – Oberbaumbrücke –
 * Skalitzer Straße – Kottbusser Tor – Prinzenstraße – Moritzplatz – Heinrich-Heine-Straße – Jannowitzbrücke.
 * Corners to about 30 m.
 */
const berlinEast: RouteTable = {
  name: 'berlin-east',
  city: 'Berlin',
  shape: 'loop',
  limitKph: 50,
  rows: [
    { at: [52.5218, 13.417], altitudeM: 37, light: true }, // Alexanderplatz, into Karl-Marx-Allee
    { at: [52.52032, 13.4219], altitudeM: 37, light: true }, // Schillingstraße
    { at: [52.51875, 13.4274], altitudeM: 36, light: true, limitKph: 30 }, // Strausberger Platz
    { at: [52.5181, 13.42815], altitudeM: 36, limitKph: 30 },
    { at: [52.5182, 13.4292], altitudeM: 36, limitKph: 30 },
    { at: [52.51825, 13.43], altitudeM: 36 },
    { at: [52.51803, 13.43221], altitudeM: 36 },
    { at: [52.5177, 13.4356], altitudeM: 36, light: true }, // Koppenstraße
    { at: [52.5172, 13.44], altitudeM: 36 },
    { at: [52.51685, 13.44328], altitudeM: 36, light: true }, // Weberwiese
    { at: [52.5164, 13.4478], altitudeM: 36 },
    { at: [52.51577, 13.4538], altitudeM: 37, light: true }, // Frankfurter Tor, into Warschauer Straße
    { at: [52.5143, 13.4533], altitudeM: 37, sky: 'canyon' },
    { at: [52.5124, 13.4524], altitudeM: 37, light: true, sky: 'canyon' }, // Grünberger Straße
    { at: [52.5109, 13.45175], altitudeM: 38, sky: 'canyon' },
    { at: [52.50922, 13.4511], altitudeM: 39, light: true }, // Revaler Straße
    { at: [52.50775, 13.4504], altitudeM: 41 }, // Warschauer Brücke
    { at: [52.50589, 13.449], altitudeM: 40 },
    { at: [52.50339, 13.44745], altitudeM: 35, light: true }, // Stralauer Allee
    { at: [52.5025, 13.4466], altitudeM: 36 }, // Oberbaumbrücke
    { at: [52.5014, 13.445], altitudeM: 36 },
    { at: [52.50112, 13.4433], altitudeM: 35, sky: 'canyon' },
    { at: [52.50105, 13.4418], altitudeM: 35, light: true, sky: 'canyon' }, // Schlesisches Tor, Skalitzer Straße
    { at: [52.5008, 13.438], altitudeM: 35, sky: 'canyon' },
    { at: [52.5001, 13.435], altitudeM: 35, sky: 'canyon' },
    { at: [52.49947, 13.43191], altitudeM: 35, light: true, sky: 'canyon' }, // Lausitzer Platz
    { at: [52.49904, 13.42847], altitudeM: 35, sky: 'canyon' }, // Görlitzer Bahnhof
    { at: [52.499, 13.423], altitudeM: 35, light: true, sky: 'canyon' }, // Mariannenstraße
    { at: [52.49905, 13.41775], altitudeM: 34, light: true, sky: 'canyon' }, // Kottbusser Tor
    { at: [52.4987, 13.412], altitudeM: 34, sky: 'canyon' }, // Wassertorplatz
    { at: [52.49827, 13.40653], altitudeM: 34, light: true, limitKph: 30 }, // Prinzenstraße
    { at: [52.50165, 13.40928], altitudeM: 34, light: true, limitKph: 30 }, // Ritterstraße
    { at: [52.50374, 13.41095], altitudeM: 34, light: true }, // Moritzplatz
    { at: [52.506, 13.41225], altitudeM: 34 },
    { at: [52.50829, 13.41375], altitudeM: 34, light: true }, // Annenstraße
    { at: [52.51086, 13.41617], altitudeM: 34, light: true }, // Heinrich-Heine-Straße, Brückenstraße
    { at: [52.5129, 13.41745], altitudeM: 35, sky: 'canyon' },
    { at: [52.5142, 13.41795], altitudeM: 36 }, // Jannowitzbrücke
    { at: [52.5153, 13.41805], altitudeM: 35, light: true, sky: 'covered' }, // railway bridge
    { at: [52.51565, 13.41808], altitudeM: 35 },
    { at: [52.51775, 13.41813], altitudeM: 36, light: true, sky: 'canyon' }, // Alexanderstraße
    { at: [52.5199, 13.4178], altitudeM: 37, sky: 'canyon' },
  ],
};

/**
 * Around the Außenalster, clockwise: Kennedybrücke – Alsterufer – Harvestehuder Weg – Fernsicht – Bellevue –
 * Mühlenkamp – Hofweg – Mundsburger Brücke – Schwanenwik – An der Alster. Corners to about 60 m.
 */
const hamburgAlster: RouteTable = {
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

/**
 * Durlach – Bergwald – Hohenwettersbach and back: from the Rhine plain 120 m up and down the other side. Its
 * corners are the stops of the bus line; between two of them the road winds where this route is straight.
 */
const karlsruheHills: RouteTable = {
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

/** Odeonsplatz – Ludwigstraße – Siegestor – Leopoldstraße – Münchner Freiheit and back. Corners to about 30 m. */
const munichLeopold: RouteTable = {
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

/** The routes of a planned fleet. */
const HOME_TABLES: readonly RouteTable[] = [berlinWest, berlinEast];

/** The built-in routes. A new route is a new table here. */
export const ROUTE_TABLES: readonly RouteTable[] = [
  ...HOME_TABLES,
  hamburgAlster,
  karlsruheHills,
  munichLeopold,
];

/** The names of the routes on which a planned fleet drives. */
export const HOME_ROUTES: readonly string[] = HOME_TABLES.map((table) => table.name);

/** The built-in routes by name, measured. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  ROUTE_TABLES.map((table) => [table.name, measuredRoute(table)]),
);

const fallback = measuredRoute(berlinWest);

/** The route of this name among `routes`; if there is none, the first built-in one. */
export function routeNamed(name: string, routes: ReadonlyMap<string, Route> = ROUTES): Route {
  return routes.get(name) ?? fallback;
}

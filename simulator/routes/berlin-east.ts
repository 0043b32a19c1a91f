import type { RouteTable } from './route.ts';

/**
 * Alexanderplatz – Karl-Marx-Allee – Strausberger Platz – Frankfurter Tor – Warschauer Straße – Oberbaumbrücke –
 * Skalitzer Straße – Kottbusser Tor – Prinzenstraße – Moritzplatz – Heinrich-Heine-Straße – Jannowitzbrücke.
 * Corners to about 30 m.
 */
export const berlinEast: RouteTable = {
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

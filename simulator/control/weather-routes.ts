import { Hono } from 'hono';
import { z } from 'zod';
import type { FleetWeather } from '../weather/fleet-weather.ts';
import { WEATHER_PRESET_NAMES, WEATHER_PRESETS } from '../weather/presets.ts';
import { jsonBody } from './guard.ts';
import { problemResponse } from './refusal.ts';

const wish = z.strictObject({ preset: z.enum(WEATHER_PRESET_NAMES) });

/** How the control API describes this part of itself. */
export const WEATHER_DESCRIPTION = {
  'GET /weather': 'What the networks do to the whole fleet, and what else they can.',
  'PUT /weather': {
    does: 'From now on networks do this to the fleet; none: nothing.',
    example: { preset: 'city' },
    body: z.toJSONSchema(wish),
  },
} as const;

/** The weather of the whole fleet. */
export function weatherRoutes(weather: FleetWeather): Hono {
  const app = new Hono();
  const described = () => ({
    preset: weather.preset,
    presets: WEATHER_PRESETS.map(({ name, does }) => ({ name, does })),
  });
  app.get('/', (c) => c.json(described()));
  app.put('/', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = wish.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({ status: 400, detail: `preset: one of ${WEATHER_PRESET_NAMES.join(', ')}.` });
    weather.change(parsed.data.preset);
    return c.json(described());
  });
  app.all('/', () => problemResponse({ status: 405, detail: 'Use GET or PUT here.', allow: 'GET, PUT' }));
  return app;
}

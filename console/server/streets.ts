import { z } from 'zod';
import type { Streets } from '../stream/streets.ts';

const answer = z.object({
  items: z.array(z.object({ name: z.string(), places: z.array(z.tuple([z.number(), z.number()])) })),
});

/** The streets under the map: the routes that the fleet can drive. Rejects where the simulator does not tell them. */
export async function streetsOf(control: (path: string) => Promise<unknown>): Promise<Streets> {
  const { items } = answer.parse(await control('/routes'));
  return items.map(({ name, places }) => ({
    name,
    places: places.map(([latitude, longitude]) => [longitude, latitude] as const),
  }));
}

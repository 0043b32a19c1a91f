import { z } from 'zod';
import { storeUrl } from '../../settings/values.ts';

const PREFIX = 'sqlite:';

/** `sqlite:FILE` */
export const sqlitePlace = z.string().refine((given) => fileOf(given) !== undefined && fileOf(given) !== '', {
  error: 'It takes sqlite:FILE, such as sqlite:.boxtwin/backend.sqlite.',
});

/** `sqlite:FILE`, or the URL of a database. */
export const storePlace = z.string().superRefine((given, context) => {
  const schema = fileOf(given) === undefined ? storeUrl : sqlitePlace;
  for (const { message } of schema.safeParse(given).error?.issues ?? [])
    context.addIssue({ code: 'custom', message });
});

/** The file of such a location; undefined: it is a database. */
export function fileOf(place: string): string | undefined {
  return place.startsWith(PREFIX) ? place.slice(PREFIX.length) : undefined;
}

import type { z } from 'zod';
import type { FleetBox } from '../fleet.ts';

/** One thing that can be done to a box or its vehicle, ready for a body of any kind. */
export interface Action {
  /** In the path, kebab-case. */
  readonly name: string;
  /** What happens, one English sentence. */
  readonly does: string;
  readonly body: z.ZodType;
  /** A body that works. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Does it, or says why not: a body that is wrong, a state in which it cannot be. */
  attempt(box: FleetBox, body: unknown): Attempt;
}

export type Attempt =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'wrong-body'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string };

export interface ActionRow<Body extends z.ZodType> {
  readonly name: string;
  readonly does: string;
  readonly body: Body;
  readonly example: z.input<Body> & Readonly<Record<string, unknown>>;
  /** Why the vehicle cannot do it now, with what to do about it; undefined: it can. */
  readonly refuses?: (
    truth: Readonly<Record<string, unknown>>,
    body: z.output<Body>,
    box: FleetBox,
  ) => string | undefined;
  /** Does it; a text that comes back says why it could not be done after all. */
  readonly run: (box: FleetBox, body: z.output<Body>) => unknown;
}

/** Joins a row's types, so that its body is checked once and then known. */
export function action<Body extends z.ZodType>(row: ActionRow<Body>): Action {
  return {
    name: row.name,
    does: row.does,
    body: row.body,
    example: row.example,
    attempt(box, raw) {
      const parsed = row.body.safeParse(raw);
      if (!parsed.success) return { outcome: 'wrong-body', detail: sentenceOf(parsed.error, row.example) };
      const reason = row.refuses?.(box.truth(), parsed.data, box);
      if (reason !== undefined) return { outcome: 'refused', detail: reason };
      const obstacle = row.run(box, parsed.data);
      return typeof obstacle === 'string' ? { outcome: 'refused', detail: obstacle } : { outcome: 'done' };
    },
  };
}

/** Names each property that is wrong and shows a body that works. */
export function sentenceOf(error: z.ZodError, example: Readonly<Record<string, unknown>>): string {
  const faults = error.issues.map((issue) => {
    const name = issue.path.join('.');
    return name === '' ? issue.message : `${name}: ${issue.message}`;
  });
  return `${faults.join('; ')}. For example: ${JSON.stringify(example)}`;
}

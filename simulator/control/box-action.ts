import type { z } from 'zod';
import type { FleetBox } from '../box/fleet-box.ts';

/** One action on a box or its vehicle; it accepts any body and validates it. */
export interface BoxAction {
  /** Part of the path, kebab-case. */
  readonly name: string;
  /** What happens, in English sentences. */
  readonly does: string;
  readonly body: z.ZodType;
  /** A valid body. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Performs the action, or says why not: an invalid body, or a state that does not allow it. */
  attempt(box: FleetBox, body: unknown): ActionResult;
}

export type ActionResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'wrong-body'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string };

export interface BoxActionRow<Body extends z.ZodType> {
  readonly name: string;
  readonly does: string;
  readonly body: Body;
  readonly example: z.input<Body> & Readonly<Record<string, unknown>>;
  /** Why the vehicle cannot do it now, and what to do about it; undefined: it can. */
  readonly refuses?: (
    truth: Readonly<Record<string, unknown>>,
    body: z.output<Body>,
    box: FleetBox,
  ) => string | undefined;
  /** Performs the action; a returned text says why it could not be done after all. */
  readonly run: (box: FleetBox, body: z.output<Body>) => unknown;
}

/** Makes an action of a typed row; the body is validated before the row sees it. */
export function boxAction<Body extends z.ZodType>(row: BoxActionRow<Body>): BoxAction {
  return {
    name: row.name,
    does: row.does,
    body: row.body,
    example: row.example,
    attempt(box, raw) {
      const parsed = row.body.safeParse(raw);
      if (!parsed.success) return { outcome: 'wrong-body', detail: bodyErrorText(parsed.error, row.example) };
      const reason = row.refuses?.(box.truth(), parsed.data, box);
      if (reason !== undefined) return { outcome: 'refused', detail: reason };
      const obstacle = row.run(box, parsed.data);
      return typeof obstacle === 'string' ? { outcome: 'refused', detail: obstacle } : { outcome: 'done' };
    },
  };
}

/** Names each invalid property and shows a valid body. */
export function bodyErrorText(error: z.ZodError, example: Readonly<Record<string, unknown>>): string {
  const faults = error.issues.map((issue) => {
    const name = issue.path.join('.');
    return name === '' ? issue.message : `${name}: ${issue.message}`;
  });
  return `${faults.join('; ')}. For example: ${JSON.stringify(example)}`;
}

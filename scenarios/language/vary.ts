/** Where in a document: `['steps', 1, 'for']`. */
export type Place = readonly (string | number)[];

/** One value of the document that may be another one. */
export interface Variation {
  /** As written: `steps[1].for`. */
  readonly path: string;
  readonly values: VariedValues;
}

export type VariedValues =
  /** A span of time, from and to this many milliseconds, both included. Drawn in whole seconds where both are. */
  | { readonly kind: 'span'; readonly fromMs: number; readonly toMs: number }
  /** A number, both included; whole where both ends are. */
  | { readonly kind: 'number'; readonly from: number; readonly to: number }
  /** One of these, as they would be written in the document; the first is the simplest. */
  | { readonly kind: 'choice'; readonly choices: readonly unknown[] };

/** What was drawn for a scenario: each path of `vary` with its value, as it would be written in the document. */
export type Draw = Readonly<Record<string, unknown>>;

/** What leaves a backend, or is removed from its store, because something else has happened before. */
export const EFFECT_KINDS = ['receipt', 'message', 'mark', 'answer'] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];

/** An effect that came before its cause. */
export interface EarlyEffect {
  readonly kind: EffectKind;
  readonly atMs: number;
  /** Which one, and what had not happened yet, to complete "a receipt before its commit: ". */
  readonly text: string;
  /** Of the box, or of the vehicle. */
  readonly of?: string;
}

/** The order of causes and effects at the ports of the backends. */
export interface EffectHistory {
  /** How many effects were compared with their causes. */
  readonly counts: Readonly<Record<EffectKind, number>>;
  /** The first ones. */
  readonly early: readonly EarlyEffect[];
}

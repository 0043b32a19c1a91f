import type { ComponentChildren } from 'preact';
import { isSilent } from './state/liveness.ts';
import type { Source } from './state/silence.ts';

/** Controls that act on a source. They are disabled while the source does not answer. */
export function Controls({ of, children }: { readonly of: Source; readonly children: ComponentChildren }) {
  return (
    <fieldset class="controls" disabled={isSilent(of)}>
      {children}
    </fieldset>
  );
}

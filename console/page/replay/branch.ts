import { ask } from '../state/ask.ts';
import { replaceDraft } from '../state/draft.ts';
import { saveFile } from '../state/save-file.ts';
import type { RunIndex } from './run-index.ts';

/**
 * Makes a scenario that is the same up to a moment: the steps that had begun by then. Where the console has an editor it is
 * opened there; otherwise it is saved as a file. Resolves with what became of it; rejects where the console cannot be asked.
 */
export async function branchAt(run: RunIndex, atMs: number): Promise<string> {
  const steps = run.entries.reduce(
    (most, { atMs: then, begins }) =>
      begins !== undefined && then <= atMs ? Math.max(most, begins + 1) : most,
    0,
  );
  if (!location.protocol.startsWith('http'))
    throw new Error(
      'A saved replay has no console beside it: open the trace with "boxtwin console" to branch.',
    );
  const { text } = await ask<{ readonly text: string }>('/console/branches', {
    ...{ document: run.document, steps, atMs: Math.max(0, Math.round(atMs - (run.beginMs ?? 0))) },
  });
  const editor = await fetch('/console/scenarios', { method: 'HEAD' });
  if (!editor.ok) return `saved as ${saveFile(`${run.scenario}.branch.yaml`, text, 'application/yaml')}`;
  replaceDraft(text);
  location.href = '/#/scenarios';
  return 'opened in the editor';
}

import { jsonOf } from '../../world/json.ts';
import { failed, passed, type Verdict } from '../verdict.ts';

/** An answer with this status, and its further requirements; complaints as sentences. */
export function expectAnswer(
  { status, text }: { readonly status: number; readonly text: string },
  wanted: number,
  complaints: (body: unknown) => readonly string[] = () => [],
): Verdict {
  const what = wanted === 204 ? '204 without a body' : `${wanted}`;
  if (status !== wanted) return failed(what, `${status} ${text.slice(0, 300)}`);
  if (wanted === 204)
    return text === '' ? passed(what) : failed(what, `204 with the body ${text.slice(0, 300)}`);
  const found = complaints(jsonOf(text));
  return found.length === 0 ? passed(what) : failed(what, `${wanted}, but: ${found.join(' ')}`);
}

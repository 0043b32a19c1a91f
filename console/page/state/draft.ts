/** The keys of the text in the editor, which is kept while the tab is open, and of the one before it. */
const DRAFT_KEY = 'boxtwin-draft';
const EARLIER_KEY = 'boxtwin-draft-before';

/** The last typed text of this tab; undefined: nothing was typed. */
export function draft(): string | undefined {
  return sessionStorage.getItem(DRAFT_KEY) ?? undefined;
}

/** Stores the typed text as it changes. */
export function keepDraft(text: string): void {
  sessionStorage.setItem(DRAFT_KEY, text);
}

/** Another text replaces the typed one, which is kept separately. */
export function replaceDraft(text: string): void {
  const before = draft();
  if (before !== undefined && before !== text) sessionStorage.setItem(EARLIER_KEY, before);
  keepDraft(text);
}

/** The text in the editor before another one was opened; undefined: there was none. */
export function earlierDraft(): string | undefined {
  return sessionStorage.getItem(EARLIER_KEY) ?? undefined;
}

/** Under which the text in the editor is kept for as long as the tab is open, and the one that stood there before it. */
const DRAFT_KEY = 'boxtwin-draft';
const EARLIER_KEY = 'boxtwin-draft-before';

/** What was typed last in this tab; undefined: nothing was. */
export function draft(): string | undefined {
  return sessionStorage.getItem(DRAFT_KEY) ?? undefined;
}

/** What was typed is kept as it changes. */
export function keepDraft(text: string): void {
  sessionStorage.setItem(DRAFT_KEY, text);
}

/** Another text takes the place of what was typed, which is kept beside it. */
export function replaceDraft(text: string): void {
  const before = draft();
  if (before !== undefined && before !== text) sessionStorage.setItem(EARLIER_KEY, before);
  keepDraft(text);
}

/** What stood in the editor before something else was opened there; undefined: nothing did. */
export function earlierDraft(): string | undefined {
  return sessionStorage.getItem(EARLIER_KEY) ?? undefined;
}

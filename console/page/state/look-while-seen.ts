/**
 * Looks now, and again `everyMs` after each look has ended, for as long as the page is seen: one that nobody sees asks for
 * nothing, and looks at once when it is seen again. `look` does not reject; it resolves with false when there is nothing more to
 * look for. The returned function ends it.
 */
export function lookWhileSeen(everyMs: number, look: () => Promise<unknown>): () => void {
  let isOver = false;
  let isLooking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function next(): Promise<void> {
    clearTimeout(timer);
    if (isOver || isLooking || document.visibilityState !== 'visible') return;
    isLooking = true;
    const goesOn = (await look()) !== false;
    isLooking = false;
    if (!goesOn) end();
    else if (!isOver) timer = setTimeout(() => void next(), everyMs);
  }

  function seen(): void {
    void next();
  }

  function end(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  }

  document.addEventListener('visibilitychange', seen);
  void next();
  return end;
}

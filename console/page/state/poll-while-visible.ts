/**
 * Calls `poll` now, and again `everyMs` after each call has ended, while the page is visible. A hidden page polls nothing,
 * and polls at once when it becomes visible. `poll` does not reject; it resolves with false to end the polling. The returned
 * function ends it too.
 */
export function pollWhileVisible(everyMs: number, poll: () => Promise<unknown>): () => void {
  let isOver = false;
  let isPolling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function next(): Promise<void> {
    clearTimeout(timer);
    if (isOver || isPolling || document.visibilityState !== 'visible') return;
    isPolling = true;
    const goesOn = (await poll()) !== false;
    isPolling = false;
    if (!goesOn) end();
    else if (!isOver) timer = setTimeout(() => void next(), everyMs);
  }

  function onVisibility(): void {
    void next();
  }

  function end(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  }

  document.addEventListener('visibilitychange', onVisibility);
  void next();
  return end;
}

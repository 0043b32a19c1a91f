/** The requests that are being answered. */
export interface OpenRequests {
  /** The same answer; until it resolves the request is open. */
  during<T>(answer: Promise<T>): Promise<T>;
  /** Resolves once no request is open. */
  idle(): Promise<void>;
}

export function makeOpenRequests(): OpenRequests {
  let open = 0;
  let waiting: (() => void)[] = [];

  function end(): void {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    during(answer) {
      open += 1;
      answer.then(end, end);
      return answer;
    },
    idle: () =>
      open === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

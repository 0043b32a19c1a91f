/** From the starter of a thread to its program. */
export type ToThread = { readonly kind: 'request'; readonly request: unknown } | { readonly kind: 'close' };

/**
 * From the program to its starter: first `ready` or `refused`, then an answer to each request, before which
 * there may be progress.
 */
export type FromThread =
  | { readonly kind: 'ready'; readonly facts: unknown }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * The same function, whose rejections have a stack that begins where it was called: in the file of the test, not in
 * this package. `tracked` makes the promise that the caller gets.
 */
export function rejectingAtCaller<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
  tracked: (promise: Promise<Result>) => Promise<Result> = (promise) => promise,
): (...args: Args) => Promise<Result> {
  const entry = (...args: Args): Promise<Result> => {
    const place: { stack?: string } = {};
    Error.captureStackTrace(place, entry);
    return tracked(
      run(...args).catch((error: unknown) => {
        throw withFrames(error, place.stack);
      }),
    );
  };
  return entry;
}

/** An error whose stack begins at the caller of `entry`, a function under way. */
export function errorAtCaller(message: string, entry: (...args: never) => unknown): Error {
  const error = new Error(message);
  Error.captureStackTrace(error, entry);
  return error;
}

/** Its stack is its message and these frames: those below the first line of `stack`. */
function withFrames(error: unknown, stack: string | undefined): unknown {
  if (!(error instanceof Error) || stack === undefined) return error;
  const at = stack.indexOf('\n');
  if (at >= 0) error.stack = `${error.name}: ${error.message}${stack.slice(at)}`;
  return error;
}

/**
 * Chance, from a seed. Streams are named by their user and purpose (`box/0f3a.../modem`), so that a new user
 * does not change the numbers of any other stream.
 */
export interface Random {
  /** The stream of that name, from its beginning: two calls with the same name return two equal streams. */
  stream(name: string): Stream;
}

export interface Stream {
  /** Uniform in [0, 1), with 32 bits. */
  fraction(): number;
  /** A whole number, uniform in [min, max], both included; `max - min` below 2^32. */
  whole(min: number, max: number): number;
  /** One of `items`, each with the same probability. `items` must not be empty. */
  pick<T>(items: readonly T[]): T;
}

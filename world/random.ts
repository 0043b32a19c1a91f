/**
 * Chance, from a seed. Streams are named by who uses them and for what (`box/0f3a.../modem`), so that a new consumer
 * shifts no other stream's numbers.
 */
export interface Random {
  /** The stream of that name, from its beginning: two calls with one name give two equal streams. */
  stream(name: string): Stream;
}

export interface Stream {
  /** Uniform in [0, 1), with 32 bits. */
  fraction(): number;
  /** A whole number, uniform in [min, max], both included; `max - min` below 2^32. */
  whole(min: number, max: number): number;
  /** One of `items`, each as likely. `items` must not be empty. */
  pick<T>(items: readonly T[]): T;
}

/** Makes ids and secrets. In the virtual world they come from the seed. */
export interface IdGenerator {
  /** A ULID with the current time, monotonic within this generator. */
  ulid(): string;
  /** A version 4 UUID, lower case. */
  uuid(): string;
  /** `length` characters of `A-Z0-9`, for vehicle and fleet ids. */
  code(length: number): string;
  /** `byteCount` random bytes as base64url, for secrets. */
  secret(byteCount: number): string;
}

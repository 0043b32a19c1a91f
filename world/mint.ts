/** Makes ids and secrets. In the virtual world they come from the seed. */
export interface Mint {
  /** A ULID of now, monotonic within this mint. */
  ulid(): string;
  /** A version 4 UUID, lower case. */
  uuid(): string;
  /** `length` characters of `A-Z0-9`, for vehicle and fleet ids. */
  code(length: number): string;
  /** `byteCount` random bytes as base64url, for secrets. */
  secret(byteCount: number): string;
}

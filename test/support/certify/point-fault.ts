/** A fault of what is certified, as the evidence of it shows. */
export interface PointFault<Evidence> {
  /** Who does what: `a service that stores nothing`. */
  readonly what: string;
  readonly plant: (right: Evidence) => Evidence;
  /** A part of what the point says of it. */
  readonly said: string;
}

/** Of each point of a group at least one fault that it must find. */
export type PointFaults<Evidence> = Readonly<Record<string, readonly PointFault<Evidence>[]>>;

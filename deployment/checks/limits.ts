/** Bounds of the checks before a start, and their timeouts. */
export const limits = {
  /** From so many vehicles on `up` checks their needs before it starts. */
  checkedVehicles: 500,
  /** Both ends of a box's connection where the broker is in this process. */
  filesPerBox: 2,
  /** Databases, listeners and threads take some 70; the rest is for clients of the API and of queues. */
  otherFiles: 400,
  /** Of connections that end and are reopened at the same time. */
  otherPorts: 200,
  /** Assumed where the system does not report a value: the smallest usual ones. */
  unknownFiles: 256,
  unknownPorts: 16_384,
  /** The share of the heap that may be in permanent use: beyond it the garbage collector has no room to work. */
  heapShare: 0.75,
  /**
   * Of Node's heap: a box in memory with its session and its flash (14.6 kB measured), plus room for the garbage
   * collector.
   */
  memoryLinkHeapBytes: 22_000,
  memoryLinkBaseBytes: 200_000_000,
  /** Of the outbox, which holds 1 GiB of bodies while no broker accepts them, and of the rest. */
  otherDiskBytes: 1_610_612_736,
  /** Less than that is not enough for the files of a new data directory. */
  leastDiskBytes: 104_857_600,
  /** How many commits are measured, and for how long. */
  commits: 200,
  commitsMs: 1_500,
  commitBytes: 4_096,
  /** Each command waits for a few commits: slower ones are noticeable. */
  commitMedianMs: 20,
  commitSlowestMs: 250,
  /** The minimum duration of the comparison of the two clocks, and the allowed drift. */
  clockMs: 500,
  clockDriftMs: 100,
  /** Certificates and tokens are valid in these years. */
  firstYear: 2_025,
  lastYear: 2_099,
  /** The timeout of a broker's answer. */
  brokerMs: 5_000,
  /** The timeout of a system program. */
  askedMs: 2_000,
  /** The timeout of each check. */
  checkMs: 15_000,
} as const;

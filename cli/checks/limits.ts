/** Bounds of what is looked at before a start, and how long that may take. */
export const limits = {
  /** From so many vehicles on `up` looks at what they need before it starts. */
  checkedVehicles: 500,
  /** Both ends of a box's connection where the broker is in this process. */
  filesPerBox: 2,
  /** Databases, listeners and threads take some 70; the rest is for clients of the API and of queues. */
  otherFiles: 400,
  /** Of connections that end and are opened anew at the same time. */
  otherPorts: 200,
  /** What is assumed where the system does not tell: the smallest usual ones. */
  unknownFiles: 256,
  unknownPorts: 16_384,
  /** So much of the heap may be in use for good: past it the garbage collector has no room to work. */
  heapShare: 0.75,
  /** Of Node's heap: a box in memory with its session and its flash (14.6 kB measured), and room to work. */
  memoryLinkHeapBytes: 22_000,
  memoryLinkBaseBytes: 200_000_000,
  /** Of the outbox, which holds 1 GiB of bodies while no broker takes them, and of the rest. */
  otherDiskBytes: 1_610_612_736,
  /** Below it not even the files of a new data directory find room. */
  leastDiskBytes: 104_857_600,
  /** Commits that are tried, and how long. */
  commits: 200,
  commitsMs: 1_500,
  commitBytes: 4_096,
  /** Each command waits for a few commits: slower ones are felt. */
  commitMedianMs: 20,
  commitSlowestMs: 250,
  /** Over so long the two clocks are compared, at least; and how far apart they may go. */
  clockMs: 500,
  clockDriftMs: 100,
  /** Certificates and tokens are of these years. */
  firstYear: 2_025,
  lastYear: 2_099,
  /** A broker answers by then. */
  brokerMs: 5_000,
  /** A program of the system that is asked answers by then. */
  askedMs: 2_000,
  /** Each check ends by then. */
  checkMs: 15_000,
} as const;

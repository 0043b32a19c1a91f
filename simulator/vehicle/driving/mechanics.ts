/** The parts that a box's outputs move. */
export const MOVABLE_PARTS = ['lock', 'immobilizer', 'top_case', 'battery_compartment'] as const;
export type MovablePart = (typeof MOVABLE_PARTS)[number];

/** `failing`: it moves once more, and is jammed then. */
export const PART_CONDITIONS = ['works', 'failing', 'jammed'] as const;
export type PartCondition = (typeof PART_CONDITIONS)[number];

export type Mechanics = Readonly<Record<MovablePart, PartCondition>>;

export const ALL_WORK: Mechanics = {
  lock: 'works',
  immobilizer: 'works',
  top_case: 'works',
  battery_compartment: 'works',
};

/** The mechanics with some changes; the one value `ALL_WORK` where everything works. */
export function mechanicsWith(before: Mechanics, change: Readonly<Partial<Mechanics>>): Mechanics {
  const after = { ...before, ...change };
  return MOVABLE_PARTS.every((part) => after[part] === 'works') ? ALL_WORK : after;
}

/** The mechanics that a memory holds, or undefined where it holds none. */
export function readMechanics(value: unknown): Mechanics | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = value as Readonly<Record<string, unknown>>;
  let mechanics = ALL_WORK;
  for (const part of MOVABLE_PARTS) {
    const condition = PART_CONDITIONS.find((one) => one === found[part]);
    if (condition === undefined) return undefined;
    mechanics = mechanicsWith(mechanics, { [part]: condition });
  }
  return mechanics;
}

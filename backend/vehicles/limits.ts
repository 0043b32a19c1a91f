/** The bounds of the data that people set for a vehicle. */
export const vehicleLimits = {
  nameCharacters: 64,
  plateCharacters: 20,
  firstYear: 1900,
  lastYear: 2100,
  customFields: 50,
  customFieldCharacters: 256,
  tags: 50,
  tagCharacters: 64,
  makerIdCharacters: 64,
  /** Of the 5 to 12 that a vehicle id may have. */
  idCharacters: 8,
  /** How often a new id is generated because the last one is taken. */
  idAttempts: 5,
  /** How often a change is decided again because another one came first. */
  changeAttempts: 5,
  /** How long the report of a box at rest may take from its due time until it is stored. */
  reportWayMs: 5 * 60_000,
  /** A box whose report at rest is overdue by more than this is offline. */
  overdueMs: 10 * 60_000,
} as const;

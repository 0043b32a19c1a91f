/** The bounds of what people say of a vehicle. */
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
  /** How often an id is minted anew because it is taken. */
  idAttempts: 5,
  /** How often a change is decided anew because somebody else was faster. */
  changeAttempts: 5,
  /** How long the report of a box at rest may take from when it is due until it is stored. */
  reportWayMs: 5 * 60_000,
  /** A box whose report at rest is overdue by more than this is offline. */
  overdueMs: 10 * 60_000,
} as const;

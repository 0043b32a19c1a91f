/** The content of a DBC file that concerns signals. All numbers are those of the file. */
export interface DbcDatabase {
  readonly version: string;
  /** Control units (`BU_`). */
  readonly nodes: readonly string[];
  /** In the order of the file. */
  readonly messages: readonly DbcMessage[];
}

/** A CAN frame (`BO_`). */
export interface DbcMessage {
  readonly name: string;
  /** What a name of more than 32 characters was cut from (`SystemMessageLongSymbol`). */
  readonly longName?: string;
  /** 11 or 29 bits, without the bit by which the file marks the longer ones. */
  readonly id: number;
  readonly isExtended: boolean;
  /** 0 to 64; above 8 it is a frame of CAN FD. */
  readonly bytes: number;
  readonly transmitter: string;
  /** `CM_`; empty: none. */
  readonly comment: string;
  readonly signals: readonly DbcSignal[];
  /** From 1. */
  readonly line: number;
}

/** A signal (`SG_`): physical = raw × factor + offset. */
export interface DbcSignal {
  readonly name: string;
  /** What a name of more than 32 characters was cut from (`SystemSignalLongSymbol`). */
  readonly longName?: string;
  /** Of an Intel signal the least significant bit, of a Motorola signal the most significant one. */
  readonly startBit: number;
  readonly bits: number;
  /** Intel (`@1`): little; Motorola (`@0`): big. */
  readonly order: 'little' | 'big';
  /** The raw number is two's complement. */
  readonly isSigned: boolean;
  /** The raw number is a floating-point number of IEEE 754 (`SIG_VALTYPE_`). */
  readonly isFloat: boolean;
  readonly factor: number;
  readonly offset: number;
  /** Physical; both 0: the file does not state it. */
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
  /** `CM_`; empty: none. */
  readonly comment: string;
  /** Raw number → label (`VAL_`). */
  readonly values: ReadonlyMap<number, string>;
  /** Absent: it is in every frame of its message. */
  readonly multiplexing?: DbcMultiplexing;
  /** From 1. */
  readonly line: number;
}

/**
 * `selects`: its raw number says which signals the frame carries. `under`: it is carried while the selector has one of these
 * numbers, each from-to; empty: the file does not say which. A signal may be both.
 */
export interface DbcMultiplexing {
  readonly selects: boolean;
  readonly under?: readonly (readonly [from: number, to: number])[];
}

/** A part of the file that violates the format. The rest of the file is read nevertheless. */
export interface DbcProblem {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** One English sentence. */
  readonly message: string;
}

/** All that could be read, and what could not. */
export interface DbcReading {
  readonly database: DbcDatabase;
  /** In the order of the file, up to a bound. */
  readonly problems: readonly DbcProblem[];
  /** Problems beyond that bound. */
  readonly moreProblems: number;
}

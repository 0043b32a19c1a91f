/** How much an error shows of one line, and in all: it may quote a whole broken file. */
const LINE_CHARACTERS = 1_000;
const ALL_CHARACTERS = 20_000;

/** An error in the user's terms: what, where, and the remedy. It ends the command with its exit code. */
export class CommandError extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  /** 1: something failed while it ran; 2: an input of the user cannot be used. */
  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(bounded(message));
    this.exitCode = exitCode;
  }
}

/** The message with long lines cut, and cut as a whole; it says how much is omitted. */
function bounded(message: string): string {
  const cut = message.slice(0, ALL_CHARACTERS);
  const lines = cut
    .split('\n')
    .map((line) => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}...` : line));
  const missing = message.length - cut.length;
  return missing === 0 ? lines.join('\n') : `${lines.join('\n')}...\n(${missing} more characters)`;
}

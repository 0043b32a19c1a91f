/** What went wrong in a user's terms: what, where, and what to do. It ends the command with its exit code. */
export class CommandError extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  /** 1: something failed while it ran; 2: what the user gave cannot be used. */
  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

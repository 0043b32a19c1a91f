/** The identity of files. */
export interface Files {
  /**
   * Identifies the file at a path: the result is equal as long as it is the same file, whatever its content;
   * different after it was replaced; undefined if there is no file. Rejects if that cannot be determined.
   */
  identity(path: string): Promise<string | undefined>;
}

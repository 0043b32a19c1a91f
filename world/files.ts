/** Which file stands at a path. */
export interface Files {
  /**
   * Names the file that a path leads to: equal as long as it is the very same file, whatever is written into it; another
   * one where it was replaced; undefined where nothing is there. Rejects where that cannot be told.
   */
  identity(path: string): Promise<string | undefined>;
}

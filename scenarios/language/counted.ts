/** `1 box`, `3 boxes`: how many there are, in words. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

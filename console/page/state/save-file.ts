/** Makes the browser save a text as a file; returns its name: unusual characters become hyphens. */
export function saveFile(name: string, text: string, mediaType: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '-');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: mediaType }));
  link.download = plain;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return plain;
}

/** `8 s`, `12 min`, `3 h`, `5 d`. */
export function ageText(ageMs: number): string {
  const s = Math.max(0, Math.round(ageMs / 1_000));
  if (s < 120) return `${s} s`;
  if (s < 7_200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3_600)} h` : `${Math.round(s / 86_400)} d`;
}

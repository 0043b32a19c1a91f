/**
 * A number of the contract: rounded to its decimals if it is within its range, else undefined. Up to half a
 * last digit beyond the end of the range counts as the end, since quantisation may have caused it. Never −0,
 * never NaN.
 */
export function rounded(
  value: number,
  span: { readonly minimum: number; readonly maximum: number; readonly decimals: number },
): number | undefined {
  const scale = SCALES[span.decimals] ?? 1;
  const near = Math.round(value * scale) / scale;
  return near >= span.minimum && near <= span.maximum ? near + 0 : undefined;
}

const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

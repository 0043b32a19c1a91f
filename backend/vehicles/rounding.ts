/**
 * A number of the contract: rounded to its decimals if it is within its span, else undefined. Half a last digit over
 * the end of the span counts as the end, since quantisation may have put it there. Never −0, never NaN.
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

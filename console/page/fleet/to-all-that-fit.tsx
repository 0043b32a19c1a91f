import { fittingBoxes } from './fitting-boxes.ts';

/** Whether something is done to one box or to all that the filter of the list leaves. */
export function ToAllThatFit({ isOn, change }: { readonly isOn: boolean; change(isOn: boolean): void }) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} /> to
      all {fittingBoxes().length} that fit the list
    </label>
  );
}

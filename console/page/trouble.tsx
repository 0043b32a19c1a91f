/** An error message, announced by screen readers; nothing where the text is empty or absent. */
export function Trouble({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <p class="trouble" role="alert">
      {text}
    </p>
  );
}

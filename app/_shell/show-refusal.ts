/** Takes the person to what was refused: the first wrong field, or what is said of the whole form, which may be far above the button. */
export function showRefusal(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (field) return field.focus();
  form?.querySelector('[data-refusal]')?.scrollIntoView({ block: 'nearest' });
}

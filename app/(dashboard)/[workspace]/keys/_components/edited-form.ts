import { useEffect, useState, type RefObject } from 'react';

/**
 * Does the form in `box` hold something else than it came with? Asked anew with each revision. Looked at after every
 * input and click, since buttons change fields as well; fields without a name are no part of what is saved.
 */
export function useEditedForm(box: RefObject<HTMLElement | null>, revision: number): boolean {
  const [edited, setEdited] = useState(false);
  useEffect(() => {
    const form = box.current?.querySelector('form') ?? null;
    if (form === null) return;
    const before = heldBy(form);
    setEdited(false);
    let soon: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(soon);
      soon = setTimeout(() => setEdited(heldBy(form) !== before)); // after the fields have taken over what was done
    };
    form.addEventListener('input', look);
    form.addEventListener('click', look);
    return () => {
      clearTimeout(soon);
      form.removeEventListener('input', look);
      form.removeEventListener('click', look);
    };
  }, [box, revision]);
  return edited;
}

const heldBy = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)].map(([name, value]) => [name, String(value)]));

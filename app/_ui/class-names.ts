import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Our type scale reuses Tailwind's names, so the default merge rules hold.
const merge = extendTailwindMerge({});

/** Joins class names; of two that say the same thing, the later wins. */
export const cx = (...values: ClassValue[]): string => merge(clsx(values));

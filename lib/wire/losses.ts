import { type Unrepresentable, unsupported, unsupportedValue } from './chat-request';
import { isAbsent } from './json-value';

/**
 * What a translation cannot take along: the first member whose loss would change what was asked for, and the names
 * of hints that got lost. Handed through a translation, so that its parts need not pass refusals up by hand.
 */
export interface Losses {
  /** Null while everything can be said. */
  readonly why: Unrepresentable | null;
  /** In order, each once. */
  readonly dropped: readonly string[];
  /** The target has no word for this member. */
  refuse(param: string, message: string): void;
  /** The target knows the member but not this value. */
  refuseValue(param: string, message: string): void;
  drop(name: string): void;
}

export function noLosses(): Losses {
  const dropped: string[] = [];
  const known = new Set<string>();
  let why: Unrepresentable | null = null;
  return {
    get why() {
      return why;
    },
    dropped,
    refuse: (param, message) => void (why ??= unsupported(param, message)),
    refuseValue: (param, message) => void (why ??= unsupportedValue(param, message)),
    drop(name) {
      if (known.size === known.add(name).size) return;
      dropped.push(name);
    },
  };
}

/** Members that say something and that a translation reads nowhere, by name. Nothing and an empty list say nothing. */
export function unread(value: Readonly<Record<string, unknown>>, read: ReadonlySet<string>, also?: string): string[] {
  return Object.keys(value).filter((name) => !read.has(name) && name !== also && !isAbsent(value[name]) && !isEmptyList(value[name]));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

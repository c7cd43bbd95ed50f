'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** Arrow keys move between tabs. Panels are rendered when chosen. */
export function Tabs({ label, items, initial }: { label: string; items: { id: string; label: ReactNode; content: ReactNode }[]; initial?: string }) {
  return (
    <Radix.Root defaultValue={initial ?? items[0]?.id ?? ''}>
      <Radix.List aria-label={label} className="mb-3 flex flex-wrap gap-1 border-b border-line">
        {items.map((item) => (
          <Radix.Trigger
            key={item.id}
            value={item.id}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {item.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content key={item.id} value={item.id}>{item.content}</Radix.Content>
      ))}
    </Radix.Root>
  );
}

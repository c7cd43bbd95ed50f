import { CodeBlock, Tabs } from '../_ui';
import type { Snippet } from './snippets';

export function SnippetTabs({ snippets, title }: { snippets: Snippet[]; title?: string }) {
  return (
    <Tabs
      label="Language"
      items={snippets.map((snippet) => ({ id: snippet.id, label: snippet.label, content: <CodeBlock text={snippet.text} title={title ?? snippet.label} /> }))}
    />
  );
}

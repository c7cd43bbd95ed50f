import { cx, formatShare } from '@/app/_ui';

/** Part of a whole. The figures stand beside it; it says them once more to those who do not see it. */
export function Bar({ label, parts }: { label: string; parts: { share: number; what: string }[] }) {
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  const words = parts.filter(({ share }) => share > 0).map(({ share, what }) => `${formatShare(share, 1)} ${what}`);
  return (
    <div role="img" aria-label={`${label}: ${words.join(', ') || 'nothing used'}`} className="mt-1.5 flex h-2 overflow-hidden rounded-full border border-line bg-sunken">
      {parts.map(({ share, what }, at) => (
        <span
          key={what} style={{ width: `${Math.min(100, Math.max(0, (share / Math.max(1, total)) * 100))}%` }}
          className={cx('h-full', at === 0 ? (total >= 1 ? 'bg-danger' : 'bg-accent') : 'border-l border-surface bg-accent/45')}
        />
      ))}
    </div>
  );
}

import { formatBytes, formatCount, formatCounted, formatDuration, formatMoney, NOT_REPORTED } from './figures';
import { cx } from './class-names';

/** A formatted number with its exact value on hover. */
function Figure({ text, exact, className }: { text: string; exact: string | undefined; className?: string | undefined }) {
  return <span title={exact} className={cx('tabular-nums whitespace-nowrap', text === NOT_REPORTED && 'text-muted', className)}>{text}</span>;
}

/** Integer nano-USD. */
export const Money = ({ nanoUsd, className }: { nanoUsd: number | null; className?: string }) => (
  <Figure text={formatMoney(nanoUsd)} exact={nanoUsd === null ? undefined : `${nanoUsd} nano-USD`} className={className} />
);

export const Bytes = ({ value, className }: { value: number | null; className?: string }) => (
  <Figure text={formatBytes(value)} exact={value === null ? undefined : formatCounted(value, 'byte')} className={className} />
);

export const Duration = ({ ms, className }: { ms: number | null; className?: string }) => (
  <Figure text={formatDuration(ms)} exact={ms === null ? undefined : `${ms} ms`} className={className} />
);

export const Count = ({ value, className }: { value: number | null; className?: string }) => (
  <Figure text={formatCount(value)} exact={undefined} className={className} />
);

/** The mark: Ω drawn, so that it looks the same without a font. */
export function Mark({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" className={className}>
      <path d="M3 20.5h6.2v-2.3A7.6 7.6 0 1 1 14.8 18.2v2.3H21" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinejoin="miter" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <Mark className="text-accent" />
      Ohm
    </span>
  );
}

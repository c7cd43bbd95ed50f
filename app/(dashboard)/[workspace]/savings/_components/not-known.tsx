/** Never 0 for what is not known: a dash to the eye, the words to everybody else. */
export function NotKnown({ why }: { why: string }) {
  return <span className="text-muted" title={why}><span aria-hidden>–</span><span className="sr-only">{why}</span></span>;
}

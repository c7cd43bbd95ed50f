import { Mono } from '@/app/_ui';
import type { Proof } from '@/lib/claims';

/** Each promise of a page with the test that proves it. That the tests exist is itself a test. */
export function ProofList<Section extends string>({ sections, proofs }: { sections: readonly Section[]; proofs: readonly Proof<Section>[] }) {
  const proven = sections.filter((section) => proofs.some((proof) => proof.section === section));
  return (
    <div className="max-w-3xl">
      {proven.map((section) => (
        <dl key={section} className="divide-y divide-line border-t border-line">
          {proofs.filter((proof) => proof.section === section).map((proof) => (
            <div key={proof.promise} className="py-2">
              <dt className="text-sm">{proof.promise} <a className="link text-xs" href={`#${proof.section}`}>where</a></dt>
              <dd className="mt-0.5 text-xs text-muted"><Mono>{proof.file}</Mono><br />“{proof.test}”</dd>
            </div>
          ))}
        </dl>
      ))}
    </div>
  );
}

import { Mono } from '@/app/_ui';
import { DOC_SECTIONS, PROOFS } from '@/lib/claims';

/** Each promise with the test that proves it. That the tests exist is itself a test. */
export function ProofList() {
  const sections = DOC_SECTIONS.filter((section) => PROOFS.some((proof) => proof.section === section));
  return (
    <div className="max-w-3xl">
      {sections.map((section) => (
        <dl key={section} className="divide-y divide-line border-t border-line">
          {PROOFS.filter((proof) => proof.section === section).map((proof) => (
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

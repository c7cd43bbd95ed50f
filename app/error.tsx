'use client';

import { ErrorView } from './_shell/error-view';

export default function PageError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <main id="main" tabIndex={-1} className="mx-auto max-w-5xl px-4 outline-none"><ErrorView {...props} /></main>;
}

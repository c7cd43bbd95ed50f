'use client';

import { ErrorView } from './_shell/error-view';
import './globals.css';

/** The root layout itself failed: this replaces it. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Ohm</title>
        <main id="main" className="mx-auto max-w-5xl px-4"><ErrorView {...props} /></main>
      </body>
    </html>
  );
}

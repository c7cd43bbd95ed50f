'use client';

import { ErrorView } from '@/app/_shell/error-view';

export default function WorkspaceError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <ErrorView {...props} />;
}

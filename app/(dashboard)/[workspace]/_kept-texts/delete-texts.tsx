import type { TextsPurge } from '@/lib/management/schemas';
import { ConfirmByName } from '../_components/confirm-by-name';
import { deleteTextsAction } from './actions';

/** Deletes the texts that are kept of a key's calls, or of all keys': `name` is what has to be typed. */
export function DeleteTexts({ workspace, of, name, compact = false }: { workspace: string; of: TextsPurge; name: string; compact?: boolean }) {
  return (
    <ConfirmByName
      action={deleteTextsAction.bind(null, workspace, of, name)} name={name} compact={compact}
      button="Delete kept texts" title={`Delete the kept texts of ${name}`}
      description="The texts that savers changed, as they came and as they were sent, of every call until now. Receipts and figures stay, and so does the setting: the next call's texts are kept again."
    />
  );
}

import type { AppraisalEnd, AppraisalInput } from '@/lib/waste';

/** What the form holds, and what came of it: null before anything was sent. */
export interface WasteState {
  values: AppraisalInput;
  end: AppraisalEnd | null;
}

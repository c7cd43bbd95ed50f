import type { RowStore } from '../metering/deliver';
import type { Clock } from '../std';
import type { Plane } from './plane';
import { type Parcels, ROWS_PATH, SIGNATURE_HEADER } from './row-parcel';

/** Longer than a control plane waits for its database. */
const BOUND_MS = 15_000;

/**
 * Brings ledger rows to the first control plane that takes them. Rejects when none does; whoever carries them tries
 * again for as long as it takes, and a plane that has had them takes them once more without a trace.
 */
export function rowCarrier({ planes, parcels, clock }: { planes: readonly Plane[]; parcels: Parcels; clock: Clock }): RowStore {
  return {
    async drain(entries) {
      const { body, signature } = parcels.pack(entries, clock.now());
      const refusals: string[] = [];
      for (const plane of planes) {
        const said = await offer(plane, body, signature);
        if (said === null) return;
        refusals.push(`${plane.name}: ${said}`);
      }
      throw new Error(refusals.join('; '));
    },
  };
}

/** Null: it has them. Else why not. */
async function offer({ pool }: Plane, bytes: Buffer, signature: string): Promise<string | null> {
  try {
    const headers = { 'content-type': 'application/x-ndjson', [SIGNATURE_HEADER]: signature };
    const { statusCode, body } = await pool.request({ path: ROWS_PATH, method: 'POST', headers, body: bytes, headersTimeout: BOUND_MS, bodyTimeout: BOUND_MS });
    await body.dump();
    if (statusCode === 401) return 'refuses the signature: its OHM_SECRET is another one, or its clock is';
    return statusCode === 200 ? null : `says ${statusCode}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}

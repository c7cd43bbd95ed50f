import type { CallRow } from '../../metering';
import { csvLine } from '../../std';
import { callView } from '../call-view';
import { COLUMNS } from './columns';

export type ExportFormat = 'csv' | 'jsonl';

export const MEDIA_TYPES: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' };

/** What stands before the first call. */
export function headOf(format: ExportFormat): string {
  return format === 'csv' ? csvLine(COLUMNS.map(([name]) => name)) : '';
}

/** Calls as lines: of a CSV, or each as the API shows it. */
export function linesOf(format: ExportFormat, calls: readonly CallRow[]): string {
  let text = '';
  for (const call of calls) text += format === 'csv' ? csvLine(COLUMNS.map(([, value]) => value(call))) : `${JSON.stringify(callView(call))}\n`;
  return text;
}

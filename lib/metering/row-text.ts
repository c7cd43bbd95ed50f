import type { AdmittedRow, CallRow } from './call-row';
import { isPacked, packedAdmission, packedRow, unpackedAdmission, unpackedRow } from './packed-row';
import { admittedJson, rowJson, wholeAdmission, wholeRow } from './row-json';

/** What the journal keeps of a row: packed where that can be, else JSON. Each begins with its id, and neither has a line feed of its own. */
export const rowText = (row: CallRow): string => packedRow(row) ?? rowJson(row);
export const admittedText = (row: AdmittedRow): string => packedAdmission(row) ?? admittedJson(row);

export const rowOf = (text: string): CallRow => (isPacked(text) ? unpackedRow(text) : wholeRow(JSON.parse(text) as CallRow));
export const admittedOf = (text: string): AdmittedRow => (isPacked(text) ? unpackedAdmission(text) : wholeAdmission(JSON.parse(text) as AdmittedRow));

/** Of any record. */
export function idOf(text: string): string {
  if (isPacked(text)) return text.slice(1, text.indexOf(','));
  return /^\{"id":"([^"\\]*)"/.exec(text)?.[1] ?? (JSON.parse(text) as { id: string }).id;
}

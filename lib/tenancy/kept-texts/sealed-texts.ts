import type { RewrittenText } from '../../savers';
import type { Keyring } from '../keyring';

/** What is sealed of a call. */
export interface TextsOfCall {
  texts: RewrittenText[];
  /** Changed texts that were too long to be kept with the others. */
  leftOut: number;
}

/** It opens for this workspace and this call, and for no other. */
export const sealTexts = (keyring: Keyring, call: { id: string; workspaceId: string }, texts: TextsOfCall): string => keyring.seal(JSON.stringify(texts), ownerOf(call));

/** Throws SealBroken when it was altered or belongs to another call. */
export const openTexts = (keyring: Keyring, call: { id: string; workspaceId: string }, sealed: string): TextsOfCall => JSON.parse(keyring.open(sealed, ownerOf(call))) as TextsOfCall;

const ownerOf = ({ id, workspaceId }: { id: string; workspaceId: string }) => ({ workspaceId, recordId: id, version: 1 });

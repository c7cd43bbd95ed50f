import { base64Stub } from './base64-stub';
import { blankLines } from './blank-lines';
import { headTail } from './head-tail';
import { htmlText } from './html-text';
import { jsonCompact } from './json-compact';
import { logFold } from './log-fold';
import { repeatReference } from './repeat-reference';
import type { Saver, SaverId } from './saver';
import { stackFrames } from './stack-frames';
import { terminalOutput } from './terminal-output';

/** The only list of savers, in the order of `SAVER_IDS`. */
export const SAVERS: readonly Saver[] = [repeatReference, terminalOutput, htmlText, jsonCompact, logFold, stackFrames, base64Stub, blankLines, headTail];

const byId = new Map(SAVERS.map((saver) => [saver.id, saver]));

export const saverById = (id: SaverId): Saver => byId.get(id)!;

/** The savers of these names, in the order in which they work. */
export const saversOf = (ids: readonly SaverId[]): Saver[] => SAVERS.filter(({ id }) => ids.includes(id));

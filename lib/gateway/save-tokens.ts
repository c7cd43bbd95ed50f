import { createHmac } from 'node:crypto';
import type { CallFacts } from './call-facts';
import type { OpenCall } from './open-call';
import { rewritten } from './read-request';
import { Saving } from './saving';
import type { CallRow } from '../metering/call-row';
import { allUndone, changesOf, type PipelineResult, rewrittenTexts, runPipeline, SAVER_BUDGET_MS, saversOf } from '../savers';
import { withTexts } from '../surfaces';
import { spliceStrings, type TextSlot } from '../wire';

/** Texts of up to this many characters are rewritten here and now; longer ones in a thread, which can be ended. */
const IN_PLACE_CHARACTERS = 32 * 1024;
/**
 * More than this would not be done in time, and copying it would hold everybody up. A conversation that grows past it
 * goes out as it came from then on, its earlier messages too: its provider's prompt cache is missed once.
 */
const MOST_CHARACTERS = 2_000_000;

/**
 * Rewrites what the tiers will be sent, where the key says so and the conversation is not one of those that stay as
 * they came. Waits for nothing in short conversations, and for nothing at all where the key has no savers. Whatever
 * goes wrong, the call goes on with the client's own words.
 */
export function saveTokens(call: OpenCall): void | Promise<void> {
  const { savers, holdoutPercent } = call.caller.key.saving;
  if (savers.length === 0 && holdoutPercent === 0) return;
  const slots = call.surface.slots(call.request.parsed);
  if (slots.length === 0) return;
  const { workers } = call.engine.saving;
  workers.warm();
  if (call.savers.length === 0) {
    call.saving = new Saving(slots, null, null);
    return;
  }
  const { conversation, share } = drawn(call, slots);
  const arm = share < holdoutPercent / 100 ? 'holdout' : 'treated';
  call.saving = new Saving(slots, arm, conversation);
  if (arm === 'holdout') return;
  const working = saversOf(call.savers);
  const characters = slots.reduce((sum, slot) => sum + (!slot.locked && working.some((saver) => saver.takes(slot)) ? slot.text.length : 0), 0);
  if (characters > MOST_CHARACTERS) return apply(call, allUndone(call.savers, 'timeout'));
  if (characters > IN_PLACE_CHARACTERS) return workers.rewrite(slots, call.savers).then((result) => apply(call, result));
  apply(call, runPipeline(slots, { savers: working, now: () => call.engine.clock.monotonic(), budgetMs: SAVER_BUDGET_MS }));
}

/** The provider refused what was sent: from here on the tiers get the client's own words. */
export function undoSavers(call: OpenCall): void {
  call.sent = call.request;
  call.saving!.refused = true;
}

/** The upstream has been asked: what was sent to it is counted while it answers. */
export function countTokens(call: OpenCall): void {
  if (call.saving === null || call.upstreamRequests === 0) return;
  void call.saving.count(call.engine.saving.workers, asked(call));
}

/** What savers did belongs into the call's row, and what is not counted yet behind it. Gives what is to be done once the row is safe. */
export function noteSaving(facts: CallFacts, row: CallRow): (() => void) | null {
  const { saving, engine } = facts;
  if (saving === null) return null;
  const model = row.model ?? row.attempts.at(-1)?.model ?? '';
  const counted = saving.note(row, model) || facts.upstreamRequests === 0;
  const keeps = facts.caller.key.saving.keepsTexts && facts.upstreamRequests > 0 && !saving.refused && saving.result.texts.size > 0;
  if (counted && !keeps) return null;
  return () => {
    if (keeps) engine.saving.keepTexts({ id: row.id, workspaceId: row.workspace_id, keyId: row.key_id }, rewrittenTexts(saving.slots, saving.result));
    if (counted) return;
    saving.late(engine.saving.workers, model).then((late) => late !== null && engine.ledger.measured(row.id, late)).catch(engine.report);
  };
}

function apply(call: OpenCall, result: PipelineResult): void {
  const saving = call.saving!;
  saving.result = result;
  if (result.texts.size === 0) return;
  const { text, parsed, scan } = call.request;
  const made = spliceStrings(text, scan, changesOf(saving.slots, result));
  if (made === null) saving.result = allUndone(result.records.map(({ saver }) => saver), 'structure');
  else call.sent = rewritten(call.request, made.json, withTexts(parsed, saving.slots, result.texts), made.scan);
}

/** Which conversation this is, and a number from 0 to 1 that is always its own: nobody without the workspace's key can tell or choose it. */
function drawn(call: OpenCall, slots: readonly TextSlot[]): { conversation: string; share: number } {
  const { key, workspace } = call.caller;
  const digest = createHmac('sha256', call.engine.saving.conversationKey(workspace.id)).update(JSON.stringify([key.id, ...firstMessages(slots)])).digest();
  return { conversation: digest.toString('base64url', 0, 12), share: digest.readUInt32BE(12) / 2 ** 32 };
}

/** What the turns of a conversation have in common: everything up to the first words of its user. */
function firstMessages(slots: readonly TextSlot[]): string[] {
  const first = slots.find(({ role }) => role === 'user')?.message ?? Number.POSITIVE_INFINITY;
  return slots.filter(({ role, message }) => (role === 'system' && message < first) || (role === 'user' && message === first)).map(({ text }) => `${text.length} ${text.slice(0, TOLD_APART_BY)}`);
}

/** Characters of a message that tell conversations apart, with its length. */
const TOLD_APART_BY = 16_384;

/** The model whose tokenizer most likely counts: that of the first tier. */
const asked = (call: OpenCall): string => call.route.tiers[0]?.model ?? '';

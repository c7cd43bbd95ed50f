import { noLosses, type Unrepresentable } from '../../wire';
import type { WireRequestInput } from '../adapter';
import { conversationOf } from './conversation';
import type { Members } from './json-values';
import { endUser, judgeMembers, serviceTier } from './members';
import { familyOf } from './model-families';
import { outputFormat } from './output-schema';
import { outputLimit, samplingOf, stopSequences } from './sampling';
import { thinkingOf } from './thinking';
import { toolsOf } from './tools';

/** The canonical request, written out for this wire: or the first member whose loss would change what it asks for. */
export function bodyFrom({ chat, model, stream, maxOutputTokens }: WireRequestInput): { body: string; dropped: readonly string[] } | Unrepresentable {
  if (chat === null) throw new Error('a request in neither its own nor the canonical language');
  const { body } = chat;
  const family = familyOf(model);
  const losses = noLosses();
  judgeMembers(body, losses);

  const conversation = conversationOf(body.messages, family, losses);
  if (conversation.prefilled && !family.prefill) losses.refuseValue(`messages[${(body.messages as unknown[]).length - 1}]`, 'This model cannot continue an assistant message: the conversation must end with a message of the user.');
  const { tools, choice, forced } = toolsOf(body, conversation, family, losses);
  const sampling = samplingOf(body, chat.topK, family, losses);
  // The wire wants a limit, and a small one would cut answers that the client wants whole.
  const maxTokens = outputLimit(body, losses) ?? maxOutputTokens ?? family.maxOutputTokens;
  const barred = forced || sampling.barsBudget || conversation.prefilled || conversation.unsignedToolLoop;
  const { thinking, effort } = thinkingOf(body.reasoning_effort, family, maxTokens, barred, losses);
  const format = outputFormat(body.response_format, family, losses);
  const stop = stopSequences(body.stop, losses);
  const user = endUser(body, losses);
  const tier = serviceTier(body.service_tier);
  if (losses.why !== null) return losses.why;

  const members: Members = { model, max_tokens: maxTokens, ...sampling.members };
  if (stop !== null) members.stop_sequences = stop;
  if (tools !== null) members.tools = tools;
  if (choice !== null) members.tool_choice = choice;
  if (thinking !== null) members.thinking = thinking;
  if (effort !== null || format !== null) members.output_config = { ...(effort === null ? {} : { effort }), ...(format === null ? {} : { format }) };
  if (user !== null) members.metadata = { user_id: user };
  if (tier !== null) members.service_tier = tier;
  if (stream) members.stream = true;
  const system = conversation.system === null ? '' : `"system":${conversation.system},`;
  return { body: `${JSON.stringify(members).slice(0, -1)},${system}"messages":${conversation.messages}}`, dropped: losses.dropped };
}

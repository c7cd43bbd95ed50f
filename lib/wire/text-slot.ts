/**
 * One text of a conversation that may be rewritten without changing the conversation's shape: a message's content, one
 * text part of it, or one text of a tool's result. Found by a surface, which knows where its API keeps texts.
 */
export interface TextSlot {
  /** Position of its message, from 0, the system prompt first. */
  message: number;
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** The call whose result it is; null for what a person or a model wrote. */
  toolCallId: string | null;
  text: string;
  /** Nothing in it may change: its message carries a signature or reasoning, or a cache mark leaves it alone. */
  locked: boolean;
  /** Where it stands in the request's body. */
  path: readonly (string | number)[];
}

import { isObject, type Losses, unread } from '../../wire';
import { defined } from './values';

/** A flat tool of this API in a chat's words. */
export function toolOf(tool: unknown, path: string, losses: Losses): object {
  if (isObject(tool) && tool.type === 'function') {
    const { name, description, parameters, strict } = tool;
    for (const lost of unread(tool, FUNCTION)) losses.drop(`tools[].${lost}`);
    return { type: 'function', function: defined({ name, description, parameters, strict }) };
  }
  if (isObject(tool) && tool.type === 'custom') {
    const { name, description, format } = tool;
    for (const lost of unread(tool, CUSTOM)) losses.drop(`tools[].${lost}`);
    return { type: 'custom', custom: defined({ name, description, format: customFormat(format) }) };
  }
  losses.refuseValue(`${path}.type`, 'Tools that the provider runs itself exist only where a tier speaks this API; `function` and `custom` work everywhere.');
  return {};
}

const FUNCTION = new Set(['type', 'name', 'description', 'parameters', 'strict']);
const CUSTOM = new Set(['type', 'name', 'description', 'format']);

function customFormat(format: unknown): unknown {
  if (!isObject(format) || format.type !== 'grammar') return format;
  const { type, ...grammar } = format;
  return { type, grammar };
}

/** Undefined after a refusal. */
export function toolChoiceOf(choice: unknown, losses: Losses): unknown {
  if (typeof choice === 'string') return choice;
  const named = isObject(choice) ? nested(choice) : null;
  if (named !== null) return named;
  if (isObject(choice) && choice.type === 'allowed_tools' && Array.isArray(choice.tools)) {
    const tools = choice.tools.map((tool: unknown) => (isObject(tool) ? nested(tool) : null));
    if (tools.every((tool) => tool !== null)) return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } };
  }
  losses.refuseValue('tool_choice', 'Only `function` and `custom` tools can be chosen.');
  return undefined;
}

function nested({ type, name }: Record<string, unknown>): object | null {
  if (type !== 'function' && type !== 'custom') return null;
  return { type, [type]: { name } };
}

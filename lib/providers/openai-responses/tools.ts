import { isObject, type Losses, unread } from '../../wire';
import { defined } from './values';

/** A tool of a chat request, flat as this API has it. */
export function toolOf(tool: unknown, path: string, losses: Losses): object {
  if (isObject(tool) && tool.type === 'function' && isObject(tool.function)) {
    const { name, description, parameters, strict } = tool.function;
    dropUnread(tool, tool.function, FUNCTION, path, losses);
    // Left out, `strict` means true here and false there.
    return { type: 'function', ...defined({ name, description }), parameters: parameters ?? NO_PARAMETERS, strict: strict ?? false };
  }
  if (isObject(tool) && tool.type === 'custom' && isObject(tool.custom)) {
    const { name, description, format } = tool.custom;
    dropUnread(tool, tool.custom, CUSTOM, path, losses);
    return { type: 'custom', ...defined({ name, description, format: customFormat(format) }) };
  }
  losses.refuseValue(`${path}.type`, 'Only `function` and `custom` tools can be passed on.');
  return {};
}

function dropUnread(tool: Record<string, unknown>, made: Record<string, unknown>, read: ReadonlySet<string>, path: string, losses: Losses): void {
  const list = path.slice(0, path.indexOf('['));
  for (const name of [...unread(tool, TOOL, tool.type as string), ...unread(made, read)]) losses.drop(`${list}[].${name}`);
}

const TOOL = new Set(['type']);
const FUNCTION = new Set(['name', 'description', 'parameters', 'strict']);
const CUSTOM = new Set(['name', 'description', 'format']);

const NO_PARAMETERS = { type: 'object', properties: {} };

/** `{type:'grammar', grammar:{syntax, definition}}` loses a level. */
function customFormat(format: unknown): unknown {
  return isObject(format) && isObject(format.grammar) ? { type: format.type, ...format.grammar } : format;
}

export function toolChoiceOf(choice: unknown, losses: Losses): unknown {
  if (typeof choice === 'string') return choice;
  const named = isObject(choice) ? flatName(choice) : null;
  if (named !== null) return named;
  if (isObject(choice) && choice.type === 'allowed_tools' && isObject(choice.allowed_tools) && Array.isArray(choice.allowed_tools.tools)) {
    const { mode, tools } = choice.allowed_tools;
    const flat = tools.map((tool: unknown) => (isObject(tool) ? flatName(tool) : null));
    if (flat.every((tool) => tool !== null)) return { type: 'allowed_tools', mode, tools: flat };
  }
  losses.refuseValue('tool_choice', 'This `tool_choice` is none that the Responses API knows.');
  return undefined;
}

/** `{type, function: {name}}` as `{type, name}`. */
function flatName(value: Record<string, unknown>): object | null {
  const { type } = value;
  if (type !== 'function' && type !== 'custom') return null;
  const made = value[type];
  return isObject(made) && typeof made.name === 'string' ? { type, name: made.name } : null;
}

import { isObject, unread, unsupported, unsupportedValue } from '../../wire';
import { Unsayable } from './unsayable';

type Body = Record<string, unknown>;

/** Tools that the client runs itself. Those that the provider would run have no counterpart. */
export function canonicalTools(tools: unknown, dropped: Set<string>): object[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw new Unsayable(unsupportedValue('tools', '`tools` must be a list.'));
  return (tools as unknown[]).map((tool, index) => {
    if (!isObject(tool) || (tool.type !== undefined && tool.type !== null && tool.type !== 'custom')) {
      throw new Unsayable(unsupported(`tools[${index}]`, `\`tools[${index}]\` is run by the provider itself: no other API has it.`));
    }
    for (const name of unread(tool, READ)) if (tool[name] !== false) dropped.add(`tools.${name}`);
    return {
      type: 'function',
      function: {
        name: tool.name,
        ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
        parameters: isObject(tool.input_schema) ? tool.input_schema : { type: 'object', properties: {} },
        ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
      },
    };
  });
}

const READ = new Set(['type', 'name', 'description', 'input_schema', 'strict']);

export function canonicalChoice(choice: unknown, chat: Body): void {
  if (choice === undefined || choice === null) return;
  const { type, name, disable_parallel_tool_use: alone } = isObject(choice) ? choice : ({} as Body);
  if (type === 'auto' || type === 'none') chat.tool_choice = type;
  else if (type === 'any') chat.tool_choice = 'required';
  else if (type === 'tool' && typeof name === 'string') chat.tool_choice = { type: 'function', function: { name } };
  else throw new Unsayable(unsupportedValue('tool_choice', '`tool_choice` must be `auto`, `any`, `none`, or a `tool` with its `name`.'));
  if (alone === true) chat.parallel_tool_calls = false;
}

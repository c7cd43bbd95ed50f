import { isAbsent, isObject, unread, unsupportedValue } from '../../wire';
import { type Draft, refuse } from './draft';

export interface ToolSettings {
  tools: { functionDeclarations: Record<string, unknown>[] }[] | null;
  toolConfig: { functionCallingConfig: { mode: 'AUTO' | 'ANY' | 'NONE'; allowedFunctionNames?: string[] } } | null;
}

/** Functions and the choice among them; `functions` and `function_call` are the old names of the same. */
export function toolsOf(body: Readonly<Record<string, unknown>>, draft: Draft): ToolSettings {
  const legacy = isAbsent(body.tools) && !isAbsent(body.functions);
  const listed = legacy ? declared(body.functions, 'functions', (entry) => entry, draft) : declared(body.tools, 'tools', functionOf, draft);
  const choice = legacy ? legacyChoice(body.function_call) : body.tool_choice;
  const chosen = choiceOf(choice, draft);
  if (chosen.mode !== 'ANY' && isStrict(legacy ? body.functions : body.tools)) draft.dropped.add('tools[].strict'); // a call that is demanded keeps to its schema anyway
  const offered = chosen.only === null ? listed : listed.filter(({ name }) => chosen.only!.includes(name as string));
  if (body.parallel_tool_calls === false && offered.length > 0) draft.dropped.add('parallel_tool_calls');
  const { mode, names } = chosen;
  const neutral = mode === null || (offered.length === 0 && mode !== 'ANY');
  return {
    tools: offered.length === 0 ? null : [{ functionDeclarations: offered }],
    toolConfig: neutral ? null : { functionCallingConfig: names === null ? { mode } : { mode, allowedFunctionNames: names } },
  };
}

const isStrict = (list: unknown): boolean => Array.isArray(list) && list.some((tool: unknown) => isObject(tool) && (isObject(tool.function) ? tool.function : tool).strict === true);

const functionOf = (tool: Record<string, unknown>): unknown => ((tool.type ?? 'function') === 'function' ? tool.function : null);

function declared(list: unknown, path: string, functionIn: (entry: Record<string, unknown>) => unknown, draft: Draft): Record<string, unknown>[] {
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    refuse(draft, unsupportedValue(path, `\`${path}\` must be a list.`));
    return [];
  }
  return list.flatMap((entry: unknown, index) => {
    const fn = isObject(entry) ? functionIn(entry) : null;
    if (!isObject(fn)) {
      refuse(draft, unsupportedValue(`${path}[${index}]${isObject(entry) && path === 'tools' ? '.type' : ''}`, 'Only functions can be offered as tools here.'));
      return [];
    }
    for (const name of [...(fn === entry ? [] : unread(entry as Record<string, unknown>, TOOL)), ...unread(fn, FUNCTION)]) draft.dropped.add(`${path}[].${name}`);
    const declaration: Record<string, unknown> = { name: fn.name };
    if (!isAbsent(fn.description)) declaration.description = fn.description;
    if (!isAbsent(fn.parameters)) declaration.parametersJsonSchema = fn.parameters;
    return [declaration];
  });
}

const TOOL = new Set(['type', 'function']);
const FUNCTION = new Set(['name', 'description', 'parameters', 'strict']);

interface Choice {
  mode: 'AUTO' | 'ANY' | 'NONE' | null;
  /** What must be called. */
  names: string[] | null;
  /** What may be offered. */
  only: string[] | null;
}

const choice = (mode: Choice['mode'], names: string[] | null = null, only: string[] | null = null): Choice => ({ mode, names, only });

function choiceOf(wish: unknown, draft: Draft): Choice {
  if (isAbsent(wish)) return choice(null);
  if (wish === 'auto') return choice('AUTO');
  if (wish === 'none') return choice('NONE');
  if (wish === 'required') return choice('ANY');
  if (isObject(wish)) {
    const name = wish.type === 'function' && isObject(wish.function) ? wish.function.name : null;
    if (typeof name === 'string') return choice('ANY', [name]);
    if (wish.type === 'allowed_tools') {
      const allowed = allowedNames(wish);
      if (allowed !== null) return allowed.required ? choice('ANY', allowed.names) : choice('AUTO', null, allowed.names);
    }
  }
  refuse(draft, unsupportedValue('tool_choice', 'This choice of tools has no counterpart here.'));
  return choice(null);
}

/** `{"allowed_tools":{"mode","tools":[{"type":"function","function":{"name"}}]}}`; null when it holds anything but functions. */
function allowedNames(wish: Record<string, unknown>): { required: boolean; names: string[] } | null {
  const allowed = isObject(wish.allowed_tools) ? wish.allowed_tools : wish;
  if (!Array.isArray(allowed.tools) || (allowed.mode !== 'auto' && allowed.mode !== 'required')) return null;
  const names = allowed.tools.map((tool: unknown) => (isObject(tool) && tool.type === 'function' ? (isObject(tool.function) ? tool.function.name : tool.name) : null));
  return names.every((name) => typeof name === 'string') ? { required: allowed.mode === 'required', names } : null;
}

/** `"auto"`, `"none"` or `{"name"}`. */
const legacyChoice = (wish: unknown): unknown => (isObject(wish) ? { type: 'function', function: wish } : wish);

import { isAbsent, isObject, type Losses, nonEmpty, unread } from '../../wire';
import type { Conversation } from './conversation';
import type { Members } from './json-values';
import type { ModelFamily } from './model-families';
import { schemaFor } from './output-schema';

export interface Tools {
  /** The wire's `tools`; null where there are none. */
  tools: Members[] | null;
  choice: Members | null;
  /** A call is demanded: of any tool, or of one. */
  forced: boolean;
}

/** Tools and the choice among them, also in the deprecated spelling of functions. */
export function toolsOf(body: Members, { calledTools }: Conversation, family: ModelFamily, losses: Losses): Tools {
  const legacy = isAbsent(body.tools) && !isAbsent(body.functions);
  const all = definitions(legacy ? body.functions : body.tools, legacy ? 'functions' : 'tools', legacy, family, losses);
  const wanted = wantedChoice(body, legacy, losses);
  const tools = wanted.only === null ? all : all.filter(({ name }) => wanted.only!.has(name as string));
  const forced = wanted.type === 'any' || wanted.type === 'tool';
  const named = legacy ? 'function_call' : 'tool_choice';
  if (forced && tools.length === 0) losses.refuseValue(named, `\`${named}\` demands a tool, and there is none.`);
  if (forced && !family.forcedTools) losses.refuseValue(named, 'This model cannot be forced to call a tool.');

  if (tools.length === 0) return { tools: fromHistory(calledTools), choice: calledTools.size === 0 ? null : { type: 'none' }, forced: false };
  const serial = body.parallel_tool_calls === false && wanted.type !== 'none';
  if (wanted.type === null && !serial) return { tools, choice: null, forced };
  const choice: Members = { type: wanted.type ?? 'auto' };
  if (wanted.name !== null) choice.name = wanted.name;
  if (serial) choice.disable_parallel_tool_use = true;
  return { tools, choice, forced };
}

/** A conversation that holds calls needs their tools defined, though none may be called any more. */
const fromHistory = (called: ReadonlySet<string>): Members[] | null => (called.size === 0 ? null : [...called].map((name) => ({ name, input_schema: NO_INPUT })));

const NO_INPUT = { type: 'object', properties: {} };

function definitions(list: unknown, member: string, legacy: boolean, family: ModelFamily, losses: Losses): Members[] {
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    losses.refuseValue(member, `\`${member}\` must be a list.`);
    return [];
  }
  return list.map((tool: unknown, at) => {
    const path = `${member}[${at}]`;
    const made = legacy ? tool : isObject(tool) && tool.type === 'function' ? tool.function : null;
    const name = isObject(made) ? nonEmpty(made.name) : null;
    if (!isObject(made) || name === null) {
      losses.refuseValue(path, 'This model takes tools only as functions with a name.');
      return {};
    }
    for (const lost of [...(legacy ? [] : unread(tool as Members, TOOL)), ...unread(made, FUNCTION)]) losses.drop(`${member}[].${lost}`);
    return definition(name, made, legacy ? path : `${path}.function`, family, losses);
  });
}

const TOOL = new Set(['type', 'function']);
const FUNCTION = new Set(['name', 'description', 'parameters', 'strict']);

function definition(name: string, made: Members, path: string, family: ModelFamily, losses: Losses): Members {
  const tool: Members = { name };
  if (nonEmpty(made.description) !== null) tool.description = made.description;
  if (!isAbsent(made.parameters) && !isObject(made.parameters)) losses.refuseValue(`${path}.parameters`, `\`${path}.parameters\` must be a JSON schema.`);
  const given = isObject(made.parameters) ? made.parameters : NO_INPUT;
  const schema = given.type === undefined ? { type: 'object', ...given } : given;
  const strict = made.strict === true;
  if (strict && !family.schemas) losses.drop('tools[].strict');
  const strictly = strict && family.schemas;
  tool.input_schema = strictly ? schemaFor(schema, `${path}.parameters`, 'tools[].parameters', losses) : schema;
  if (strictly) tool.strict = true;
  return tool;
}

interface Wanted {
  /** The wire's word; null where the client said nothing. */
  type: 'auto' | 'none' | 'any' | 'tool' | null;
  name: string | null;
  /** Only these may be called. */
  only: ReadonlySet<string> | null;
}

function wantedChoice(body: Members, legacy: boolean, losses: Losses): Wanted {
  const choice = legacy ? body.function_call : body.tool_choice;
  const type = isAbsent(choice) ? null : typeof choice === 'string' ? WORDS[choice] : undefined;
  if (type !== undefined) return { type, name: null, only: null };
  if (isObject(choice)) {
    const name = legacy ? nonEmpty(choice.name) : choice.type === 'function' && isObject(choice.function) ? nonEmpty(choice.function.name) : null;
    if (name !== null) return { type: 'tool', name, only: null };
    const allowed = legacy ? null : allowedTools(choice);
    if (allowed !== null) return allowed;
  }
  const named = legacy ? 'function_call' : 'tool_choice';
  losses.refuseValue(named, `This model does not know this \`${named}\`.`);
  return NOTHING_SAID;
}

const NOTHING_SAID: Wanted = { type: null, name: null, only: null };

const WORDS: Record<string, Wanted['type'] | undefined> = Object.assign(Object.create(null), { auto: 'auto', none: 'none', required: 'any' });

/** `{"type":"allowed_tools","allowed_tools":{"mode":"auto"|"required","tools":[{"type":"function","function":{"name"}}]}}` */
function allowedTools(choice: Members): Wanted | null {
  const allowed = choice.type === 'allowed_tools' ? choice.allowed_tools : null;
  if (!isObject(allowed) || !Array.isArray(allowed.tools)) return null;
  const names = allowed.tools.map((tool: unknown) => (isObject(tool) && isObject(tool.function) ? nonEmpty(tool.function.name) : null));
  if (names.includes(null) || (allowed.mode !== 'auto' && allowed.mode !== 'required')) return null;
  return { type: allowed.mode === 'required' ? 'any' : 'auto', name: null, only: new Set(names as string[]) };
}

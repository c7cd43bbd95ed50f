import { Refusal, type Issue } from '../std';
import { kindOf, MIN_WINDOW_S, type AlertKind, type Scope } from './kinds';

interface Parts {
  kind: AlertKind;
  threshold: number;
  windowS: number;
  scopeType: Scope['type'];
}

/** Do the parts of a rule go together? Throws Refusal('invalid') that names every one that does not. Pure. */
export function checkedRule(rule: Parts): void {
  const issues = ruleIssues(rule);
  if (issues.length > 0) throw new Refusal('invalid', `${issues[0]!.field}: ${issues[0]!.message}.`, issues);
}

/** The same as a list; empty where they do. A form asks it as well, to name these beside what the schema refuses. */
export function ruleIssues(rule: Parts): Issue[] {
  const { unit, maxWindowS, scopes, steps } = kindOf(rule.kind);
  const issues: Issue[] = [];
  if (steps !== undefined && !steps.includes(rule.threshold)) issues.push({ field: 'threshold', message: `must be ${steps.join(', ').replace(/, (\d+)$/, ' or $1')} for this kind` });
  else if (unit === 'calls' && !Number.isInteger(rule.threshold)) issues.push({ field: 'threshold', message: 'must be a whole number of calls' });
  else if (unit === 'percent' && rule.threshold > 100) issues.push({ field: 'threshold', message: 'must be at most 100%' });
  if (steps === undefined && (rule.windowS < MIN_WINDOW_S || rule.windowS > maxWindowS)) issues.push({ field: 'window_s', message: `must be from ${MIN_WINDOW_S} to ${maxWindowS.toLocaleString('en-US')} s for this kind` });
  if (!scopes.includes(rule.scopeType)) issues.push({ field: 'scope', message: `must be ${scopes.map((scope) => `"${scope}"`).join(' or ')} for this kind` });
  return issues;
}

export { findChromium } from '../../lib/launch/chromium.mjs';
export * as anthropic from './anthropic-answers';
export * as gemini from './gemini-answers';
export * as openai from './openai-answers';
export * as responses from './responses-answers';
export { refusingOrigin, scriptedUpstream, type Answer, type Contact, type Script, type ScriptedUpstream, type Step } from './scripted-upstream';
export { startEdge, type RunningEdge } from './start-edge';
export { freePort, startOhm, type Door, type RunningOhm, type StartOptions } from './start-ohm';
export { managementClient, type CallView, type ManagementClient } from './management-client';

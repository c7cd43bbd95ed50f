import { safePath } from './safe-path';

/**
 * Where sign-in leads back to: the page of the workspace that was asked for, with its query; its overview where the
 * target is not known or is somewhere else.
 */
export function returnPath(target: string | null, workspaceSlug: string): string {
  const home = `/${workspaceSlug}`;
  const [path = '', query = ''] = safePath(target, home).split(/[?#](.*)/s);
  if (path !== home && !path.startsWith(`${home}/`)) return home;
  const kept = query.split('&').filter((member) => member !== '' && !/^_rsc(?:=|$)/.test(member)); // Next's own, of a page fetched by script
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** Something that this process leans on. */
export interface Dependency {
  /** `database`, `journal`, `sandbox` … */
  name: string;
  /** Rejects or says false when it does not answer; asked at most once a second. */
  check(): Promise<{ ok: boolean; detail: string | null }>;
}

export interface DependencyState {
  name: string;
  ok: boolean;
  /** A public sentence; null when nothing needs saying. */
  detail: string | null;
}

export interface Readiness {
  /** Calls should be sent here. */
  ready: boolean;
  draining: boolean;
  dependencies: DependencyState[];
  /** Outside production only. */
  features?: Record<string, boolean>;
}

const CHECK_MS = 1_500;
const REMEMBERED_MS = 1_000;

/** Last answers, so that a burst of questions asks each dependency once. */
const remembered = new WeakMap<Dependency, { atMs: number; state: Promise<DependencyState> }>();

export async function readiness(dependencies: readonly Dependency[], draining: boolean): Promise<Readiness> {
  const states = await Promise.all(dependencies.map(stateOf));
  return { ready: !draining && states.every((state) => state.ok), draining, dependencies: states };
}

function stateOf(dependency: Dependency): Promise<DependencyState> {
  const last = remembered.get(dependency);
  if (last !== undefined && performance.now() - last.atMs < REMEMBERED_MS) return last.state;
  const state = asked(dependency);
  remembered.set(dependency, { atMs: performance.now(), state });
  return state;
}

async function asked({ name, check }: Dependency): Promise<DependencyState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DependencyState>((resolve) => {
    timer = setTimeout(() => resolve({ name, ok: false, detail: `did not answer within ${CHECK_MS} ms` }), CHECK_MS);
  });
  try {
    return await Promise.race([check().then(({ ok, detail }) => ({ name, ok, detail })), late]);
  } catch {
    return { name, ok: false, detail: 'does not answer' }; // the error itself is not for the public
  } finally {
    clearTimeout(timer);
  }
}

import { StateIcon, STATES, type StateName } from '../state';
import styles from './timeline.module.css';

const ALL: readonly StateName[] = ['connecting', 'preamble', 'committed', 'finished', 'failed', 'truncated', 'aborted', 'rejected', 'skipped', 'replayed', 'lost'];

/** What the shapes mean. `states` narrows it to those that a picture shows. */
export function TimelineLegend({ states = ALL }: { states?: readonly StateName[] }) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {states.map((state) => (
        <li key={state} title={STATES[state].meaning}>
          <StateIcon state={state} />
          {STATES[state].word}
        </li>
      ))}
    </ul>
  );
}

export { endSession, endSessionsOf, listSessions, type SessionView } from './manage-sessions';
export { readSession, type SignedIn } from './read-session';
export { IDLE_DAYS, MAX_DAYS, type Client } from './start-session';

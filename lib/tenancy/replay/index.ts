export { forgetShared } from './forget-shared';
export { purgeReplay } from './purge-replay';
export { replayColumns, replayViewOf, sharesNoMore } from './replay-columns';

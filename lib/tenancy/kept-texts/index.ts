export { forgetTexts, shortenTexts } from './forget-texts';
export { getKeptTexts } from './get-kept-texts';
export { purgeTexts } from './purge-texts';
export { createTextKeeper, type TextKeeper } from './text-keeper';

import type { Prices } from '../gateway/ports';
import { priceSource, thinksByName } from '../providers';
import { modelFacts } from '../providers/catalog';
import type { Log } from './log';
import { listed, type Listed, packagedList, type PriceList } from './price-list';
import { costOf, rateAt } from './rates';

/**
 * Prices of calls. Rates are looked up and turned from the list's floats into whole pico-USD a token once per
 * provider and model; a call then costs a few multiplications of integers and one rounding, to nano-USD.
 *
 * Unknown is null, never 0: a model that is not on its provider's list, a `custom` provider, a rate that is
 * missing for something that was used, damaged data, figures that contradict each other (more cached than
 * prompt tokens). What usage does not tell apart (audio, images, searches) is charged at the text rate or not
 * at all, as the list's own calculation would do with the same figures.
 */
export function createPrices({ catalog = packagedList, log }: { catalog?: PriceList; log?: Log } = {}): Prices {
  const known = new Map<string, Map<string, Listed | null>>();
  const thinking = new Map<string, boolean>();

  function listedAs(provider: string, model: string): Listed | null {
    let models = known.get(provider);
    if (!models) known.set(provider, (models = new Map()));
    let found = models.get(model);
    if (found === undefined) {
      if (models.size >= MOST_MODELS) models.clear();
      models.set(model, (found = lookUp(provider, model)));
    }
    return found;
  }

  function lookUp(provider: string, model: string): Listed | null {
    try {
      return listed(catalog, provider, model);
    } catch (error) {
      log?.error({ provider, model, reason: String((error as Error)?.message ?? error) }, 'the price of a model cannot be read; its calls are unpriced');
      return null;
    }
  }

  return {
    cost(preset, model, usage, atMs) {
      const source = priceSource(preset);
      if (source === null) return null;
      if (source.kind === 'stated') return { nanoUsd: 0, version: source.version };
      const list = listedAs(source.provider, model);
      if (list === null) return null;
      const rates = rateAt(list.periods, atMs)?.rates;
      const nanoUsd = rates ? costOf(rates, usage) : null;
      return nanoUsd === null ? null : { nanoUsd, version: list.version };
    },
    maxOutputTokens: (preset, model) => modelFacts(preset, model)?.maxOutputTokens ?? null,
    thinks(preset, model) {
      const name = `${preset} ${model}`;
      let answer = thinking.get(name);
      if (answer === undefined) {
        if (thinking.size >= MOST_MODELS) thinking.clear();
        thinking.set(name, (answer = modelFacts(preset, model)?.thinks ?? thinksByName(model)));
      }
      return answer;
    },
  };
}

/** Bound on what is remembered per provider: model names come from tenants. */
const MOST_MODELS = 2_000;

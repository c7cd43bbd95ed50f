import type { Prices, WorkspacePrice } from '../gateway/ports';
import { priceSource, thinksByName } from '../providers';
import { modelFacts } from '../providers/catalog';
import type { UsageRow } from './call-row';
import type { Log } from './log';
import { listed, type Listed, packagedList, type PriceList } from './price-list';
import { costOf, rateAt, type Rate, type Rates } from './rates';

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
    cost({ provider, prices }, model, usage, atMs) {
      const stated = prices.length === 0 ? null : statedPrice(prices, model, atMs);
      if (stated !== null) return costBy(ratesStated(stated), usage, `workspace:${stated.id}`);
      const source = priceSource(provider);
      if (source === null) return null;
      if (source.kind === 'stated') return { nanoUsd: 0, version: source.version };
      const list = listedAs(source.provider, model);
      if (list === null) return null;
      const rates = rateAt(list.periods, atMs)?.rates;
      return rates === undefined ? null : costBy(rates, usage, list.version);
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

function costBy(rates: Rates, usage: UsageRow, version: string): { nanoUsd: number; version: string } | null {
  const nanoUsd = costOf(rates, usage);
  return nanoUsd === null ? null : { nanoUsd, version };
}

/** The workspace's price in force: they stand newest first. */
function statedPrice(prices: readonly WorkspacePrice[], model: string, atMs: number): WorkspacePrice | null {
  for (const price of prices) if (price.model === model && price.fromMs <= atMs) return price;
  return null;
}

/** Made once for each price: its configuration is never changed, only replaced. */
const statedRates = new WeakMap<WorkspacePrice, Rates>();

function ratesStated(price: WorkspacePrice): Rates {
  let rates = statedRates.get(price);
  if (rates === undefined) {
    const rate = (nanoUsdPerMillion: number): Rate => ({ base: nanoUsdPerMillion / 1_000, steps: [] });
    const cacheRead = price.cachedInput === null ? null : rate(price.cachedInput);
    const cacheWrite = price.cacheWrite === null ? null : rate(price.cacheWrite);
    rates = { input: rate(price.input), output: rate(price.output), cacheRead, cacheWrite, reasoning: null, request: 0 };
    statedRates.set(price, rates);
  }
  return rates;
}

import { describe, expect, it } from 'vitest';
import { slugOf, withSuffix } from './slug';

describe('a workspace’s slug', () => {
  it.each([
    ['Zoë & Söns … der allerlängste Name', 'zoe-sons-der-allerlangste-name'],
    ['Straße Ærø Đorđe Łódź', 'strasse-aero-dorde-lodz'],
    ['Crème Brûlée', 'creme-brulee'],
    ['ＦＵＬＬ width №5', 'full-width-no5'],
    ['A research group with a rather long and winding name', 'a-research-group-with-a-rather-long-and'],
    ['x'.repeat(60), 'x'.repeat(40)],
    [`ab ${'x'.repeat(60)}`, `ab-${'x'.repeat(37)}`],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is never empty and never an address of the product', () => {
    expect(slugOf('日本')).toMatch(/^workspace-[a-z0-9]{5}$/);
    expect(slugOf('Docs')).toMatch(/^docs-[a-z0-9]{5}$/);
    for (const path of ['chat', 'completions', 'embeddings', 'messages', 'models', 'reset', 'responses', 'v1']) expect(slugOf(path)).toMatch(new RegExp(`^${path}-[a-z0-9]{5}$`));
  });

  it('with something random behind it is no longer than without', () => {
    expect(withSuffix('a-research-group-with-a-rather-long-and')).toMatch(/^a-research-group-with-a-rather-[a-z0-9]{5}$/);
    expect(withSuffix('x'.repeat(40))).toMatch(/^x{34}-[a-z0-9]{5}$/);
  });
});

import { isToolResult, type Saver } from './saver';

/** A page that a tool has fetched becomes the text that a reader of it would see. */
export const htmlText: Saver = {
  id: 'html-text',
  label: 'Text of HTML pages',
  promise: 'Turns a tool result that is an HTML document into its text; addresses of links stay.',
  never: 'Results that are no HTML document as a whole; the indentation of what stands in pre.',
  lossless: false,
  takes: isToolResult,
  rewrite: (text) => (/^\s*(<!--[^]{0,1000}?-->\s*)?<(!doctype html|html|head|body)[\s>]/i.test(text) ? textOf(text) : text),
};

/** Elements whose content nobody reads. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'iframe', 'object']);
/** Elements that begin a line of their own. */
const BLOCK = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(' '),
);

/** One pass over the markup. Broken markup gives odd text, never an error. */
function textOf(html: string): string {
  const out: string[] = [];
  let pre = 0;
  let href: string | null = null;
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open === -1 || open > at) {
      const text = decoded(html.slice(at, open === -1 ? html.length : open));
      const shown = pre > 0 ? text : text.replaceAll(/[ \t\r\n\f]+/g, ' ');
      out.push(pre === 0 && /^$|\n$/.test(out.at(-1) ?? '') ? shown.trimStart() : shown);
      at = open === -1 ? html.length : open;
      continue;
    }
    const tag = tagAt(html, open);
    at = tag.end;
    if (tag.name === '') continue;
    if (!tag.closing && UNSEEN.has(tag.name)) {
      at = endOf(html, tag.name, at);
      continue;
    }
    if (tag.name === 'pre') pre = Math.max(0, pre + (tag.closing ? -1 : 1));
    if (tag.name === 'a') {
      if (tag.closing && href !== null) out.push(` (${href})`);
      href = tag.closing ? null : hrefOf(html.slice(open, tag.end));
    }
    if (tag.name === 'td' || tag.name === 'th') out.push('\t');
    else if (tag.name === 'li' && !tag.closing) out.push('\n- ');
    else if (BLOCK.has(tag.name)) out.push('\n');
  }
  return tidied(out.join(''));
}

/** A tag, comment or declaration; `name` is empty for the last two and for a stray bracket. */
function tagAt(html: string, open: number): { name: string; closing: boolean; end: number } {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return { name: '', closing: false, end: end === -1 ? html.length : end + 3 };
  }
  const closing = html[open + 1] === '/';
  let at = open + (closing ? 2 : 1);
  const from = at;
  while (at < html.length && /[a-zA-Z0-9]/.test(html[at]!)) at++;
  const name = html.slice(from, at).toLowerCase();
  let quote = '';
  for (; at < html.length; at++) {
    const each = html[at]!;
    if (quote !== '') {
      if (each === quote) quote = '';
    } else if (each === '>') return { name, closing, end: at + 1 };
    else if ((each === '"' || each === "'") && html[at - 1] === '=') quote = each;
  }
  return { name, closing, end: html.length };
}

/** Behind the closing tag of an element that is not read. */
function endOf(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) continue;
    const end = html.indexOf('>', at);
    return end === -1 ? html.length : end + 1;
  }
  return html.length;
}

function hrefOf(tag: string): string | null {
  const found = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  const value = decoded((found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim());
  return value === '' || value.startsWith('#') || /^javascript:/i.test(value) ? null : value;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '—', ndash: '–', hellip: '…', copy: '©', rsquo: '’', lsquo: '‘', rdquo: '”', ldquo: '“', bull: '•', middot: '·', times: '×', euro: '€' };

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, entity: string) => {
    if (entity[0] !== '#') return NAMED[entity.toLowerCase()] ?? whole;
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/** Spaces around line ends go, and so do empty lines beyond one. */
function tidied(text: string): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const end = line.trimEnd();
    if (end === '' && (kept.length === 0 || kept.at(-1) === '')) continue;
    kept.push(end);
  }
  return kept.join('\n').trimEnd();
}

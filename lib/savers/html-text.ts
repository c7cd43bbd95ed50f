import { isToolResult, type Saver } from './saver';

/** A page that a tool has fetched becomes the text that a reader of it would see. */
export const htmlText: Saver = {
  id: 'html-text',
  label: 'Text of HTML pages',
  promise: 'Turns a tool result that is an HTML document into its text; addresses of links stay.',
  never: 'Results that are no HTML document as a whole; the indentation of what stands in pre.',
  lossless: false,
  keepsJson: false,
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
  const tag = new Tag(html);
  let pre = 0;
  let href: string | null = null;
  let lineStart = true;
  const put = (text: string): void => {
    out.push(text);
    lineStart = text === '' || text.charCodeAt(text.length - 1) === LINE_FEED;
  };
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open !== at) {
      const end = open === -1 ? html.length : open;
      const text = decoded(html.slice(at, end));
      const shown = pre === 0 ? collapsed(text) : text;
      put(pre === 0 && lineStart ? shown.trimStart() : shown);
      at = end;
      continue;
    }
    at = tag.read(open);
    if (tag.name === '') continue;
    if (!tag.closing && UNSEEN.has(tag.name)) {
      at = endOf(html, tag.name, at);
      continue;
    }
    if (tag.name === 'pre') pre = Math.max(0, pre + (tag.closing ? -1 : 1));
    if (tag.name === 'a') {
      if (tag.closing && href !== null) put(` (${href})`);
      href = tag.closing ? null : hrefOf(html.slice(open, at));
    }
    if (tag.name === 'td' || tag.name === 'th') put('\t');
    else if (tag.name === 'li' && !tag.closing) put('\n- ');
    else if (BLOCK.has(tag.name)) put('\n');
  }
  return tidied(out.join(''));
}

const LINE_FEED = 10;

const collapsed = (text: string): string => (/[\t\r\n\f]| {2}/.test(text) ? text.replaceAll(/[ \t\r\n\f]+/g, ' ') : text);

/** A tag, comment or declaration; `name` is empty for the last two and for a stray bracket. */
class Tag {
  name = '';
  closing = false;

  constructor(private readonly html: string) {}

  /** The one that opens here; gives where it ends. */
  read(open: number): number {
    const { html } = this;
    if (html.startsWith('<!--', open)) {
      this.name = '';
      const end = html.indexOf('-->', open + 4);
      return end === -1 ? html.length : end + 3;
    }
    this.closing = html.charCodeAt(open + 1) === SLASH;
    const from = open + (this.closing ? 2 : 1);
    let at = from;
    while (at < html.length && isNamed(html.charCodeAt(at))) at++;
    this.name = html.slice(from, at).toLowerCase();
    return this.close(at);
  }

  /** Behind the bracket that is in no quoted value. */
  private close(from: number): number {
    const { html } = this;
    let quote = 0;
    for (let at = from; at < html.length; at++) {
      const code = html.charCodeAt(at);
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === GREATER) return at + 1;
      else if ((code === DOUBLE || code === SINGLE) && html.charCodeAt(at - 1) === EQUALS) quote = code;
    }
    return html.length;
  }
}

const SLASH = 47;
const GREATER = 62;
const DOUBLE = 34;
const SINGLE = 39;
const EQUALS = 61;

const isNamed = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

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
  if (!/href/i.test(tag)) return null;
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

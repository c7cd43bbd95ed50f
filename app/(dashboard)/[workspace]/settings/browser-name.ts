/** "Chrome on Linux": enough to recognise a session by. Null when the header says neither. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = first(userAgent, BROWSERS);
  const system = first(userAgent, SYSTEMS);
  if (browser === null && system === null) return null;
  return `${browser ?? 'A browser'}${system === null ? '' : ` on ${system}`}`;
}

/** In this order: most browsers also claim to be those further down. */
const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

const first = (text: string, signs: [string, RegExp][]): string | null => signs.find(([, sign]) => sign.test(text))?.[0] ?? null;

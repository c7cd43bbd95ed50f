/** Tells code from prose, line by line: fences of backticks or tildes (CommonMark 0.31, section 4.5), lines that are indented, lines that are quoted. */
export function createLineWalk(): { next(line: string): { verbatim: boolean; fence: boolean } } {
  let fence: { mark: string; length: number } | null = null;
  return {
    next(line) {
      const found = fenceAt(line);
      if (fence !== null) {
        const closes = found !== null && found.mark === fence.mark && found.length >= fence.length && found.bare;
        if (closes) fence = null;
        return { verbatim: true, fence: closes };
      }
      if (found !== null) {
        fence = found;
        return { verbatim: true, fence: true };
      }
      return { verbatim: isIndented(line) || line.startsWith('>'), fence: false };
    },
  };
}

function fenceAt(line: string): { mark: string; length: number; bare: boolean } | null {
  let at = 0;
  while (at < 3 && line[at] === ' ') at++;
  const mark = line[at];
  if (mark !== '`' && mark !== '~') return null;
  let end = at;
  while (line[end] === mark) end++;
  if (end - at < 3) return null;
  return { mark, length: end - at, bare: line.slice(end).trim() === '' };
}

/** Four spaces or a tab before something that is not white space. */
function isIndented(line: string): boolean {
  if (line.charCodeAt(0) !== 9 && !line.startsWith('    ')) return false;
  return line.trim() !== '';
}

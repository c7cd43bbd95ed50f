/**
 * Finds the end of a JSON object that arrives in pieces, without parsing it: for telling whether the arguments of a
 * tool call are whole. Text that begins with anything but `{` has no end.
 */
export class JsonEnd {
  /** The object's closing brace has come. */
  reached = false;
  /** Nothing has come but white space. */
  empty = true;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private odd = false;

  feed(text: string): void {
    if (this.reached || this.odd) return;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.inString) this.inside(code);
      else if (code === QUOTE) this.inString = this.depth > 0;
      else if (code === OPEN || code === OPEN_LIST) this.depth++;
      else if (code === CLOSE || code === CLOSE_LIST) this.depth--;
      if (this.empty && code > SPACE) {
        this.empty = false;
        this.odd = code !== OPEN;
        if (this.odd) return;
      }
      if (this.depth === 0 && !this.empty) {
        this.reached = true;
        return;
      }
    }
  }

  private inside(code: number): void {
    if (this.escaped) this.escaped = false;
    else if (code === BACKSLASH) this.escaped = true;
    else if (code === QUOTE) this.inString = false;
  }
}

const [SPACE, QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x20, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

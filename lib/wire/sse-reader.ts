import { isUtf8 } from 'node:buffer';
import { utf8Text } from '../std';
import { Pieces } from './line-pieces';

export interface SseReaderOptions {
  /** One event with non-empty data; `eventName` is `''` when the event had no `event:` line. */
  onEvent(data: string, eventName: string): void;
  /** An event whose bytes are not UTF-8. It is not given to `onEvent`: no JSON could be trusted in it. */
  onInvalid(): void;
  /**
   * One line that is no SSE field: part of a bare JSON error, of an HTML page, of a proxy's sentence.
   * Line by line, in order, without its line end.
   */
  onStray(line: string): void;
  /** A single event or line outgrew `maxEventBytes`. Called once; the reader holds and reads nothing afterwards. */
  onOverflow(): void;
  /** Bound on one event, bytes. Default 16 MiB. */
  maxEventBytes?: number;
}

export interface SseReader {
  feed(chunk: Buffer): void;
  /**
   * The body ended. A last event without its blank line counts only when it is `[DONE]` or whole JSON;
   * anything else was cut off and is dropped.
   */
  end(): void;
  /** Reads nothing more and lets go of what it holds. Safe inside a callback. */
  close(): void;
  /** Wire bytes kept for an unfinished line and an unfinished event; exact after every call. */
  readonly heldBytes: number;
}

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from bytes as they come off a socket.
 *
 * LF, CRLF and a lone CR end a line, also when a CRLF is cut in two by a read. A leading BOM, comments,
 * `id:`, `retry:`, unknown fields and events without data are dropped; several data lines join with LF.
 * Bytes are cut at line ends only, so a character is never split.
 *
 * Why not eventsource-parser: it takes decoded strings (so each stream needs a decoder that holds bytes of
 * its own), keeps an unfinished line as a string rope whose real size nobody can tell, and silently drops
 * the lines that are no field, where proxies and Gemini put their errors. A gateway that promises to bound
 * what it holds needs the exact number. It serves as the oracle in this reader's tests.
 *
 * The usual read holds many whole `data: {...}` frames: such a part is decoded once and walked with indexOf.
 */
export function createSseReader(options: SseReaderOptions): SseReader {
  return new Reader(options);
}

/** A class because a thousand of them stand open at once: sixteen closures each were a KiB and a half a stream. */
class Reader implements SseReader {
  /** A plain member: asked for at every read. */
  heldBytes = 0;
  private readonly partial = new Pieces();
  private readonly maxEventBytes: number;
  private bomLeft = BOM.length; // bytes of a BOM that may still come
  private skipLineFeed = false; // the last read ended in CR
  private data: string | null = null;
  private dataBytes = 0;
  private eventName = '';
  private usualName = '';
  private invalid = false;
  private done = false;
  private padding = 0; // characters that were dropped
  private relayed = 0; // characters that were handed on

  constructor(private readonly to: SseReaderOptions) {
    this.maxEventBytes = to.maxEventBytes ?? 16 * 1024 * 1024;
  }

  feed(chunk: Buffer): void {
    this.take(chunk);
    this.heldBytes = this.partial.bytes + this.dataBytes;
  }

  end(): void {
    this.finish();
    this.heldBytes = 0;
  }

  close(): void {
    this.done = true;
    this.partial.clear();
    this.forgetEvent();
    this.heldBytes = 0;
  }

  private take(chunk: Buffer): void {
    if (this.done || chunk.length === 0) return;
    if (this.bomLeft > 0) {
      const rest = this.withoutBom(chunk);
      if (rest === null) return;
      chunk = rest;
    }
    if (this.skipLineFeed) {
      this.skipLineFeed = false;
      if (chunk[0] === LF) chunk = chunk.subarray(1);
      if (chunk.length === 0) return;
    }
    const cut = lastLineEnd(chunk) + 1;
    if (cut > 0) {
      const whole = this.partial.bytes === 0 ? chunk.subarray(0, cut) : this.partial.take(chunk.subarray(0, cut));
      this.skipLineFeed = cut === chunk.length && chunk[cut - 1] === CR;
      this.readLines(whole);
      if (this.done) return;
    }
    if (cut === chunk.length) return;
    this.partial.add(cut === 0 ? chunk : chunk.subarray(cut));
    if (this.partial.bytes + this.dataBytes > this.maxEventBytes) this.overflow();
  }

  /** `bytes` ends with a line end. */
  private readLines(bytes: Buffer): void {
    const text = utf8Text(bytes);
    if (text === null) return this.readDoubtfulLines(bytes);
    const mayOverflow = this.dataBytes + bytes.length > this.maxEventBytes;
    let lf = text.indexOf('\n');
    let cr = text.indexOf('\r');
    let at = 0;
    while (at < text.length) {
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at);
      if (cr !== -1 && cr < at) cr = text.indexOf('\r', at);
      const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
      if (cr === -1 && this.data === null && !this.invalid && !mayOverflow && text.charCodeAt(end + 1) === LF && text.startsWith('data:', at)) {
        // The hot path: one whole frame of one line, perhaps behind its name.
        const start = text.charCodeAt(at + 5) === SPACE ? at + 6 : at + 5;
        const name = this.eventName;
        this.eventName = '';
        if (start < end) this.emit(text.slice(start, end), name);
        at = end + 2;
      } else if (cr === -1 && text.startsWith('event:', at)) {
        this.readName(text, text.charCodeAt(at + 6) === SPACE ? at + 7 : at + 6, end);
        this.padding += end - at;
        at = end + 1;
      } else {
        this.readLine(text.slice(at, end), mayOverflow);
        at = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      }
      if (this.done) return;
    }
  }

  /** Nearly every event of a stream has the name of the one before: no new string for it. */
  private readName(text: string, start: number, end: number): void {
    if (end - start !== this.usualName.length || !text.startsWith(this.usualName, start)) {
      const name = text.slice(start, end);
      if (name.length > USUAL_NAME_LENGTH) {
        this.eventName = name;
        return;
      }
      this.usualName = Buffer.from(name).toString(); // a slice would keep the read alive
    }
    this.eventName = this.usualName;
  }

  /** Reads lines one at a time, so that only the events with broken bytes are lost. */
  private readDoubtfulLines(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.done) {
      let end = at;
      while (bytes[end] !== LF && bytes[end] !== CR) end++;
      const line = bytes.subarray(at, end);
      if (!isUtf8(line)) this.invalid = true;
      this.readLine(line.toString(), true);
      at = bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
    }
  }

  private readLine(line: string, mayOverflow: boolean): void {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon !== 4 || !line.startsWith('data')) this.padding += line.length;
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === 'data') return this.addData(valueOf(line, colon), mayOverflow);
    if (field === 'event') {
      this.eventName = valueOf(line, colon);
      return;
    }
    if (mayOverflow && Buffer.byteLength(line) > this.maxEventBytes) return this.overflow();
    if (!isIgnorableField(field, colon !== -1)) this.to.onStray(line);
  }

  private addData(value: string, mayOverflow: boolean): void {
    this.dataBytes += Buffer.byteLength(value) + (this.data === null ? 0 : 1);
    this.data = this.data === null ? value : `${this.data}\n${value}`;
    if (mayOverflow && this.dataBytes > this.maxEventBytes) this.overflow();
  }

  private dispatch(): void {
    const [event, name, broken] = [this.data, this.eventName, this.invalid];
    this.forgetEvent();
    if (broken) return this.to.onInvalid();
    if (event !== null && event !== '') this.emit(event, name);
  }

  /**
   * A slice keeps the whole read alive for as long as somebody holds the event. That is fair while most of a
   * read is events; an upstream that pads its events with comments gets them copied out.
   */
  private emit(event: string, name: string): void {
    this.relayed += event.length;
    this.to.onEvent(this.padding > PADDING_FREE + this.relayed ? Buffer.from(event).toString() : event, name);
  }

  private finish(): void {
    if (this.done) return;
    if (this.partial.bytes > 0) {
      const line = this.partial.take(Buffer.alloc(0));
      if (!isUtf8(line)) this.invalid = true;
      this.readLine(line.toString(), true);
    }
    if (this.done) return;
    const whole = !this.invalid && this.data !== null && (this.data === '[DONE]' || isJson(this.data));
    if (whole) this.dispatch();
    this.close();
  }

  private overflow(): void {
    this.close();
    this.to.onOverflow();
  }

  private forgetEvent(): void {
    this.data = null;
    this.dataBytes = 0;
    this.eventName = '';
    this.invalid = false;
  }

  /** Null while what has come may still turn out to be a BOM. */
  private withoutBom(chunk: Buffer): Buffer | null {
    let at = 0;
    while (this.bomLeft > 0 && at < chunk.length && chunk[at] === BOM[BOM.length - this.bomLeft]) {
      at++;
      this.bomLeft--;
    }
    if (this.bomLeft === 0) return at === chunk.length ? null : chunk.subarray(at);
    if (at === chunk.length) return null;
    const begun = BOM.subarray(0, BOM.length - this.bomLeft); // it was no BOM after all: these bytes count
    this.bomLeft = 0;
    return Buffer.concat([begun, chunk.subarray(at)]);
  }
}

const PADDING_FREE = 65_536;
const USUAL_NAME_LENGTH = 64;
const LF = 10;
const CR = 13;
const SPACE = 32;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function lastLineEnd(chunk: Buffer): number {
  const lf = chunk.lastIndexOf(LF);
  if (lf === chunk.length - 1) return lf;
  const cr = chunk.subarray(lf + 1).lastIndexOf(CR);
  return cr === -1 ? lf : lf + 1 + cr;
}

function valueOf(line: string, colon: number): string {
  if (colon === -1) return '';
  return line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
}

/**
 * `id: 7` and `x-vendor: y` are fields to ignore. `{"error":`, `<html>` and `upstream connect error` are not
 * fields at all; nor is `error: …`, which some servers write in place of an event.
 */
function isIgnorableField(field: string, hasColon: boolean): boolean {
  if (field === 'id' || field === 'retry') return true;
  return hasColon && field !== 'error' && /^[A-Za-z][\w-]*$/.test(field);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer to the question, not a fault
  }
}

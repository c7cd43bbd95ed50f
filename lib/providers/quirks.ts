/** How a vendor differs from the wire it speaks. Data: a preset names them, an adapter obeys them. Empty for most. */
export interface Quirks {
  /** Header that carries the key, where it is not the wire's own. The value is the bare key. */
  keyHeader?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** False: the vendor rejects `stream_options`, or sends usage anyway. */
  streamOptions?: boolean;
}

export const NO_QUIRKS: Quirks = Object.freeze({});

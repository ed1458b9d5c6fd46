/** A content coding that the service can send. */
export type ContentCoding = 'gzip' | 'identity';

/** Below, a compressed copy saves nothing that anyone would notice. */
const SHORTEST = 1_024;
/** A coding and perhaps its weight (RFC 9110, section 12.4.2). */
const ELEMENT = /^\s*([^\s;]+)\s*(?:;\s*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/**
 * The coding of a response of this length, by the client's Accept-Encoding (RFC 9110, section 12.5.3): the one with the
 * higher weight, of equal ones gzip. What cannot be parsed counts as if it were not there. A client that accepts neither gets
 * the response as it is, which the RFC allows (section 12.1).
 */
export function contentCoding(acceptEncoding: string | undefined, byteLength: number): ContentCoding {
  const weights = weightsOf(acceptEncoding ?? '');
  const others = weights.get('*');
  const gzip = weights.get('gzip') ?? others ?? 0;
  const identity = weights.get('identity') ?? others;
  if (gzip === 0) return 'identity';
  if (identity === 0) return 'gzip';
  return byteLength >= SHORTEST && gzip >= (identity ?? 0) ? 'gzip' : 'identity';
}

/** `Vary` also on a response without a coding: another client would have got one. */
export function codingHeaders(coding: ContentCoding): Readonly<Record<string, string>> {
  return { Vary: 'Accept-Encoding', ...(coding !== 'identity' && { 'Content-Encoding': coding }) };
}

function weightsOf(acceptEncoding: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of acceptEncoding.toLowerCase().split(',')) {
    const [, name, weight = 1] = ELEMENT.exec(element) ?? [];
    // RFC 9110, section 8.4.1.3: a recipient takes x-gzip for gzip.
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight));
  }
  return weights;
}

/** A content coding that the service can send. */
export type ContentCoding = 'gzip' | 'identity';

/** Below, a compressed copy saves nothing that anyone would notice. */
const SHORTEST = 1_024;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/i;

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
  for (const element of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = element.split(';').map((text) => text.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (name === '' || weight === undefined) continue;
    // RFC 9110, section 8.4.1.3: a recipient takes x-gzip for gzip.
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}

function weightOf(parameters: readonly string[]): number | undefined {
  const [weight, ...more] = parameters;
  if (weight === undefined) return 1;
  const value = more.length === 0 ? WEIGHT.exec(weight)?.[1] : undefined;
  return value === undefined ? undefined : Number(value);
}

import { childrenOf, required, sequenceOf, type DerElement } from '../../../src/contract/der.ts';

const decoder = new TextDecoder();

/**
 * The fields of a certificate in DER (RFC 5280, section 4.1).
 * @throws {RangeError} when one is missing or malformed
 */
export function certificateFields(bytes: Uint8Array) {
  const [toBeSigned] = sequenceOf(bytes);
  const all = childrenOf(required(toBeSigned));
  // The version, explicitly tagged, may be missing.
  const fields = all[0]?.tag === 0xa0 ? all.slice(1) : all;
  const [notBefore, notAfter] = childrenOf(required(fields[3]));
  return {
    issuer: required(fields[2]),
    notBefore: timeOf(required(notBefore)),
    notAfter: timeOf(required(notAfter)),
    subject: required(fields[4]),
    publicKey: required(fields[5]),
    extensions: fields.find(({ tag }) => tag === 0xa3),
  };
}

/** UTCTime has two digits for the year, GeneralizedTime four; both end in Z (RFC 5280, 4.1.2.5). */
function timeOf({ tag, content }: DerElement): Date {
  const digits = decoder.decode(content);
  const year = tag === 0x17 ? `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}` : digits;
  const [, y = '', m = '', d = '', h = '', min = '', s = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year) ?? [];
  const time = new Date(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError('time');
  return time;
}

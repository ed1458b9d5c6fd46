import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeToken, encodeToken, ID_BYTES, digestOf } from '../../../../src/secrets/memory/page-token.ts';

const token = () => ({
  id: randomBytes(ID_BYTES),
  offset: 4_294_967_295,
  state: digestOf('state'),
  query: digestOf('query'),
  access: digestOf('access'),
});

describe('the token of a page', () => {
  it('comes back as it was made', () => {
    const made = token();
    expect(encodeToken(made)).toMatch(/^[A-Za-z0-9_-]{60}$/);
    expect(decodeToken(encodeToken(made))).toEqual(made);
  });

  it('is nothing that was made otherwise', () => {
    const text = encodeToken(token());
    for (const other of ['', text.slice(1), `${text}A`, ` ${text}`, `${text}\n`, `${text.slice(0, -1)}=`]) {
      expect(decodeToken(other), other).toBeUndefined();
    }
    const format = Buffer.from(text, 'base64url');
    format[0] = 2;
    expect(decodeToken(format.toString('base64url'))).toBeUndefined();
  });

  it('is never an error, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        decodeToken(text);
      }),
    );
  });

  it('has digests that differ for different texts, however these are divided', () => {
    expect(digestOf('a', 'b')).not.toEqual(digestOf('ab'));
    expect(digestOf('a', 'b')).not.toEqual(digestOf('b', 'a'));
    expect(digestOf('a,b')).not.toEqual(digestOf('a', 'b'));
  });
});

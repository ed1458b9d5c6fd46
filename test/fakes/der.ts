/** DER (X.690), written by hand. */
export function der(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  if (length < 0x100) return Buffer.of(0x81, length);
  if (length < 0x10000) return Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.of(0x83, length >> 16, (length >> 8) & 0xff, length & 0xff);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** A positive integer, most significant byte first. */
export function integer(bytes: Buffer): Buffer {
  return der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

export function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

/** A bit string of whole bytes. */
export function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.of(0), content]));
}

export function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

export function pem(label: string, bytes: Buffer): string {
  const lines = (bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

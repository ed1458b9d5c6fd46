export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

/** What a PEM text holds. Neither part when it is not PEM. */
export interface PemParts {
  readonly certificates: string | undefined;
  readonly privateKey: string | undefined;
}

/** The certificates and the private key of a PEM text; one that holds a single kind stays whole, byte for byte. */
export function pemPartsOf(text: string): PemParts {
  const blocks = blocksOf(text);
  const isCertificate = ({ label }: PemBlock) => label.endsWith('CERTIFICATE');
  const ofKey = ({ label }: PemBlock) => label.endsWith('PRIVATE KEY') || label === 'EC PARAMETERS';
  const hasKey = blocks.some(({ label }) => label.endsWith('PRIVATE KEY'));
  const hasCertificate = blocks.some(isCertificate);
  if (!hasKey || !hasCertificate) {
    return { certificates: hasCertificate ? text : undefined, privateKey: hasKey ? text : undefined };
  }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const join = (part: readonly PemBlock[]) => part.map((block) => block.text + lineEnd).join('');
  return { certificates: join(blocks.filter(isCertificate)), privateKey: join(blocks.filter(ofKey)) };
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';

export function blocksOf(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let start = text.indexOf(BEGIN); start >= 0;) {
    const labelEnd = text.indexOf(DASHES, start + BEGIN.length);
    const label = text.slice(start + BEGIN.length, labelEnd);
    const footer = `-----END ${label}-----`;
    const end = text.indexOf(footer, labelEnd);
    // What begins and does not end makes the rest unreadable.
    if (labelEnd < 0 || end < 0) break;
    blocks.push({ label, text: text.slice(start, end + footer.length) });
    start = text.indexOf(BEGIN, end);
  }
  return blocks;
}

import { pemBlocks, type PemBlock } from '../../../src/contract/pem.ts';

/** What a PEM text holds. Neither part when it is not PEM. */
export interface PemParts {
  readonly certificates: string | undefined;
  readonly privateKey: string | undefined;
}

/** The certificates and the private key of a PEM text; one that holds a single kind stays whole, byte for byte. */
export function pemPartsOf(text: string): PemParts {
  const blocks = [...pemBlocks(text)];
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

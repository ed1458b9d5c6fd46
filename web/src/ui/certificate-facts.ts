import { formatNumber } from '../values/format.ts';
import type { Certificate } from '../values/certificate.ts';
import type { Fact } from './facts.tsx';

/** Names that are shown; a certificate can have thousands. */
const MAX_NAMES = 50;

/** Whose certificate it is, and who says so. */
export function certificateFacts({ subject, issuer, names }: Certificate): readonly Fact[] {
  const more = names.length - MAX_NAMES;
  const shown = [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])];
  return [
    { term: 'Issued to', description: subject === '' ? '(no subject)' : subject },
    ...(names.length > 0 ? [{ term: 'Names', description: shown.join(', ') }] : []),
    { term: 'Issued by', description: issuer },
  ];
}

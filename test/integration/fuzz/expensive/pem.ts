import { pem as plainPem } from '../../../fakes/der.ts';
import type { Choices } from '../random.ts';
import type { Described } from './keys.ts';

/** PEM (RFC 7468), mostly as programs write it, and otherwise as none should. */
export function pem({ pick }: Choices, { label, der }: Pick<Described, 'label' | 'der'>): string {
  const [plain, base64] = [plainPem(label, der), der.toString('base64')];
  const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
  return pick([
    ...Array.from({ length: 6 }, () => () => plain),
    () => plain.replaceAll('\n', '\r\n'),
    () => `${begin}\n${base64}\n${end}`,
    () => `${begin}\n${Array.from(base64).join('\n')}\n${end}\n`,
    () => plain.replaceAll('\n', ' \t\n '),
    () => plain.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n'),
    () => '-----BEGIN '.repeat(5_000) + plain,
    () => `${begin}\n${end}\n`.repeat(900) + plain,
    () => '\n'.repeat(30_000) + plain,
    () => plain.replace(end, ''),
  ])();
}

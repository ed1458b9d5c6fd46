import { useMemo } from 'react';
import { certificateFacts } from '../../ui/certificate-facts.ts';
import { DueLabel } from '../../ui/due-label.tsx';
import { Facts } from '../../ui/facts.tsx';
import { certificatesOf } from '../../values/certificate.ts';
import { counted } from '../../values/format.ts';
import { certificateBlocks, keyState, type KeyState } from '../../values/tls-check.ts';
import { isStored, type Value } from '../../values/value.ts';

export interface CertificateNotesProps {
  /** What was typed, or read from a file. */
  readonly text: string;
  /** The key that is to fit; empty where none is expected or filled in. */
  readonly privateKey: Value;
}

const KEY_TEXTS: Readonly<Record<KeyState, string>> = {
  matches: 'fits this certificate',
  differs: 'is not the key of this certificate',
  unknown: 'cannot be compared here; the service compares it when you save',
  unreadable: 'cannot be read here',
  encrypted: 'is encrypted, so it cannot be compared',
};

/** What the certificates of a field say of themselves, and whether the key fits. It stops no one from saving. */
export function CertificateNotes({ text, privateKey }: CertificateNotesProps) {
  const blocks = useMemo(() => certificateBlocks(text), [text]);
  const [certificate] = useMemo(() => certificatesOf(blocks[0]?.text ?? ''), [blocks]);
  const key = useMemo(() => keyText(text, privateKey), [text, privateKey]);
  // The region stays, so that what appears in it is announced.
  return (
    <div role="status" className="certificate-notes">
      {text !== '' && certificate === undefined && (
        <p className="hint">No certificate (PEM) can be read at the beginning.</p>
      )}
      {certificate !== undefined && (
        <Facts
          label="Certificate"
          facts={[
            ...certificateFacts(certificate),
            {
              term: 'Validity',
              description: (
                <DueLabel due={{ kind: 'certificate', at: certificate.notAfter.getTime() }} isAlwaysShown />
              ),
            },
            ...(key === undefined ? [] : [{ term: 'Private key', description: key }]),
            ...(blocks.length < 2
              ? []
              : [{ term: 'In total', description: counted(blocks.length, 'certificate') }]),
          ]}
        />
      )}
    </div>
  );
}

function keyText(certificate: string, key: Value): string | undefined {
  if (key === '') return undefined;
  if (isStored(key)) return 'stays as it is; the service compares it when you save';
  return KEY_TEXTS[typeof key === 'string' ? keyState(key, certificate) : 'unreadable'];
}

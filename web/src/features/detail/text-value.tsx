import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Mask, Masked, RevealButton } from '../../ui/masked.tsx';
import { ShownValue } from '../../ui/shown-value.tsx';
import { useReveal } from '../../ui/use-reveal.ts';
import { When } from '../../ui/when.tsx';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import { certificatesOf, type Certificate } from '../../values/certificate.ts';
import { formatNumber } from '../../values/format.ts';
import { linesOf } from '../../values/excerpt.ts';
import { formatJson } from '../../values/json-layout.ts';
import { OVERRIDING, registriesOf, type Registry } from '../../values/registries.ts';
import { unseenNotes } from '../../values/unseen.ts';

/** A text value: masked, with what can be said of it without showing it. */
export function TextValue({ name, value }: { readonly name: string; readonly value: string }) {
  const { shown, toggle } = useReveal();
  const certificates = certificatesOf(value);
  const registries = registriesOf(name, value);
  const lines = linesOf(value);
  const facts = [
    formatBytes(utf8Bytes(value)),
    ...(lines > 1 ? [`${formatNumber(lines)} lines`] : []),
    ...unseenNotes(value),
  ];
  return (
    <li className="value-card">
      <div className="value-head">
        <h3>{name}</h3>
        <span className="value-size">{facts.join(', ')}</span>
        <span className="value-actions">
          <RevealButton shown={shown} of={name} onClick={toggle} />
          <CopyButton value={value} of={name} />
        </span>
      </div>
      {shown ? <Revealed name={name} value={value} /> : <Mask />}
      {certificates.map((certificate) => (
        <CertificateFacts
          key={`${certificate.subject} ${certificate.notAfter.toISOString()}`}
          certificate={certificate}
        />
      ))}
      {registries !== undefined && <Registries registries={registries} />}
    </li>
  );
}

function Revealed({ name, value }: { readonly name: string; readonly value: string }) {
  const [pretty, setPretty] = useState(false);
  const formatted = useMemo(() => formatJson(value), [value]);
  const shown = pretty ? (formatted ?? value) : value;
  return (
    <>
      <ShownValue key={String(pretty)} value={shown} of={name} />
      {formatted !== undefined && formatted !== value && (
        <Button variant="link" isInline onClick={() => setPretty((now) => !now)}>
          {pretty ? 'Show as it is stored' : 'Show as formatted JSON'}
        </Button>
      )}
    </>
  );
}

function CertificateFacts({ certificate }: { readonly certificate: Certificate }) {
  const { subject, issuer, notBefore, notAfter, names } = certificate;
  const expired = notAfter.getTime() < Date.now();
  return (
    <dl className="facts" aria-label="Certificate">
      <dt>Certificate for</dt>
      <dd>{subject === '' ? '(no subject)' : subject}</dd>
      {names.length > 0 && (
        <>
          <dt>Names</dt>
          <dd>{names.join(', ')}</dd>
        </>
      )}
      <dt>Issued by</dt>
      <dd>{issuer}</dd>
      <dt>Valid</dt>
      <dd className={expired ? 'expired' : undefined}>
        <When time={notBefore.toISOString()} /> to <When time={notAfter.toISOString()} />
        {expired ? ' (expired)' : ''}
      </dd>
    </dl>
  );
}

function Registries({ registries }: { readonly registries: readonly Registry[] }) {
  return (
    <ul className="registries" aria-label="Registries">
      {registries.map(({ server, username, password, isOverriding }) => (
        <li key={server}>
          <dl className="facts">
            <dt>Registry</dt>
            <dd>{server}</dd>
            <dt>User name</dt>
            <dd>{username}</dd>
            <dt>Password</dt>
            <dd>
              <Masked value={password} of={`the password of ${server}`} bare />
            </dd>
          </dl>
          {isOverriding === true && <p className="expired">{OVERRIDING}</p>}
        </li>
      ))}
    </ul>
  );
}

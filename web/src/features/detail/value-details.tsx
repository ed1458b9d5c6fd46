import { When } from '../../ui/when.tsx';
import { Masked } from '../../ui/masked.tsx';
import { certificatesOf, type Certificate } from '../../values/certificate.ts';
import { OVERRIDING, registriesOf, type Registry } from '../../values/registries.ts';

interface ValueDetailsProps {
  readonly name: string;
  readonly value: string;
}

/** Whether more can be said of a value without showing it. */
export function hasDetails(name: string, value: string): boolean {
  return value.includes('-----BEGIN CERTIFICATE-----') || registriesOf(name, value) !== undefined;
}

/** Certificates, and registries with their passwords masked. */
export function ValueDetails({ name, value }: ValueDetailsProps) {
  const registries = registriesOf(name, value);
  return (
    <div className="value-details">
      {certificatesOf(value).map((certificate) => (
        <CertificateFacts
          key={`${certificate.subject} ${certificate.notAfter.toISOString()}`}
          certificate={certificate}
        />
      ))}
      {registries !== undefined && <Registries registries={registries} />}
    </div>
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

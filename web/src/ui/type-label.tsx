import BoxIcon from '@patternfly/react-icons/dist/esm/icons/box-icon';
import CertificateIcon from '@patternfly/react-icons/dist/esm/icons/certificate-icon';
import CubesIcon from '@patternfly/react-icons/dist/esm/icons/cubes-icon';
import IdCardIcon from '@patternfly/react-icons/dist/esm/icons/id-card-icon';
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/key-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import RobotIcon from '@patternfly/react-icons/dist/esm/icons/robot-icon';
import type { ComponentType } from 'react';
import { builtInName, isBootstrapToken } from '../../../src/contract/secret-types.ts';

interface Kind {
  readonly label: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
}

const BUILT_IN: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['basic-auth', { label: 'Basic auth', Icon: IdCardIcon }],
  ['ssh-auth', { label: 'SSH key', Icon: KeyIcon }],
  ['tls', { label: 'TLS', Icon: CertificateIcon }],
  ['dockerconfigjson', { label: 'Registry', Icon: CubesIcon }],
  ['dockercfg', { label: 'Registry', Icon: CubesIcon }],
  ['service-account-token', { label: 'Service account', Icon: RobotIcon }],
]);
const BOOTSTRAP: Kind = { label: 'Bootstrap token', Icon: RobotIcon };
const HELM: Kind = { label: 'Helm release', Icon: BoxIcon };

function kindOf(type: string): Kind {
  if (isBootstrapToken(type)) return BOOTSTRAP;
  if (type === 'helm.sh/release.v1') return HELM;
  // What the cluster does not know has no words here: it is shown as it is.
  return BUILT_IN.get(builtInName(type) ?? '') ?? { label: type, Icon: LockIcon };
}

/** A type in a word; the exact one when the pointer rests on it. */
export function TypeLabel({ type }: { readonly type: string }) {
  const { label, Icon } = kindOf(type);
  return (
    <span title={type}>
      <Icon className="type-icon" />
      {label}
    </span>
  );
}

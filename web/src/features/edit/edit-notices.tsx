import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { LinkButton } from '../../ui/link-button.tsx';

interface NoticeProps {
  /** The path of the Secret. */
  readonly here: string;
}

/** The service writes nothing of such a Secret, so there is no form to fill in. */
export function TokenNotice({ here }: NoticeProps) {
  return (
    <NoForm here={here} title="The cluster manages this token">
      Service account tokens can be deleted here, but not changed.
    </NoForm>
  );
}

/** For those who come by a link: the Secret itself offers no edit to them. */
export function ReadOnlyNotice({ here }: NoticeProps) {
  return (
    <NoForm here={here} title="You can read this Secret, but not change it">
      The Access tab shows who can change it, or give you access.
    </NoForm>
  );
}

function NoForm({
  here,
  title,
  children,
}: NoticeProps & { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <Alert isInline variant="info" component="h2" title={title}>
        <p>{children}</p>
      </Alert>
      <div className="actions form-end">
        <LinkButton to={here}>Back to the Secret</LinkButton>
      </div>
    </>
  );
}

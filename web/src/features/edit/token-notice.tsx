import { Alert } from '@patternfly/react-core';
import { LinkButton } from '../../ui/link-button.tsx';

/** The service writes nothing of such a Secret, so there is no form to fill in. */
export function TokenNotice({ here }: { readonly here: string }) {
  return (
    <>
      <Alert isInline variant="info" component="h2" title="The cluster manages this token">
        <p>Service account tokens can be deleted here, but not changed.</p>
      </Alert>
      <div className="actions form-end">
        <LinkButton to={here}>Back to the Secret</LinkButton>
      </div>
    </>
  );
}

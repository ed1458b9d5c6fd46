import { Alert } from '@patternfly/react-core';
import { LinkButton } from '../../ui/link-button.tsx';
import { COMMON_WORDS } from '../../words/common.ts';

/** The service writes nothing of such a Secret, so there is no form to fill in. */
export function TokenNotice({ here }: { readonly here: string }) {
  return (
    <>
      <Alert isInline variant="info" component="h2" title={COMMON_WORDS.tokenTitle}>
        <p>{COMMON_WORDS.tokenBody}</p>
      </Alert>
      <div className="actions form-end">
        <LinkButton to={here}>{COMMON_WORDS.backToSecret}</LinkButton>
      </div>
    </>
  );
}

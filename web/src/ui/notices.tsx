import { Alert, AlertActionCloseButton, AlertActionLink, AlertGroup } from '@patternfly/react-core';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { useSessionWatch } from '../api/session-watch.ts';
import { useDirty } from './dirty-forms.ts';
import { SlowWrite } from './slow.tsx';
import { LinkButton } from './link-button.tsx';

const SHOWN_MS = 8_000;
/** With something to do in it. Under the pointer, with the focus and behind the end of the session it stays. */
const OFFERED_MS = 10_000;

export interface NoticeOptions {
  readonly variant?: 'success' | 'warning';
  /** The notice stays until it is done. It must not reject. */
  readonly action?: { readonly label: string; readonly run: () => Promise<void> };
  readonly link?: { readonly label: string; readonly to: string };
}

interface Notice extends NoticeOptions {
  readonly id: number;
  readonly text: string;
}

export type Notify = (text: string, options?: NoticeOptions) => void;

const NoticeContext = createContext<Notify>(() => undefined);

/** Shows that something has been done; read out by screen readers, removed after a while. */
export const useNotify = (): Notify => useContext(NoticeContext);

export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const close = (id: number) => setNotices((all) => all.filter((one) => one.id !== id));
  const notify = useCallback<Notify>(
    (text, options = {}) =>
      setNotices((all) => [...all, { ...options, id: Math.max(0, ...all.map(({ id }) => id)) + 1, text }]),
    [],
  );
  return (
    <NoticeContext value={notify}>
      {children}
      <AlertGroup isToast isLiveRegion className="notices">
        {notices.map((notice) => (
          <Toast key={notice.id} notice={notice} onClose={() => close(notice.id)} />
        ))}
      </AlertGroup>
    </NoticeContext>
  );
}

interface ToastProps {
  readonly notice: Notice;
  readonly onClose: () => void;
}

function Toast({ notice: { text, variant = 'success', action, link }, onClose }: ToastProps) {
  const [isBusy, setBusy] = useState(false);
  const { isEnded } = useSessionWatch();
  useDirty(isBusy, 'sent');
  const run = async () => {
    setBusy(true);
    await action?.run();
    onClose();
  };
  const isOffer = action !== undefined || link !== undefined;
  return (
    <Alert
      variant={variant}
      component="p"
      title={text}
      timeout={isBusy || isEnded ? false : isOffer ? OFFERED_MS : SHOWN_MS}
      onTimeout={onClose}
      actionClose={<AlertActionCloseButton onClose={onClose} />}
      actionLinks={
        isOffer && (
          <>
            {action !== undefined && (
              <AlertActionLink isDisabled={isBusy} isLoading={isBusy} onClick={() => void run()}>
                {action.label}
              </AlertActionLink>
            )}
            {link !== undefined && (
              <LinkButton to={link.to} variant="link">
                {link.label}
              </LinkButton>
            )}
          </>
        )
      }
    >
      {action !== undefined && <SlowWrite isBusy={isBusy} />}
    </Alert>
  );
}

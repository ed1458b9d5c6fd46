import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';

const SHOWN_MS = 8_000;

interface Notice {
  readonly id: number;
  readonly text: string;
}

const NoticeContext = createContext<(text: string) => void>(() => undefined);

/** Shows that something has been done; read out by screen readers, removed after a while. */
export function useNotify(): (text: string) => void {
  return useContext(NoticeContext);
}

export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const close = useCallback((id: number) => setNotices((all) => all.filter((one) => one.id !== id)), []);
  const notify = useCallback(
    (text: string) =>
      setNotices((all) => [...all, { id: Math.max(0, ...all.map(({ id }) => id)) + 1, text }]),
    [],
  );
  const group = useMemo(
    () => (
      <AlertGroup isToast isLiveRegion>
        {notices.map(({ id, text }) => (
          <Alert
            key={id}
            variant="success"
            component="p"
            title={text}
            timeout={SHOWN_MS}
            onTimeout={() => close(id)}
            actionClose={<AlertActionCloseButton onClose={() => close(id)} />}
          />
        ))}
      </AlertGroup>
    ),
    [notices, close],
  );
  return (
    <NoticeContext value={notify}>
      {children}
      {group}
    </NoticeContext>
  );
}

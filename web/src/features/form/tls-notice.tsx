import { useMemo } from 'react';
import type { Row } from '../../editing/draft.ts';
import { builtInName } from '../../../../src/contract/secret-types.ts';
import { useNow } from '../../ui/use-now.ts';
import { WarningList } from '../../ui/warning-list.tsx';
import { tlsTexts } from '../../values/tls-check.ts';

const KEYS = ['tls.crt', 'tls.key', 'ca.crt'];

export interface TlsNoticeProps {
  readonly type: string;
  readonly rows: readonly Row[];
}

/** Warns of a certificate and a key that will hardly work, once both are filled in. It stops no one from saving. */
export function TlsNotice({ type, rows }: TlsNoticeProps) {
  const now = useNow();
  const [cert = '', key = '', ca = ''] = KEYS.map((name) => {
    const value = rows.find((row) => row.key === name)?.value;
    return typeof value === 'string' ? value : '';
  });
  const isComplete = builtInName(type) === 'tls' && cert !== '' && key !== '';
  const texts = useMemo(() => {
    const values = [cert, key, ca].map((value, at) => [KEYS[at] ?? '', value] as const);
    return isComplete ? tlsTexts(new Map(values), now) : [];
  }, [isComplete, cert, key, ca, now]);
  return <WarningList texts={texts} isLive />;
}

import { Button } from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { lazy, Suspense, useEffect } from 'react';
import { useNamespaceInAddress } from '../paths.ts';
import { loadCode } from './load-code.ts';

const loadDialog = async () => (await import('../features/search/search-dialog.tsx')).SearchDialog;
const SearchDialog = lazy(async () => ({
  default: await loadCode('search', loadDialog, () => window.location.pathname),
}));

/** The code of the screen comes first, and this before anyone searches. */
const LOAD_AFTER_MS = 1_500;

export interface SearchProps {
  /** What is searched for; undefined while the search is closed. */
  readonly text: string | undefined;
  readonly onTextChange: (text: string | undefined) => void;
}

/** The button in the bar, and the search that it opens over the page. */
export function Search({ text, onTextChange }: SearchProps) {
  const namespace = useNamespaceInAddress();
  useEffect(() => {
    // What fails now is loaded again, with its error, when the search is opened.
    const timer = window.setTimeout(() => void loadDialog().catch(() => undefined), LOAD_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <Button
        variant="control"
        className="search-button"
        aria-label="Search everything"
        onClick={() => onTextChange('')}
      >
        <span className="search-button-line">
          <SearchIcon />
          <span className="search-button-text">Search everything</span>
          <kbd aria-hidden className="search-button-text">
            /
          </kbd>
        </span>
      </Button>
      {text !== undefined && (
        <Suspense fallback={null}>
          <SearchDialog namespace={namespace} initial={text} onClose={() => onTextChange(undefined)} />
        </Suspense>
      )}
    </>
  );
}

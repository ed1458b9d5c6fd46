import { Link, useLocation, useParams } from 'react-router';
import { listPath } from '../paths.ts';

/** One step up from where something could not be shown, so that no one is stuck. */
export function WayUp() {
  const { pathname } = useLocation();
  const { namespace, name } = useParams();
  if (pathname === '/') return null;
  const isSecret = namespace !== undefined && name !== undefined;
  if (isSecret) return <Link to={listPath(namespace)}>Show Secrets in {namespace}</Link>;
  return <Link to="/">Show namespaces</Link>;
}

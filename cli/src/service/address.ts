import { usage } from '../failure.ts';

/**
 * The origin of a service, as https; plain http on loopback alone, since a token would be read on its way.
 * @throws {Failure}
 */
export function parseAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usage('the address of the service is no URL', 'It looks like https://secrets.example.com.');
  }
  const isPlain = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isPlain) {
    throw usage('the address of the service must begin with https://', 'Plain http works on loopback only.');
  }
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw usage('the address of the service has more than a host and a port');
  }
  return url.origin;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

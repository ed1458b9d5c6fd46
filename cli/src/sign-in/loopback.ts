import { timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';

export interface CodeListener {
  readonly port: number;
  /** The code that the browser brings. @throws {Failure} when the person cancels, or does nothing for ten minutes */
  readonly code: Promise<string>;
  /** Once the browser has the page that says that it is done. */
  close(): Promise<void>;
}

const LAST_PAGE_MS = 1_000;
const LIMIT_MS = 600_000;

/**
 * Listens on loopback until the browser brings a code (RFC 8252, section 7.3). What does not have the state of this sign-in is
 * refused, and another one may still come.
 */
export async function listenForCode(state: string): Promise<CodeListener> {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>();
  const lastPage = Promise.withResolvers<undefined>();
  const server = createServer({ maxHeaderSize: 32_768 }, ({ method, url = '/', headers }, response) => {
    const { port } = server.address() as AddressInfo;
    const target = URL.parse(url, 'http://127.0.0.1');
    if (target?.pathname === '/done') {
      response.once('close', () => {
        lastPage.resolve(undefined);
      });
      answer(response, 200, 'You are signed in. You can close this page.');
    } else if (method !== 'GET' || target?.pathname !== '/' || headers.host !== `127.0.0.1:${port}`)
      answer(response, 404, 'Nothing is here.');
    else if (!isSame(target.searchParams.get('state') ?? '', state))
      answer(response, 400, 'This is not of the sign-in that was started.');
    else if (target.searchParams.get('code') === null) {
      response.once('close', () => {
        lastPage.resolve(undefined);
      });
      answer(response, 200, 'The sign-in was cancelled. You can close this page.');
      reject(new Failure('signedOut', 'the sign-in was cancelled in the browser'));
    } else {
      // The code does not stay in the address of the page.
      response
        .writeHead(303, { location: '/done', connection: 'close', 'referrer-policy': 'no-referrer' })
        .end();
      resolve(target.searchParams.get('code') ?? '');
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const timer = setTimeout(() => {
    reject(new Failure('signedOut', 'no one signed in within ten minutes'));
  }, LIMIT_MS);
  return {
    ...{ port: (server.address() as AddressInfo).port, code },
    async close() {
      clearTimeout(timer);
      await Promise.race([lastPage.promise, sleep(LAST_PAGE_MS, undefined, { ref: false })]);
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  };
  response.writeHead(status, { ...headers, 'content-security-policy': "default-src 'none'" });
  response.end(`<!doctype html><html lang="en"><title>secretsctl</title><p>${text}</p></html>\n`);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

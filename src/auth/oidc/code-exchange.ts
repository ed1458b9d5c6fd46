import type { ClaimDocuments } from './claims.ts';
import type { LoginFailure, UserInfoState } from './login-failure.ts';
import { createLoginClient, type LoginClientOptions } from './login-client.ts';
import type { Transaction } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';

export interface CodeExchange extends LoginClientOptions {
  /** The configured redirect URI with the callback's parameters: what the provider redirected to. */
  readonly callback: URL;
  readonly transaction: Transaction;
}

/** What the provider says about the user: the validated ID token, and UserInfo if it was read. */
export interface ExchangedCode {
  /** Kept apart, because each counts for its own email only. */
  readonly documents: ClaimDocuments;
  readonly userInfo: UserInfoState;
  /** Why UserInfo failed. */
  readonly userInfoFailure?: LoginFailure;
}

/**
 * Redeems the code and reads UserInfo, which is optional by contract: if it fails, only the claims of the ID token are
 * used.
 * @throws {LoginFailure}
 */
export async function exchangeCode(exchange: CodeExchange): Promise<ExchangedCode> {
  const provider = await createLoginClient(exchange);
  const tokens = await provider.redeem(exchange.callback, exchange.transaction);
  const { idToken } = tokens;
  try {
    const userInfo = await provider.readUserInfo(tokens);
    return { documents: { idToken, userInfo }, userInfo: userInfo === undefined ? 'none' : 'used' };
  } catch (error) {
    const failure = translateFailure(error);
    if (failure.code === 'subject_mismatch') throw failure;
    return { documents: { idToken }, userInfo: 'failed', userInfoFailure: failure };
  }
}

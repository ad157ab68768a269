import { randomUUID } from 'node:crypto'

/** What a token, or the code it is given for, stands for. */
export interface Grant {
  client_id: string
  scope: string
  resource: string | undefined
}

export interface CodeGrant extends Grant {
  code_challenge: string
  redirect_uri: string
}

/** An access token that was given out. */
export interface IssuedToken extends Grant {
  /** Seconds. */
  expires_in: number
}

/** Codes and tokens that were given out and have not been used up, revoked or expired. */
export interface Issued {
  code(grant: CodeGrant): string
  /** A code is good once. */
  takeCode(code: string): CodeGrant | undefined
  access(token: IssuedToken): string
  refresh(grant: Grant): string
  /** What an access token is good for. */
  findAccess(token: string): IssuedToken | undefined
  findRefresh(token: string): Grant | undefined
  revoke(token: string): void
  revokeAll(kind: 'access' | 'refresh'): void
}

export type SecretKind = 'code' | 'access' | 'refresh' | 'client_secret'

export function createIssued(createSecret: (kind: SecretKind) => string): Issued {
  const codes = new Map<string, CodeGrant>()
  const tokens = { access: new Map<string, IssuedToken>(), refresh: new Map<string, Grant>() }

  function keep<T>(map: Map<string, T>, kind: SecretKind, value: T): string {
    const secret = createSecret(kind)
    map.set(secret, value)
    return secret
  }

  return {
    code: (grant) => keep(codes, 'code', grant),
    takeCode(code) {
      const grant = codes.get(code)
      codes.delete(code)
      return grant
    },
    access: (token) => keep(tokens.access, 'access', token),
    refresh: (grant) => keep(tokens.refresh, 'refresh', grant),
    findAccess: (token) => tokens.access.get(token),
    findRefresh: (token) => tokens.refresh.get(token),
    revoke(token) {
      tokens.access.delete(token)
      tokens.refresh.delete(token)
    },
    revokeAll: (kind) => tokens[kind].clear(),
  }
}

/** A secret nobody has seen before, that says what it is. */
export function createSecret(kind: SecretKind): string {
  return `${kind}-${randomUUID()}`
}

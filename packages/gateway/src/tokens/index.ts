export {
  type CodeContent,
  type NewSession,
  prefixes,
  type Redeemed,
  type Scope,
  scopes,
  type TokenSession,
  type Tokens,
} from './contract.ts'
export { createTokens } from './tokens.ts'

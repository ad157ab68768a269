export { type Authorizers, createAuthorizers } from './authorizers.ts'
export type { OAuthOptions, SignInRef, SignInRow, SignInRows, SignIns } from './contract.ts'
export { createSignIns } from './sign-ins.ts'

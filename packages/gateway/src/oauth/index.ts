export { coversEndpoint } from './addresses.ts'
export type { OAuthServer, People } from './contract.ts'
export { createOAuthServer } from './oauth-server.ts'
export type { OAuthServerOptions } from './options.ts'

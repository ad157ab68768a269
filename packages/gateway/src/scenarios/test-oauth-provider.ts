import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'

/** What a program keeps of its sign-in, as both lines of the SDK want it. */
export interface TestProvider extends OAuthClientProvider {
  /** How often a person was asked. */
  asked: number
  /** The address that the window ended at, with the code. */
  callback: URLSearchParams
}

/** `authorize` plays the person at the consent page. */
export function createProvider(authorize: (url: string) => Promise<string>): TestProvider {
  const redirectUrl = 'http://127.0.0.1:7777/callback'
  let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  let verifier = ''
  const provider: TestProvider = {
    ...{ asked: 0, callback: new URLSearchParams(), redirectUrl },
    clientMetadata: {
      client_name: 'An SDK',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    async redirectToAuthorization(url) {
      provider.asked += 1
      provider.callback = new URL(await authorize(url.href)).searchParams
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
  }
  return provider
}

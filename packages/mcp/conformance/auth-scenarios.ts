import {
  type Authorizer,
  createClientCredentialsAuthorizer,
  createHttpTransport,
  createJwtBearerAuthorizer,
  createOAuthAuthorizer,
  isMcpError,
  type OAuthAuthorizer,
  type OAuthAuthorizerOptions,
  openClient,
  requestIdJag,
} from '../src/index.ts'
import { signInAsPerson } from './person.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { egress } from './way-out.ts'

const redirectUrl = 'http://localhost:3000/callback'
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'

/** A person signs in whenever the server wants it, as often as it makes sense. */
const signIn =
  (toOptions: (context: ScenarioContext) => Partial<OAuthAuthorizerOptions>): Scenario =>
  async ({ url, context }) => {
    const options = { serverUrl: url, egress, redirectUrl, ...toOptions(context) }
    const authorizer = createOAuthAuthorizer(options)
    await signedIn(authorizer, () => listAndCall(url, authorizer))
  }

const withDocument = signIn(() => ({ clientMetadataUrl }))

/** A service acts for itself. */
const service =
  (toAuthorizer: (url: string, context: ScenarioContext) => Authorizer): Scenario =>
  ({ url, context }) =>
    listAndCall(url, toAuthorizer(url, context))

async function listAndCall(url: string, authorizer: Authorizer): Promise<void> {
  const createTransport = () => createHttpTransport({ url, egress, authorizer })
  const { client } = await openClient({ createTransport })
  await using _ = client
  await client.listTools()
  await client.callTool('test-tool')
}

/** Does `work` again for every sign-in that it asked for. What is refused for good ends it. */
async function signedIn(authorizer: OAuthAuthorizer, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isMcpError(error, 'sign_in')) throw error
    await signInAsPerson(authorizer, `${error.data?.authorizationUrl}`)
    await signedIn(authorizer, work)
  }
}

const clientOf = ({ client_id = '', client_secret = '' }: ScenarioContext) => ({
  client_id,
  client_secret,
})

const byKey = service((serverUrl, { client_id = '', private_key_pem = '', signing_algorithm }) =>
  createClientCredentialsAuthorizer({
    serverUrl,
    egress,
    client: {
      client_id,
      private_key: private_key_pem,
      ...(signing_algorithm !== undefined && { algorithm: signing_algorithm }),
    },
  }),
)

const bySecret = service((serverUrl, context) =>
  createClientCredentialsAuthorizer({ serverUrl, egress, client: clientOf(context) }),
)

const byIdentityProvider = service((serverUrl, context) =>
  createJwtBearerAuthorizer({
    serverUrl,
    egress,
    client: clientOf(context),
    assertion: (request) =>
      requestIdJag({
        ...request,
        egress,
        tokenEndpoint: `${context.idp_token_endpoint}`,
        client_id: `${context.idp_client_id}`,
        idToken: `${context.idp_id_token}`,
      }),
  }),
)

const byWorkload = service((serverUrl, { client_id = '', valid_jwt = '' }) =>
  createJwtBearerAuthorizer({
    serverUrl,
    egress,
    client: { client_id, token_endpoint_auth_method: 'none' },
    assertion: async () => valid_jwt,
  }),
)

const personal = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
  'dpop',
  'dpop-nonce',
]

export const authScenarios: Record<string, Scenario> = {
  ...Object.fromEntries(personal.map((name) => [`auth/${name}`, withDocument])),
  'auth/pre-registration': signIn((context) => ({ client: clientOf(context) })),
  'auth/client-credentials-jwt': byKey,
  'auth/client-credentials-basic': bySecret,
  'auth/cross-app-access-complete-flow': byIdentityProvider,
  'auth/enterprise-managed-authorization': byIdentityProvider,
  'auth/wif-jwt-bearer': byWorkload,
}
